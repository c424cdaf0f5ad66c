use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NestedSkill,
    level: Level::Deny,
    group: Group::Other,
    summary: "no skill lies in another skill's folder",
    why: "Everything below the folder of a skill belongs to that skill, and a `SKILL.md` there is one of its files: a \
          stray `SKILL.md` at the top of a folder of skills would hide them all. A build refuses it. Some clients search \
          these folders too and load the inner file as a skill of its own: the finding names them. Below `assets/`, \
          `references/`, `scripts/`, `examples/` and `templates/` it is a warning. The file is checked as a skill, its \
          other findings are warnings at most.",
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
