//! Files of plugins and clients beside the skills: commands, agents, hooks, servers. Their powers are not read.

use skills_format::Digest;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the files of plugins and clients that differ, in order of their paths, from the digests of two sides. What the
/// files may do is not compared.
pub fn changed_plugin_files(
    old: &BTreeMap<String, Digest>,
    new: &BTreeMap<String, Digest>,
) -> Vec<String> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    paths
        .into_iter()
        .filter(|path| old.get(*path) != new.get(*path))
        .cloned()
        .collect()
}

/// Returns whether a file can give an agent commands, hooks, servers, or other plugins.
pub(super) fn is_plugin_file(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let above = parts.next().unwrap_or_default();
    match name {
        ".mcp.json"
        | "mcp.json"
        | "hooks.json"
        | "plugin.json"
        | "marketplace.json"
        | "opencode.json"
        | "gemini-extension.json" => true,
        "settings.json" | "settings.local.json" | "config.toml" => above.starts_with('.'),
        _ => {
            let mut folders = parts.chain([above]);
            let is_text = [".md", ".toml", ".json"]
                .iter()
                .any(|end| name.ends_with(end));
            is_text && folders.any(|folder| matches!(folder, "commands" | "agents" | "hooks"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_plugin_file;

    #[test]
    fn files_that_are_not_read() {
        for path in [
            ".mcp.json",
            "plugins/a/.mcp.json",
            "plugins/a/hooks/hooks.json",
            "plugins/a/.claude-plugin/plugin.json",
            ".claude-plugin/marketplace.json",
            ".claude/agents/a.md",
            ".claude/commands/group/a.md",
            ".claude/settings.json",
            ".codex/config.toml",
        ] {
            assert!(is_plugin_file(path), "{path}");
        }
        for path in [
            "README.md",
            "docs/a.md",
            "src/settings.json",
            "commands.md",
            "agents/x.rs",
        ] {
            assert!(!is_plugin_file(path), "{path}");
        }
    }
}
