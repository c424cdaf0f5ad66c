//! Finds the plugins of a folder. Each plugin is a source of its own.
//!
//! A plugin is a folder with a folder `skills`. If it has a `plugin.json` of an Agent Plugin, the manifest names the
//! plugin, and says whether it is loaded at all: clients reject a plugin whose manifest is wrong, and a skill of it
//! must not start here alone.

use crate::source::diagnostics::reading;
use crate::source::folder::{Reach, Root};
use crate::source::names::Names;
use skills_format::disk::{self, Folder, Kind, Refused, is_absent, is_not_a_folder, read_regular};
use skills_format::{Diagnostic, MAX_PLUGIN_FILE, PLUGIN_FILE, PluginManifest, SkillName, Span};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of plugins that are read.
const MAX_PLUGINS: usize = 10_000;

/// A plugin, before its source is named.
struct Plugin {
    name: String,
    name_from: NameFrom,
    /// The file or folder that the name is of.
    path: PathBuf,
    root: Root,
}

/// Where the name of a plugin stands. Of two plugins with one name, the first in this order keeps it: no manifest
/// takes the name of another plugin's folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameFrom {
    /// The folder has the name.
    Folder,
    /// The manifest has the name, and the folder another.
    Manifest,
    /// The name must be corrected.
    Corrected,
}

/// Finds every plugin `<dir>/<plugin>`, with the name of its source, in order of names.
pub(crate) fn find(
    dir: &Path,
    names: &mut Names,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, Root)> {
    let items = match Folder::open(dir).and_then(|folder| folder.items(MAX_PLUGINS)) {
        Ok(items) => items,
        Err(error) => {
            if error.kind() != io::ErrorKind::NotFound {
                diagnostics.push(reading::unreadable(dir, &error));
            }
            return Vec::new();
        }
    };
    if items.len() == MAX_PLUGINS {
        diagnostics.push(reading::too_many(dir, MAX_PLUGINS, "plugins"));
    }
    let mut found: Vec<Plugin> = items
        .into_iter()
        .filter(|item| matches!(item.kind, Kind::Folder | Kind::Link))
        .filter(|item| !item.name.as_encoded_bytes().starts_with(b"."))
        .filter_map(|item| plugin(dir.join(&item.name), &item.name, diagnostics))
        .collect();
    found.sort_by_key(|plugin| plugin.name_from as usize);
    let mut plugins: Vec<(String, Root)> = found
        .into_iter()
        .map(|plugin| {
            let name = names.give_plugin(&plugin.name, &plugin.path, diagnostics);
            (name, plugin.root)
        })
        .collect();
    plugins.sort_by(|a, b| a.0.cmp(&b.0));
    plugins
}

/// Looks at one folder. Returns `None` if it has no skills, or its manifest is wrong.
fn plugin(folder: PathBuf, item: &OsStr, diagnostics: &mut Vec<Diagnostic>) -> Option<Plugin> {
    let opened = match Folder::open(&folder) {
        Ok(opened) => opened,
        // A link to a file, or to nothing.
        Err(error) if is_absent(&error) || is_not_a_folder(&error) => return None,
        Err(error) => {
            diagnostics.push(reading::unreadable(&folder, &error));
            return None;
        }
    };
    let written = item.to_string_lossy().into_owned();
    let manifest = folder.join(PLUGIN_FILE);
    let skills = folder.join("skills");
    let (name, path, root) = match read_manifest(&opened, &manifest, diagnostics) {
        Manifest::Rejected => return None,
        Manifest::None => {
            if !disk::metadata(&skills).is_ok_and(|found| found.is_dir()) {
                return None;
            }
            let root = Root::new(skills, None);
            (written.clone(), root.path.clone(), root)
        }
        Manifest::Named(name) => {
            // Only a missing `skills` is no fault. Reading the root reports what else it can be.
            if matches!(opened.kind(OsStr::new("skills")), Ok(None)) {
                return None;
            }
            let mut root = Root::new(skills, Some(folder));
            root.reach = Reach::Children;
            (name, manifest, root)
        }
    };
    let name_from = match SkillName::new(&name) {
        Err(_) => NameFrom::Corrected,
        Ok(_) if name == written => NameFrom::Folder,
        Ok(_) => NameFrom::Manifest,
    };
    Some(Plugin {
        name,
        name_from,
        path,
        root,
    })
}

/// The contents of the `plugin.json` of a folder.
enum Manifest {
    /// The folder has no manifest, or one of another program.
    None,
    /// The name of an Agent Plugin.
    Named(String),
    /// The plugin is not loaded, which was reported.
    Rejected,
}

fn read_manifest(folder: &Folder, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Manifest {
    let mut reject = |found: Diagnostic| {
        diagnostics.push(found);
        Manifest::Rejected
    };
    let read = |file| read_regular(&file, MAX_PLUGIN_FILE).map_err(Refused::Io);
    let bytes = match folder.file_within(Path::new(PLUGIN_FILE)).and_then(read) {
        Ok(bytes) => bytes,
        // A link to nothing is not a missing manifest.
        Err(Refused::Io(error))
            if is_absent(&error) && matches!(folder.kind(OsStr::new(PLUGIN_FILE)), Ok(None)) =>
        {
            return Manifest::None;
        }
        Err(Refused::Io(error)) => {
            let why = format!("it cannot be read: {error}");
            return reject(reading::unreadable_plugin(path, &why));
        }
        Err(Refused::Escape) => {
            let why = "it is a link that leads out of the plugin";
            return reject(reading::unreadable_plugin(path, why));
        }
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return reject(reading::unreadable_plugin(path, "it is not UTF-8"));
    };
    let manifest = match PluginManifest::read(text) {
        Ok(None) => return Manifest::None,
        Ok(Some(manifest)) => manifest,
        Err(error) => {
            let why = format!("it is not JSON: {}", error.message);
            let found = reading::unreadable_plugin(path, &why);
            return reject(found.at(&bytes, Span::at(error.offset)));
        }
    };
    let is_rejected = manifest.is_rejected();
    let faults = manifest.faults.iter();
    diagnostics.extend(faults.map(|fault| reading::plugin_fault(path, text, fault)));
    match manifest.name {
        Some(name) if !is_rejected => Manifest::Named(name),
        _ => Manifest::Rejected,
    }
}
