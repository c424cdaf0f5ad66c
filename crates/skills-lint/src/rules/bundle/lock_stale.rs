use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LockStale,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "no skill of `skills.lock` is missing; with `locked = true`, the skills match the lock",
    why: "A lock ensures that the bundle that is built is the bundle that was reviewed. With `locked = true` in \
          `skills.toml`, every skill that was added, removed or changed since then is reported. Without it, only a \
          missing skill is. `skills lock` writes the lock again.",
    bad: Example::Configured {
        config: CONFIG,
        files: &[
            (
                "release-notes/SKILL.md",
                Content::Text(with_body!("List every change, merged or not.\n")),
            ),
            ("skills.lock", Content::Text(LOCK)),
        ],
    },
    marks: "",
    good: GOOD,
    fix: FixKind::No,
    check: Check::Elsewhere,
};

/// The configuration of the examples, also of [`powers_widened`](super::powers_widened).
pub(super) const CONFIG: &str = "locked = true\n";

/// A skill that is as its lock says.
pub(super) const GOOD: Example = Example::Configured {
    config: CONFIG,
    files: &[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        ("skills.lock", Content::Text(LOCK)),
    ],
};

/// The lock of the skill of [`GOOD`].
pub(super) const LOCK: &str = "\
version = 4

[[skill]]
name = \"release-notes\"
digest = \"sha256:9fe34801e909db675e325fa9fa0a4ac8aa9d666c6adab4ca97038287b0cf9caf\"
size = 135
powers = {}
";
