use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionMissing,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the front matter has a `description`",
    why: "The description is all that a model sees before it picks a skill. A skill without a \
          description is never picked, and most clients drop it. A misspelt key is the only case with a fix.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescripton: Writes release notes. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "descripton",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
