//! Rules about the fields of the specification, which a build checks too.

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::known_fields::{disguised, meant};
use skills_format::yaml::node::Node;

pub(crate) const NAME_MISSING: Rule = Rule {
    id: RuleId::NameMissing,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the front matter has a `name`",
    why: "The name is what a person types and what a model calls. The specification requires it.",
    bad: Example::Skill(
        "---\ndescription: Writes release notes. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "---",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(|view| view.faults(RuleId::NameMissing)),
};

/// Returns the key that stands for a missing field, if there is one alone.
pub(super) fn misspelt_key<'v>(view: &'v SkillView<'_>, field: &str) -> Option<&'v Node> {
    if view.has(field) {
        return None;
    }
    let is_it = |key: &&Node| {
        let written = key.as_str().unwrap_or_default();
        meant(written) == Some(field) && disguised(written).is_none() && view.is_sound(key.span)
    };
    let mut keys = view
        .fields()?
        .entries()
        .iter()
        .map(|(key, _)| key)
        .filter(is_it);
    keys.next().filter(|_| keys.next().is_none())
}

pub(crate) const NAME_FORM: Rule = Rule {
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
    check: Check::Skill(name_form),
};

fn name_form(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = view.faults(NAME_FORM.id);
    // People and clients that normalize names see the same name, so that finding is milder.
    for finding in found
        .iter_mut()
        .filter(|it| it.fix.as_ref().is_some_and(|fix| fix.safe))
    {
        finding.mildest = Severity::Warning;
    }
    found
}

pub(crate) const NAME_MISMATCH: Rule = Rule {
    id: RuleId::NameMismatch,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the name of a skill is the name of its folder",
    why: "Some clients know a skill by its folder, others by its name. If the two differ, one client finds the \
          skill and the other does not. The specification requires them to be equal.",
    bad: Example::Files(&[("changelog/SKILL.md", Content::Text(with_fields!("")))]),
    marks: "release-notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(name_mismatch),
};

fn name_mismatch(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = view.faults(NAME_MISMATCH.id);
    // A skill that is made from a template gets its own folder, so the finding is milder.
    if view.skill.file.folder.contains("template") {
        for finding in &mut found {
            finding.mildest = Severity::Warning;
        }
    }
    found
}

pub(crate) const DESCRIPTION_MISSING: Rule = Rule {
    id: RuleId::DescriptionMissing,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the front matter has a `description`",
    why: "The description is all that a model sees before it picks a skill. A skill without a description is never \
          picked, and most clients drop it. Only a misspelt key has a fix.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescripton: Writes release notes. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "descripton",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(|view| view.faults(RuleId::DescriptionMissing)),
};

pub(crate) const DESCRIPTION_LENGTH: Rule = Rule {
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
    check: Check::Skill(|view| view.faults(RuleId::DescriptionLength)),
};

pub(crate) const COMPATIBILITY_LENGTH: Rule = Rule {
    id: RuleId::CompatibilityLength,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`compatibility` has at most 500 characters",
    why: "The specification sets this limit: the field is a note for people who choose skills, not a manual.",
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
    check: Check::Skill(|view| view.faults(RuleId::CompatibilityLength)),
};
