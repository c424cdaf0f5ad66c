//! Rules that another package runs: on `skills.toml`, on manifests of plugins, and in a build.

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const MANIFEST_FORM: Rule = Rule {
    id: RuleId::ManifestForm,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the manifest of a plugin is JSON in the form that its program accepts",
    why: "Without a valid manifest, clients cannot install the plugin. Its name and its folders of skills are \
          unknown, so each folder of skills is checked by itself. The rule covers the manifests of Claude Code, \
          Codex, Cursor and Copilot (`plugin.json`, `marketplace.json`), of Agent Plugins 1.0.0 (`plugin.json` with \
          its `$schema`), and of Gemini CLI. Servers in a manifest are not checked. What Claude Code, Codex and \
          Gemini CLI refuse was found by running them. A field that they only ignore is a warning. `skills check` \
          of a repository reports it, and for an Agent Plugin also the program that loads its skills.",
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
    why: "If a `source` does not exist, the plugin is lost. If a path in `skills`, `commands`, `agents` or `hooks` \
          does not exist, that part is lost, often without a message. A path with `..`, or through a link, leads to \
          files that are not the plugin's. `skills check` of a repository reports it, and for an Agent Plugin also \
          the program that loads its skills.",
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
    summary: "each plugin of a marketplace has a unique name, in the form that its program accepts",
    why: "A person installs a plugin by its name. If two plugins have the same name, a client uses only one of \
          them. An Agent Plugin has 1 to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or digit at both ends, and \
          without `--` and `..`. `skills check` of a repository reports it, and for an Agent Plugin also the \
          program that loads its skills.",
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
    why: "A level for a rule that does not exist has no effect, and the mistake would go unnoticed. A `skills.toml` \
          inside a skill is a warning, since only a file beside the skills is read.",
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
    summary: "the crate that compiles the skills in has a build script, so that cargo notices a new skill",
    why: "Cargo watches only the files that were baked. Without a build script, it does not notice a new skill: the \
          crate is not compiled again, and the bundle stays as it is. A script whose `cargo::rerun-if-changed` \
          lines name only other paths has the same effect, but is not reported. A script that prints no such line \
          makes cargo watch the whole package. Only `include_skills!` reports this. `allow = [\"stale-bundle\"]` in \
          `skills.toml` silences it.",
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
