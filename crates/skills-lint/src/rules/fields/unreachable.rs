use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::Spelling;
use skills_format::diagnostic::rule_id::RuleId;

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
    let closed_by = view.closed_by();
    let to_model = closed_by.iter().any(|spelling| spelling.is_for_model());
    let to_person = closed_by.iter().any(|spelling| !spelling.is_for_model());
    if !(to_model && to_person) {
        return Vec::new();
    }
    let value = ["disable-model-invocation", "user-invocable"]
        .iter()
        .find_map(|key| view.field(key))
        .map(|(_, value)| value.span);
    let message = "neither a person nor the model may start the skill";
    let finding = match value {
        Some(span) => view.at(RULE.id, span, message),
        None => view.whole(RULE.id, message),
    };
    vec![finding.help(Spelling::reopen(closed_by))]
}
