use crate::rules::bundle::lock_stale::{CONFIG, GOOD, LOCK};
use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PowersWidened,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "with `locked = true` in `skills.toml`, no skill has a power that is not in `skills.lock`",
    why: "A lock records what each skill may do: the programs that it runs, the hosts that it reaches, the \
          variables and files that it reads. If a changed skill may do more, the line that says so is reported, in \
          addition to the changed bytes. Powers are found by reading the text, so the list may be incomplete. \
          `skills diff` shows what changed, and `skills lock` writes the lock again after a review.",
    bad: Example::Configured {
        config: CONFIG,
        files: &[
            (
                "release-notes/SKILL.md",
                Content::Text(with_body!("Run `git push origin main`.\n")),
            ),
            ("skills.lock", Content::Text(LOCK)),
        ],
    },
    marks: "",
    good: GOOD,
    fix: FixKind::No,
    check: Check::Elsewhere,
};
