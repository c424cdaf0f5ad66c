use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::CompatibilityLength,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`compatibility` has at most 500 characters",
    why: "The specification allows no more: the field is a note for people who choose skills, not \
          a manual.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Long {
            before: "---\nname: release-notes\n\
                     description: Writes release notes. Use when a version is published.\n\
                     compatibility: Needs git",
            piece: " and git again",
            times: 40,
            after: "\n---\n\nList every merged change.\n",
        },
    )]),
    marks: "Needs git and…",
    good: Example::Skill(with_fields!("compatibility: Needs git 2.40\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
