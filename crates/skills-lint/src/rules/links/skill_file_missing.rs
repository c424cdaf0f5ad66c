use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SkillFileMissing,
    level: Level::Warn,
    group: Group::Links,
    summary: "a folder that looks like a skill is a skill",
    why: "A folder among skills with a `SKILLS.md`, a `skill.txt`, or with `references/` or `arguments.schema.json` and no \
          `SKILL.md` was meant as a skill, and no client finds it; so was an empty folder, and one whose `README.md` has a name \
          and a description above its text. A folder with `scripts/` alone is not reported, since \
          skills can share it. `skills check` of a \
          repository also looks for files such as `skills/tidy.md` with a name and a description, which OpenCode 2 alone \
          finds.",
    bad: Example::Files(&[
        ("changelog/SKILLS.md", Content::Text(with_fields!(""))),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
