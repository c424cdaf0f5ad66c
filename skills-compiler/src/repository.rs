//! Finds what git ignores in the repository around a package.

#![expect(clippy::disallowed_methods, reason = "asks what git would ignore")]

use crate::ignore::Patterns;
use skills_format::{join, read_text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A git repository, and the place of the package in it.
pub(crate) struct Repository {
    root: PathBuf,
    package: String,
    /// The `.gitignore` files of the repository, by folder.
    ignored: BTreeMap<String, Patterns>,
}

impl Repository {
    /// Finds the nearest repository above the package at `base`.
    pub(crate) fn of(base: &Path) -> Option<Self> {
        let root = base
            .ancestors()
            .find(|folder| folder.join(".git").exists())?;
        let parts = base.strip_prefix(root).ok()?.iter();
        let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
        Some(Self {
            root: root.to_owned(),
            package: parts?.join("/"),
            ignored: BTreeMap::new(),
        })
    }

    /// Whether git ignores a file of the package, or a folder that contains it.
    pub(crate) fn ignores(&mut self, path: &str) -> bool {
        let path = join(&self.package, path);
        let mut above = folders(&path)
            .map(|folder| (folder, true))
            .collect::<Vec<_>>();
        above.push((&path, false));
        above
            .into_iter()
            .any(|(path, is_folder)| self.names(path, is_folder))
    }

    /// Whether git ignores a path. The nearest `.gitignore` that mentions the path decides.
    fn names(&mut self, path: &str, is_folder: bool) -> bool {
        let mut holders: Vec<&str> = std::iter::once("").chain(folders(path)).collect();
        holders.reverse();
        for holder in holders {
            let inner = path
                .strip_prefix(holder)
                .unwrap_or(path)
                .trim_start_matches('/');
            if let Some(named) = self.patterns(holder).names(inner, is_folder) {
                return named;
            }
        }
        false
    }

    fn patterns(&mut self, folder: &str) -> &Patterns {
        let root = &self.root;
        self.ignored.entry(folder.to_owned()).or_insert_with(|| {
            let text = read_text(&root.join(folder).join(".gitignore"));
            Patterns::parse(text.unwrap_or_default().lines())
        })
    }
}

/// Lists the folders above a path, the outermost first.
pub(crate) fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
