//! Advice that other packages give too.

use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const NESTED_SKILL: Rule = Rule {
    id: RuleId::NestedSkill,
    level: Level::Deny,
    group: Group::Other,
    summary: "no skill is inside another skill's folder",
    why: "Everything below a skill's folder belongs to that skill, and a `SKILL.md` there is one of its files: a \
          stray `SKILL.md` at the top of a folder of skills would hide them all. A build refuses it. Some clients \
          load the inner file as a skill of its own. In `skills check`, the finding is a warning, which `deny` \
          makes an error, unless it hides the skills of a folder. The inner file is not checked as a skill.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/changelog/SKILL.md",
            Content::Text(with_fields!("")),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};

pub(crate) const UNUSED_SUPPRESSION: Rule = Rule {
    id: RuleId::UnusedSuppression,
    level: Level::Allow,
    group: Group::Other,
    summary: "every suppression comment suppresses a finding",
    why: "A forgotten suppression hides the next finding of its rule. A comment cannot suppress `hidden-text`, \
          `secret`, `remote-exec`, `authorized-key`, `link-escape` and `symlink`: only `skills.toml` and the \
          command line can.",
    bad: Example::Skill(with_body!(
        "<!-- skills: allow link-broken -->\n\nList every merged change.\n"
    )),
    marks: "<!-- skills: allow link-broken -->",
    good: Example::Skill(with_body!(
        "<!-- skills: allow link-broken -->\n\nFollow [the style](style.md).\n"
    )),
    fix: FixKind::No,
    // Only the engine knows which comments suppressed a finding.
    check: Check::Bundle(|_| Vec::new()),
};
