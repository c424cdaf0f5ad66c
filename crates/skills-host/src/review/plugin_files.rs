//! Files of plugins and clients beside the skills: commands, agents, hooks, servers. Their meaning is not read.

use crate::review::names::{folded_name, is_like_a_skill};
use crate::review::outside::end_of;
use serde_json::Value as Json;
use skills_format::join;

/// The folders in which clients and editors look for their own files, and what a forge runs. Skills among them are compared.
pub(super) const CLIENTS: [&str; 27] = [
    ".agent",
    ".agents",
    ".augment",
    ".caliban",
    ".claude",
    ".claude-plugin",
    ".clinerules",
    ".codewhale",
    ".codex",
    ".codex-plugin",
    ".cursor",
    ".cursor-plugin",
    ".devcontainer",
    ".factory",
    ".gemini",
    ".github",
    ".goose",
    ".junie",
    ".kiro",
    ".opencode",
    ".ouro",
    ".plugin",
    ".qwen",
    ".roo",
    ".trae",
    ".vscode",
    ".windsurf",
];
/// The manifests that make a plugin of a folder below which only a part is compared.
pub(super) const MANIFESTS: [&str; 6] = [
    ".claude-plugin/marketplace.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
    "gemini-extension.json",
    "plugin.json",
];
/// The files that clients read wherever they lie.
const NAMES: [&str; 39] = [
    ".aider.conf.yml",
    ".app.json",
    ".clinerules",
    ".cursorrules",
    ".goosehints",
    ".lsp.json",
    ".mcp.json",
    ".windsurfrules",
    "AGENT.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "CODEOWNERS",
    "GEMINI.md",
    "Jenkinsfile",
    "QWEN.md",
    "WARP.md",
    "action.yaml",
    "action.yml",
    "azure-pipelines.yaml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "copilot-instructions.md",
    "copilot-setup-steps.yml",
    "crush.json",
    "gemini-extension.json",
    "hooks.json",
    "lefthook.yml",
    "marketplace.json",
    "mcp.json",
    "monitors.json",
    "opencode.json",
    "opencode.jsonc",
    "openclaw.plugin.json",
    "plugin.json",
    "plugin.toml",
    "qwen-extension.json",
    "tui.json",
];
/// The fields of a marketplace that name no folder.
const DESCRIBING: [&str; 6] = [
    "name",
    "description",
    "keywords",
    "tags",
    "category",
    "version",
];

/// Returns whether a file can give an agent commands, hooks, servers, instructions, or other plugins.
pub(super) fn is_plugin_file(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let Some((name, folders)) = parts.split_last() else {
        return false;
    };
    let ends = |list: &[&str]| list.iter().any(|end| name.ends_with(end));
    let is_client = |part: &&str| CLIENTS.contains(&&*folded_name(part));
    let client = folders.iter().rposition(is_client);
    // Skills are compared, and a link in their place is told as a link. A file beside them can be a skill: `.claude/skills/x.md`.
    let is_client = client
        .is_some_and(|at| parts.get(at + 1) != Some(&"skills") || parts.len() == at + 3)
        && !is_template(path);
    is_of_a_client(name)
        || is_like_a_skill(name)
        || is_client
        || folders.last().is_some_and(|above| above.starts_with('.'))
            && ends(&["settings.json", "settings.local.json", "config.toml"])
        || is_in_plugin_folder(folders, name)
}

/// Returns whether a client, an editor or a forge reads a file because of where it lies. `skill` is the folder of the skill that
/// holds the file. A hidden folder is none of a client's own if it holds skills, or is one of skills: `.claude/skills/x`,
/// `skills/.system/x`.
pub(super) fn decides(path: &str, skill: Option<&str>) -> bool {
    let (place, inside) = path.split_at(skill.map_or(0, str::len));
    let parts: Vec<&str> = place.trim_end_matches('/').split('/').collect();
    let is_of_skills = |at: usize| {
        parts[at + 1..].len() > 1 && parts[at + 1] == "skills"
            || parts[at + 1..].len() == 1
                && parts[..at].last() == Some(&"skills")
                && !CLIENTS.contains(&parts[at])
    };
    let mut hidden = (0..parts.len()).filter(|at| parts[*at].starts_with('.'));
    let all: Vec<&str> = path.split('/').collect();
    let Some((name, folders)) = all.split_last() else {
        return false;
    };
    // The rules of a skill among skills are its texts.
    let among_skills = parts[..parts.len() - 1].contains(&"skills");
    let is_rules = has_folder(if among_skills { &parts } else { folders }, "rules");
    hidden.any(|at| !is_of_skills(at)) && !is_template(path)
        || is_like_a_skill(name)
        || inside.split('/').any(|part| part.starts_with('.'))
        || is_in_plugin_folder(folders, name)
        || is_rules
            && [".md", ".mdc", ".rules"]
                .iter()
                .any(|end| folded_name(name).ends_with(end))
        || skill.is_none() && is_of_a_client(name) && !is_instructions(name)
}

/// Returns whether a file is a template of an issue, which a person fills in.
fn is_template(path: &str) -> bool {
    let below = path.rsplit_once(".github/ISSUE_TEMPLATE/");
    let ends = [".md", ".yml", ".yaml"];
    below.is_some_and(|(before, name)| {
        !before.contains('.') && !name.contains('/') && ends.iter().any(|end| name.ends_with(end))
    })
}

/// Returns whether agents read a text of the name of a path wherever they work.
pub(super) fn is_instructions(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains(".md") && is_of_a_client(name)
}

/// Many systems open a file in any letter case.
fn is_of_a_client(name: &str) -> bool {
    let name = folded_name(name);
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(&name))
}

fn has_folder(folders: &[&str], name: &str) -> bool {
    folders.iter().any(|part| part.eq_ignore_ascii_case(name))
}

fn is_in_plugin_folder(folders: &[&str], name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let ends = |list: &[&str]| list.iter().any(|end| lower.ends_with(end));
    let is_in = |folder| has_folder(folders, folder);
    is_in("hooks") && !is_of_a_program(name)
        || (is_in("commands") || is_in("agents"))
            && ends(&[".md", ".toml", ".json", ".yaml", ".yml"])
        || is_in("output-styles") && ends(&[".md"])
}

/// Returns whether a skill lies in a folder of skills of a client, which lists the skill then.
pub(super) fn is_listed(folder: &str) -> bool {
    let parts: Vec<&str> = folder.split('/').collect();
    parts
        .windows(2)
        .any(|pair| pair[0].starts_with('.') && pair[1] == "skills")
}

/// Returns whether a file in a folder `hooks` is a hook of a program's own code: `useList.ts`.
fn is_of_a_program(name: &str) -> bool {
    let is_code = [".ts", ".js"].iter().any(|end| name.ends_with(end));
    let rest = name.strip_prefix("use").filter(|_| is_code);
    let begins = |rest: &str| rest.starts_with(|c: char| c == '-' || c.is_ascii_uppercase());
    rest.is_some_and(begins)
        || [".tsx", ".jsx", ".vue", ".rs", ".go"]
            .iter()
            .any(|end| name.ends_with(end))
        || matches!(name, "index.ts" | "index.js")
}

/// Returns the folders of plugins that a manifest or a marketplace makes: whoever installs a plugin gets all that lies there.
pub(super) fn roots(path: &str, bytes: Option<&[u8]>) -> Vec<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parts: Vec<&str> = folder.split('/').collect();
    let root = match parts[..] {
        [ref rest @ .., hidden, "plugin" | "plugins"] if hidden.starts_with('.') => rest.join("/"),
        [ref rest @ .., hidden] if hidden.starts_with('.') => rest.join("/"),
        _ => folder.to_owned(),
    };
    let name = folded_name(name);
    if name.ends_with("plugin.json") || name == "plugin.toml" || name.ends_with("-extension.json") {
        return vec![root];
    }
    if name != "marketplace.json" {
        return Vec::new();
    }
    let Some(json) = bytes.and_then(|bytes| serde_json::from_slice::<Json>(bytes).ok()) else {
        return vec![root];
    };
    let entry = |_: &str, name: &str| Some((name.to_owned(), None));
    let mut found = Vec::new();
    let mut left = vec![&json];
    while let Some(value) = left.pop() {
        match value {
            Json::String(text) => {
                let place = |base| end_of(&join(base, "x"), text, &entry);
                found.extend([folder, &root].into_iter().filter_map(place));
            }
            Json::Array(values) => left.extend(values),
            Json::Object(fields) => {
                let fields = fields.iter();
                let places = fields.filter(|(key, _)| !DESCRIBING.contains(&key.as_str()));
                left.extend(places.map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_read() {
        for path in [
            ".mcp.json",
            ".lsp.json",
            "plugins/a/.mcp.json",
            "plugins/a/.lsp.json",
            "plugins/a/hooks/hooks.json",
            "plugins/a/hooks/run.sh",
            "plugins/a/hooks/run",
            "plugins/a/hooks/lib/check.py",
            "plugins/a/.claude-plugin/plugin.json",
            ".claude-plugin/marketplace.json",
            ".claude/agents/a.md",
            ".claude/commands/group/a.md",
            ".claude/settings.json",
            ".claude/hooks/guard.ts",
            ".claude/statusline.sh",
            ".codex/config.toml",
            ".codex/rules/default.rules",
            ".opencode/plugin/a.ts",
            ".opencode/tool/a.ts",
            ".opencode/opencode.jsonc",
            ".gemini/policies/a.toml",
            ".cursor/rules/a.mdc",
            ".github/hooks/a.json",
            ".github/copilot-instructions.md",
            ".github/workflows/ci.yml",
            ".vscode/tasks.json",
            ".devcontainer/devcontainer.json",
            "AGENTS.md",
            "docs/CLAUDE.md",
            "plugins/a/output-styles/a.md",
            ".claude/skills/x.md",
        ] {
            assert!(is_plugin_file(path), "{path}");
        }
        for path in [
            "README.md",
            "docs/a.md",
            "src/settings.json",
            "commands.md",
            "agents/x.rs",
            "src/hooks/useList.ts",
            "src/hooks/use-list.js",
            "src/hooks/index.ts",
            ".agents/skills",
        ] {
            assert!(!is_plugin_file(path), "{path}");
        }
    }
}
