use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, Group, Level, Mends, Rule};

pub(crate) const RULE: Rule = Rule {
    id: "lock-stale",
    level: Level::Deny,
    group: Group::Bundle,
    summary: "with `locked = true` in `skills.toml`, the skills are those of `skills.lock`",
    why: "A lock keeps a bundle that was reviewed the bundle that is built. The build names every \
          skill that was added, removed or changed since. `skills lock` writes the lock again.",
    bad: Example::Skill(with_fields!("")),
    marks: "",
    good: Example::Skill(with_fields!("")),
    mends: Mends::No,
    check: Check::Elsewhere,
};
