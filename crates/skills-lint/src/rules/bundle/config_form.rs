use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ConfigForm,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "`skills.toml` is TOML, and its keys and rules are known",
    why: "A level for a rule that does not exist changes nothing, and the mistake would go \
          unnoticed. A `skills.toml` inside of a skill is a warning: it is read beside the skills.",
    bad: Example::Configured {
        config: "allow = [\"body-lenght\"]\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    marks: "",
    good: Example::Configured {
        config: "allow = [\"body-length\"]\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    fix: FixKind::No,
    check: Check::Elsewhere,
};
