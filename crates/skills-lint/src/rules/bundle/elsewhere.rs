//! Rules that another package runs: on `skills.toml`, on manifests of plugins, and in a build.

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const MANIFEST_FORM: Rule = Rule {
    id: RuleId::ManifestForm,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the manifest of a plugin is JSON of its program's form",
    why: "Without its manifest the name of a plugin and the folders of its skills are not known: the skills \
          are checked as those of their folders. Clients cannot install the plugin. The manifests are those of \
          Claude Code, Codex, Cursor and Copilot (`plugin.json`, `marketplace.json`) and of Agent Plugins 1.0.0 \
          (`plugin.json` with its `$schema`), and of Gemini CLI. Servers are not looked into. What Claude Code, Codex and Gemini CLI refuse was \
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

pub(crate) const MANIFEST_PATH: Rule = Rule {
    id: RuleId::ManifestPath,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the paths in a plugin's manifest exist, and stay in the plugin",
    why: "A `source` that is missing loses the plugin, and a path in `skills`, `commands`, `agents` or `hooks` loses its \
          part; the client says little. A path with `..`, or through a link, reads files that are not the plugin's. Reported by \
          `skills check` of a repository, and for an Agent Plugin also where its skills are loaded.",
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

pub(crate) const MANIFEST_NAME: Rule = Rule {
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

pub(crate) const CONFIG_FORM: Rule = Rule {
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

pub(crate) const STALE_BUNDLE: Rule = Rule {
    id: RuleId::StaleBundle,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "the crate that bakes the skills has a build script, which makes cargo notice a new skill",
    why: "Cargo knows the files that were baked, and no others. Without a build script a new skill \
          is not noticed: the crate is not compiled again, and the bundle stays as it is. The same happens with a script whose `cargo::rerun-if-changed` lines name only other paths; this is not reported. \
          A script that prints no such line makes cargo watch the whole package. Only `include_skills!` reports this. \
          `allow = [\"stale-bundle\"]` in `skills.toml` silences it.",
    bad: Example::Files(&[("release-notes/SKILL.md", Content::Text(with_fields!("")))]),
    marks: "",
    good: Example::Files(&[
        ("../build.rs", Content::Text(BUILD)),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};

const BUILD: &str = "\
fn main() {
    println!(\"cargo::rerun-if-changed=skills\");
}
";
