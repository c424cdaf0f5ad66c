use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ManifestName,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "each plugin of a marketplace has a name of its own, of the form that its program accepts",
    why: "A person installs a plugin by its name. Of two plugins with one name a client takes one. An Agent Plugin has 1 \
          to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or digit at both ends, and without `--` and `..`. Reported by `skills check` of a \
          repository, and for an Agent Plugin also where its skills are loaded.",
    bad: Example::Files(&[
        (
            "../plugin.json",
            Content::Text(
                "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\", \"name\": \"Tidy\"}\n",
            ),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Files(&[
        (
            "../plugin.json",
            Content::Text(
                "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\", \"name\": \"tidy\"}\n",
            ),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
