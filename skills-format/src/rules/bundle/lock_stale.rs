use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LockStale,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "with `locked = true` in `skills.toml`, the skills are those of `skills.lock`",
    why: "A lock keeps a bundle that was reviewed the bundle that is built. The build names every \
          skill that was added, removed or changed since. `skills lock` writes the lock again.",
    bad: Example::Skill(with_fields!("")),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
