use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NeedsExtract,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "no command of a bundled skill needs the folder of the skill",
    why: "A bundled skill is part of the program and has no folder: `${CLAUDE_SKILL_DIR}` and `${SKILL_DIR}` become an \
          address such as `skill://bundled/tidy`, which a shell cannot run. Nor does a shell find a script of the skill \
          by its path, as in: Run `scripts/sort.sh`. A host that calls `Bundle::extract`, and gives \
          the folder to the catalog, has one: then `allow = [\"needs-extract\"]` in `skills.toml` says so. Only the \
          test that `skills_repository::test!` makes reports this: the skills of a program are bundled.",
    bad: Example::Skill(with_body!("Run `bash ${CLAUDE_SKILL_DIR}/sort.sh`.\n")),
    marks: "",
    good: Example::Skill(with_body!("Read ${CLAUDE_SKILL_DIR}/notes.md.\n")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
