//! Plugin manifests: the names of bundles, and the folders of skills that a manifest names.

use crate::repository::manifest;
use crate::repository::manifest::paths::{Paths, is_missing};
use crate::repository::manifest::read::Manifest;
use crate::repository::start::{Start, is_manifest_folder};
use serde_json::Value;
use skills_format::disk::read_text;
use skills_format::{Diagnostic, RuleId, Severity, Span, join};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The manifests: the first part of the path, which a walk looks for, and the whole path.
pub(crate) const MANIFESTS: &[(&str, &str)] = &[
    (".claude-plugin", ".claude-plugin/plugin.json"),
    (".codex-plugin", ".codex-plugin/plugin.json"),
    (".cursor-plugin", ".cursor-plugin/plugin.json"),
    (".github", ".github/plugin/plugin.json"),
    (".plugin", ".plugin/plugin.json"),
    ("plugin.json", "plugin.json"),
    ("gemini-extension.json", "gemini-extension.json"),
];
/// The paths of marketplaces, which list plugins.
const MARKETPLACES: [&str; 4] = [
    ".claude-plugin/marketplace.json",
    ".cursor-plugin/marketplace.json",
    ".codex-plugin/marketplace.json",
    ".github/plugin/marketplace.json",
];

/// Returns the paths of the manifests of plugins and of marketplaces, relative to the folder of the plugin.
pub fn plugin_manifests() -> impl Iterator<Item = &'static str> {
    let manifests = MANIFESTS.iter().map(|(_, path)| *path);
    manifests.chain(MARKETPLACES)
}

/// The plugins of a repository, by paths relative to the walked folder.
#[derive(Debug, Default)]
pub(crate) struct Plugins {
    /// The name of each folder's plugin.
    pub(crate) names: BTreeMap<String, String>,
    /// Folders that a manifest names as folders of skills.
    pub(crate) skills: BTreeSet<String>,
    /// The plugins of marketplaces that list the skill of a folder by itself.
    pub(crate) listed: BTreeMap<String, Vec<String>>,
    /// The folders of Agent Plugins.
    pub(crate) portable: BTreeSet<String>,
    /// The findings in manifests.
    pub(crate) faults: Vec<Diagnostic>,
}

impl Plugins {
    /// Reads the plugin manifests of folders.
    pub(crate) fn read(start: &Start, folders: &[String]) -> Self {
        let mut plugins = Self::default();
        let paths = Paths::new(&start.on_disk);
        for folder in folders {
            for (_, path) in MANIFESTS {
                let Some(manifest) = plugins.manifest(start, &join(folder, path)) else {
                    continue;
                };
                // `.claude-plugin/plugin.json` is also a `plugin.json` of the folder `.claude-plugin`.
                if !is_manifest_folder(folder) {
                    let found = manifest::plugin(&manifest, &paths, folder);
                    plugins.faults.extend(found);
                }
                if *path == "plugin.json" && manifest::agent::is_agent_plugin(&manifest) {
                    plugins.portable.insert(folder.clone());
                }
                plugins.add(folder, &manifest.value);
            }
            for path in MARKETPLACES {
                let Some(manifest) = plugins.manifest(start, &join(folder, path)) else {
                    continue;
                };
                plugins
                    .faults
                    .extend(manifest::marketplace(&manifest, &paths, folder));
                let marketplace = manifest.value;
                let root = marketplace.pointer("/metadata/pluginRoot");
                let root = join_below(folder, root.and_then(Value::as_str).unwrap_or_default());
                let entries = marketplace.get("plugins").and_then(Value::as_array);
                for entry in entries.into_iter().flatten() {
                    let source = entry.get("source").and_then(Value::as_str);
                    if let Some(folder) = source.map(|source| join_below(&root, source)) {
                        plugins.add(&folder, entry);
                        plugins.list(&folder, entry);
                    }
                }
            }
        }
        plugins
    }

    /// Reads a manifest. An unreadable manifest is reported; a missing one is not.
    fn manifest(&mut self, start: &Start, path: &str) -> Option<Manifest> {
        let shown = || join(&start.shown, path);
        let finding = |message: String| {
            Diagnostic::new(RuleId::ManifestForm, Severity::Error, shown(), message)
                .help("write it as JSON; until then the plugin's name and folders are not known")
        };
        let text = match read_text(&start.on_disk.join(path)) {
            Ok(text) => text,
            Err(error) if is_missing(&error) => return None,
            Err(error) => {
                self.faults
                    .push(finding(format!("it cannot be read: {error}")));
                return None;
            }
        };
        // Clients skip a byte-order mark, and serde_json rejects it.
        let json = text.trim_start_matches('\u{FEFF}');
        match serde_json::from_str(json) {
            Ok(value) => Some(Manifest {
                shown: shown(),
                text,
                value,
                placed: Cell::default(),
            }),
            Err(error) => {
                let line = json
                    .split_inclusive('\n')
                    .take(error.line().saturating_sub(1));
                let before: usize = line.map(str::len).sum();
                let at = text.len() - json.len() + before + error.column().saturating_sub(1);
                let reason = error.to_string();
                let reason = reason.split(" at line ").next().unwrap_or(&reason);
                let place = Span::at(at.min(text.len()));
                let finding = finding(format!("it is not JSON: {reason}"));
                self.faults.push(finding.at(text.as_bytes(), place));
                None
            }
        }
    }

    fn add(&mut self, folder: &str, manifest: &Value) {
        if let Some(name) = manifest.get("name").and_then(Value::as_str) {
            let name = name.to_owned();
            self.names.entry(folder.to_owned()).or_insert(name);
        }
        let paths = paths_of_skills(manifest).into_iter();
        self.skills
            .extend(paths.map(|path| join_below(folder, path)));
    }
}

/// Returns the paths in `skills`: one path, or a list.
fn paths_of_skills(manifest: &Value) -> Vec<&str> {
    match manifest.get("skills") {
        Some(Value::Array(paths)) => paths.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(path)) => vec![path.as_str()],
        _ => Vec::new(),
    }
}

impl Plugins {
    /// Notes the skills that an entry of a marketplace lists one by one. Several plugins share a folder so, and each has
    /// only its own skills.
    fn list(&mut self, folder: &str, entry: &Value) {
        let name = entry.get("name").and_then(Value::as_str);
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        for path in paths_of_skills(entry) {
            let plugins = self.listed.entry(join_below(folder, path)).or_default();
            if !plugins.iter().any(|plugin| plugin == name) {
                plugins.push(name.to_owned());
            }
        }
    }
}

/// Returns whether a folder on the disk has a plugin manifest.
#[expect(
    clippy::disallowed_methods,
    reason = "looks for the manifest of a plugin"
)]
pub(crate) fn is_plugin(folder: &Path) -> bool {
    MANIFESTS
        .iter()
        .any(|(_, path)| folder.join(path).is_file())
}

/// Joins a path such as `./a/b/` to a folder.
fn join_below(folder: &str, path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    join(folder, &parts.collect::<Vec<_>>().join("/"))
}
