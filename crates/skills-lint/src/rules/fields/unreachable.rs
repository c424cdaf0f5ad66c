use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Unreachable,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a person or the model may start the skill",
    why: "A skill that neither a person nor the model may start is never used.",
    bad: Example::Skill(with_fields!(
        "user-invocable: false\ndisable-model-invocation: true\n"
    )),
    marks: "true",
    good: Example::Skill(with_fields!("disable-model-invocation: true\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let user = view.field("user-invocable").map(|(_, value)| value);
    let model = view
        .field("disable-model-invocation")
        .map(|(_, value)| value);
    match (
        user.and_then(Node::as_bool),
        model.and_then(Node::as_bool),
        model,
    ) {
        (Some(false), Some(true), Some(value)) => vec![
            view.at(
                RULE.id,
                value.span,
                "neither a person nor the model may start the skill",
            )
            .help("remove this line, or `user-invocable: false`"),
        ],
        _ => Vec::new(),
    }
}
