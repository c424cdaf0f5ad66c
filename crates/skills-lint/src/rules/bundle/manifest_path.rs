use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ManifestPath,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the paths in a plugin's manifest exist, and stay in the plugin",
    why: "A `source` that is missing loses the plugin, and a path in `skills`, `commands`, `agents` or `hooks` loses its \
          part; the client says little. A path with `..`, or through a link, reads files that are not the plugin's. In an \
          Agent Plugin, clients search only the folders directly in `skills`. Reported by `skills check` of a \
          repository, and for an Agent Plugin also where its skills are loaded.",
    bad: Example::Files(&[
        (
            "../.claude-plugin/plugin.json",
            Content::Text("{\"name\": \"tidy\", \"skills\": \"./skils\"}\n"),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Files(&[
        (
            "../.claude-plugin/plugin.json",
            Content::Text("{\"name\": \"tidy\", \"skills\": \"./skills\"}\n"),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
