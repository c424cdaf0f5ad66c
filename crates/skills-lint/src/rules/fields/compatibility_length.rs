use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::limits::MAX_COMPATIBILITY;

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
    let Some((value, text)) = view.text_field("compatibility") else {
        return Vec::new();
    };
    let length = text.chars().count();
    if length <= MAX_COMPATIBILITY {
        return Vec::new();
    }
    let message =
        format!("`compatibility` has {length} characters, at most {MAX_COMPATIBILITY} are allowed");
    let over = length - MAX_COMPATIBILITY;
    vec![
        view.at(RULE.id, value.span, message)
            .help(format!("shorten it by {over}; details belong in the body")),
    ]
}
