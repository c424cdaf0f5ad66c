use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ManifestForm,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the manifest of a plugin is JSON of its program's form",
    why: "Without its manifest the name of a plugin and the folders of its skills are not known: the skills \
          are checked as those of their folders. Clients cannot install the plugin. The manifests are those of \
          Claude Code, Codex, Cursor and Copilot (`plugin.json`, `marketplace.json`) and of Agent Plugins 1.0.0 \
          (`plugin.json` with its `$schema`, `mcp.json`), and of Gemini CLI. What Claude Code, Codex and Gemini CLI refuse was \
          measured; a field that is only ignored is a warning. Reported by `skills check` of a \
          repository, and for an Agent Plugin also where its skills are loaded.",
    bad: Example::Files(&[
        (
            "../.claude-plugin/plugin.json",
            Content::Text("name: tidy\n"),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Files(&[
        (
            "../.claude-plugin/plugin.json",
            Content::Text("{\"name\": \"tidy\"}\n"),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};
