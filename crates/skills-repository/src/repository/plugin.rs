//! Plugin manifests: the names of bundles, and the folders of skills that a manifest names.

use crate::repository::manifest::{self, Manifest, Paths, text};
use crate::repository::start::{Start, is_manifest_folder};
use skills_format::yaml::Node;
use skills_format::{Diagnostic, join};
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
        let paths = Paths::new(start);
        for folder in folders {
            for (_, path) in MANIFESTS {
                let Some(manifest) = plugins.manifest(start, &paths, &join(folder, path)) else {
                    continue;
                };
                // `.claude-plugin/plugin.json` is also a `plugin.json` of the folder `.claude-plugin`.
                if !is_manifest_folder(folder) {
                    let found = manifest::plugin(&manifest, &paths, folder);
                    plugins.faults.extend(found);
                }
                if *path == "plugin.json" && manifest.is_agent_plugin() {
                    plugins.portable.insert(folder.clone());
                }
                plugins.add(folder, &manifest.file);
            }
            for path in MARKETPLACES {
                if let Some(manifest) = plugins.manifest(start, &paths, &join(folder, path)) {
                    let found = manifest::marketplace(&manifest, &paths, folder);
                    plugins.faults.extend(found);
                    plugins.list(folder, &manifest.file);
                }
            }
        }
        plugins
    }

    /// Reads a manifest. An unreadable manifest is reported; a missing one is not.
    fn manifest(&mut self, start: &Start, paths: &Paths<'_>, path: &str) -> Option<Manifest> {
        let help = "write it as JSON; until then the plugin's name and folders are not known";
        Manifest::read(
            join(&start.shown, path),
            paths.text(path),
            help,
            &mut self.faults,
        )
    }

    /// Adds the plugin of a manifest, or of an entry of a marketplace.
    fn add(&mut self, folder: &str, manifest: &Node) {
        if let Some(name) = manifest.get("name").and_then(text) {
            let name = name.to_owned();
            self.names.entry(folder.to_owned()).or_insert(name);
        }
        for path in paths_of_skills(manifest) {
            self.skills.insert(join_below(folder, path));
        }
    }

    /// Adds the plugins of a marketplace. Several plugins can share a folder and list its skills one by one: then each has
    /// only its own skills.
    fn list(&mut self, folder: &str, marketplace: &Node) {
        let root = marketplace
            .get("metadata")
            .and_then(|metadata| metadata.get("pluginRoot"));
        let root = join_below(folder, root.and_then(text).unwrap_or_default());
        let entries = marketplace.get("plugins").and_then(Node::items);
        for entry in entries.unwrap_or_default() {
            let Some(source) = entry.get("source").and_then(text) else {
                continue;
            };
            let folder = join_below(&root, source);
            self.add(&folder, entry);
            let name = entry.get("name").and_then(text);
            let Some(name) = name.filter(|name| !name.is_empty()) else {
                continue;
            };
            for path in paths_of_skills(entry) {
                let plugins = self.listed.entry(join_below(&folder, path)).or_default();
                if !plugins.iter().any(|plugin| plugin == name) {
                    plugins.push(name.to_owned());
                }
            }
        }
    }
}

/// Returns the paths in `skills`: one path, or a list.
fn paths_of_skills(manifest: &Node) -> Vec<&str> {
    let Some(skills) = manifest.get("skills") else {
        return Vec::new();
    };
    let listed = skills.items().unwrap_or(std::slice::from_ref(skills));
    listed.iter().filter_map(text).collect()
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
