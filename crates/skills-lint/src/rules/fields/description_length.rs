use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionLength,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a description has at most 1,024 characters",
    why: "Every description is part of every conversation, whether the skill is used or not. The \
          specification allows 1,024 characters. Clients cut or refuse longer descriptions.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Long {
            before: "---\nname: release-notes\ndescription: Use when a version is published",
            piece: " and published again",
            times: 60,
            after: ".\n---\n\nList every merged change.\n",
        },
    )]),
    marks: "Use when a version is published…",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
