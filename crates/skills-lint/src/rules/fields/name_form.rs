use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NameForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a name has 1 to 64 lowercase letters and digits, with single hyphens between them",
    why: "The specification allows no other name. A valid name can be typed, can be a folder, and \
          can be part of an address on every system. Letters of every script are allowed.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Text(
            "---\nname: Release_Notes\n\
             description: Writes release notes. Use when a version is published.\n---\n\n\
             List every merged change.\n",
        ),
    )]),
    marks: "Release_Notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = view.faults(RULE.id);
    // People and clients that normalize names see the same name, so that finding is milder.
    for finding in found
        .iter_mut()
        .filter(|it| it.fix.as_ref().is_some_and(|fix| fix.safe))
    {
        finding.mildest = Severity::Warning;
    }
    found
}
