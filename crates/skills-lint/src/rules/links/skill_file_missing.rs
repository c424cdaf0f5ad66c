use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SkillFileMissing,
    level: Level::Warn,
    group: Group::Links,
    summary: "a folder that looks like a skill is a skill",
    why: "A folder among skills with a `SKILLS.md`, a `skill.txt`, or with `references/` and no \
          `SKILL.md` was meant as a skill, and no client finds it. A file such as `skills/tidy.md` with a name and a \
          description is found by OpenCode 2 alone. Only `skills check` of a repository looks for such folders and files.",
    bad: Example::Files(&[
        ("changelog/SKILLS.md", Content::Text(with_fields!(""))),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
