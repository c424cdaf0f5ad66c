use crate::rules::example::{Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::BodyEmpty,
    level: Level::Warn,
    group: Group::Body,
    summary: "instructions follow the front matter",
    why: "The body is the text that the model gets when the skill starts. If the body is empty, \
          the model gets nothing.",
    bad: Example::Skill(with_body!("")),
    marks: "---",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    match view.document() {
        Some(document) if document.body.is_empty() => vec![
            view.at(RULE.id, view.closing(), "nothing follows the front matter")
                .help("write the instructions below it"),
        ],
        _ => Vec::new(),
    }
}
