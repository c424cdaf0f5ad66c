//! A git repository, and the paths that git ignores in it.

use crate::git::folder::{bytes, bytes_below, shared_folder};
use crate::git::index::Index;
use crate::git::patterns::{Patterns, Skipped};
use skills_format::disk::{Folder, is_absent};
use skills_format::join;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum size of an ignore file. Only the first 64 KiB of its lines count.
const MAX_FILE: u64 = 1024 * 1024;
const FILE: &str = ".gitignore";
/// The repository's own unshared patterns, in the git folder that worktrees share.
const EXCLUDE: &str = "info/exclude";

/// A git repository. Paths are relative to its root. The user's global ignore file is not read.
pub(crate) struct GitRepository {
    root: PathBuf,
    /// The patterns of each folder that has an ignore file.
    patterns: BTreeMap<String, Patterns>,
    /// Folders whose ignore file [`GitRepository::enter_above`] has already read.
    looked: BTreeSet<String>,
    exclude: Patterns,
    /// The folders checked so far, each with `true` if it is ignored.
    folders: BTreeMap<String, bool>,
    /// The tracked files, read at the first ignored path.
    index: Option<Index>,
    skipped: Vec<(PathBuf, Skipped)>,
}

impl GitRepository {
    /// Opens the repository at a root.
    pub(crate) fn at(root: &Path) -> Self {
        let mut repository = Self {
            root: root.to_owned(),
            patterns: BTreeMap::new(),
            looked: BTreeSet::new(),
            exclude: Patterns::default(),
            folders: BTreeMap::new(),
            index: None,
            skipped: Vec::new(),
        };
        if let Some(git) = shared_folder(root) {
            let read = bytes(&git, EXCLUDE, MAX_FILE);
            repository.exclude = repository.parse(&git.join(EXCLUDE), read);
        }
        repository
    }

    /// Reads the ignore file of a folder during a walk.
    pub(crate) fn enter(&mut self, folder: &Folder, path: &str, has_file: bool) {
        if has_file {
            self.add(path, bytes_below(folder, FILE, MAX_FILE));
        }
    }

    /// Reads the ignore files of all folders above a path.
    pub(crate) fn enter_above(&mut self, path: &str) {
        let root = (!path.is_empty()).then_some("");
        for folder in root.into_iter().chain(folders(path)) {
            if self.looked.insert(folder.to_owned()) {
                let read = bytes(&self.root, &join(folder, FILE), MAX_FILE);
                self.add(folder, read);
            }
        }
    }

    /// Marks a folder, and all folders above it, as not ignored: the user has named the folder.
    pub(crate) fn name(&mut self, folder: &str) {
        for folder in std::iter::once("").chain(folders(folder)).chain([folder]) {
            self.folders.insert(folder.to_owned(), false);
        }
    }

    /// Returns whether git ignores an item by the ignore files read so far. A tracked item, or a folder with a
    /// tracked item, is not ignored.
    pub(crate) fn ignores(&mut self, path: &str, is_folder: bool) -> bool {
        let above = path.rsplit_once('/').map(|(above, _)| above);
        // As in git, `!` does not re-include an item of an ignored folder.
        let is_ignored = above.is_some_and(|above| self.ignores_folder(above));
        (is_ignored || self.names(path, is_folder)) && !self.tracks(path)
    }

    /// Returns the skipped lines and the unreadable files, each with the path of its file.
    pub(crate) fn skipped(self) -> Vec<(PathBuf, Skipped)> {
        self.skipped
    }

    /// Returns whether a pattern matches a folder, or a folder above it.
    fn ignores_folder(&mut self, path: &str) -> bool {
        if let Some(known) = self.folders.get(path) {
            return *known;
        }
        let mut is_ignored = false;
        for folder in folders(path).chain([path]) {
            is_ignored = match self.folders.get(folder) {
                Some(known) => *known,
                None => is_ignored || self.names(folder, true),
            };
            self.folders.insert(folder.to_owned(), is_ignored);
        }
        is_ignored
    }

    /// Matches a path. The nearest ignore file with a matching pattern decides, then the exclude file.
    fn names(&self, path: &str, is_folder: bool) -> bool {
        let of = |holder: &str, inner: &str| self.patterns.get(holder)?.names(inner, is_folder);
        let holders = path.rmatch_indices('/');
        let mut named = holders.filter_map(|(at, _)| of(path.get(..at)?, path.get(at + 1..)?));
        let named = if self.patterns.is_empty() {
            None
        } else {
            named.next().or_else(|| of("", path))
        };
        named
            .or_else(|| self.exclude.names(path, is_folder))
            .unwrap_or(false)
    }

    /// Returns whether git tracks a path. Without a readable index nothing is tracked, so ignored files stay ignored.
    fn tracks(&mut self, path: &str) -> bool {
        if self.index.is_none() {
            let (index, fault) = match Index::read(&self.root) {
                Ok(index) => (index, None),
                Err((_, error)) if is_absent(&error) => (Index::default(), None),
                Err(fault) => (Index::default(), Some(fault)),
            };
            let fault = fault.map(|(path, error)| (path, Skipped::index(&error.to_string())));
            self.skipped.extend(fault);
            self.index = Some(index);
        }
        self.index.as_ref().is_some_and(|index| index.tracks(path))
    }

    fn add(&mut self, folder: &str, read: io::Result<Vec<u8>>) {
        if read.as_ref().is_err_and(is_absent) {
            return;
        }
        let patterns = self.parse(&self.root.join(folder).join(FILE), read);
        self.patterns.insert(folder.to_owned(), patterns);
    }

    fn parse(&mut self, file: &Path, read: io::Result<Vec<u8>>) -> Patterns {
        let (patterns, skipped) = match read {
            Ok(bytes) => Patterns::parse_file(&bytes),
            Err(error) if is_absent(&error) => return Patterns::default(),
            Err(error) => (Patterns::default(), vec![Skipped::file(&error.to_string())]),
        };
        let skipped = skipped.into_iter();
        self.skipped
            .extend(skipped.map(|skipped| (file.to_owned(), skipped)));
        patterns
    }
}

/// Returns the folders above a path, the outermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
