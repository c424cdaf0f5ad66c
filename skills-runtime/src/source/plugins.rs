//! Finds the plugins of a folder. Each plugin is a source of its own.

use crate::source::diagnostics::reading;
use crate::source::folder::Root;
use crate::source::names::Names;
use skills_format::disk::{self, Folder, Kind};
use skills_format::text::order::{sort_by_number, sort_by_text};
use skills_format::{Diagnostic, SkillName};
use std::io;
use std::path::Path;

/// The maximum number of plugins that are read.
const MAX_PLUGINS: usize = 10_000;

/// Finds every `<dir>/<plugin>/skills` folder, with the name of its source, in order of names.
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
    let mut plugins: Vec<(String, Root)> = items
        .into_iter()
        .filter(|item| matches!(item.kind, Kind::Folder | Kind::Link))
        .filter(|item| !item.name.as_encoded_bytes().starts_with(b"."))
        .map(|item| {
            let root = Root {
                path: dir.join(&item.name).join("skills"),
                base: None,
                skip: Vec::new(),
            };
            (item.name.to_string_lossy().into_owned(), root)
        })
        .filter(|(_, root)| disk::metadata(&root.path).is_ok_and(|found| found.is_dir()))
        .collect();
    // Folders with a valid name come first and keep it. Otherwise a folder whose name must be corrected
    // could take the name of another folder.
    sort_by_number(&mut plugins, |(folder, _)| {
        usize::from(SkillName::new(folder).is_err())
    });
    for (name, Root { path, .. }) in &mut plugins {
        *name = names.give_plugin(name, path, diagnostics);
    }
    sort_by_text(&mut plugins, |(name, _)| name.as_bytes());
    plugins
}
