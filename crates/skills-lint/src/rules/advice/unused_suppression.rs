use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnusedSuppression,
    level: Level::Allow,
    group: Group::Other,
    summary: "a comment that suppresses findings suppresses a finding",
    why: "A suppression that is left behind hides the next finding of its rule. A comment cannot \
          suppress `hidden-text`, `secret`, `remote-exec`, `authorized-key`, `link-escape` and `symlink`: only \
          `skills.toml` and the command line can.",
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
