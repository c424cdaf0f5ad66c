//! A repository, and what git ignores in it.

#![expect(clippy::disallowed_methods, reason = "looks for the repository")]

use crate::git::folder::{bytes, bytes_below, shared_folder};
use crate::git::index::Index;
use crate::git::patterns::{Patterns, Skipped};
use skills_format::disk::Folder;
use skills_format::join;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// Largest ignore file that is read. Only the first 64 KiB of its lines count.
const MAX_FILE: u64 = 1024 * 1024;
const FILE: &str = ".gitignore";
/// The file of patterns that are not shared with others, in the folder that worktrees share.
const EXCLUDE: &str = "info/exclude";

/// A repository. The ignore files of the person are not read. Paths count from its root.
pub(crate) struct Repository {
    root: PathBuf,
    /// The patterns of the folders that have an ignore file.
    patterns: BTreeMap<String, Patterns>,
    /// The folders whose ignore files were looked for without a walk.
    looked: BTreeSet<String>,
    exclude: Patterns,
    /// Folders that were asked about, and whether a pattern ignores them.
    folders: BTreeMap<String, bool>,
    /// The files that git tracks, read when something is ignored.
    index: Option<Index>,
    skipped: Vec<(PathBuf, Skipped)>,
}

impl Repository {
    /// The nearest repository that a folder is in.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let mut above = folder.ancestors();
        Some(Self::at(above.find(|folder| folder.join(".git").exists())?))
    }

    /// The repository with this root.
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

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the ignore file of a folder that is walked.
    pub(crate) fn enter(&mut self, folder: &Folder, path: &str, has_file: bool) {
        if has_file {
            self.add(path, bytes_below(folder, FILE, MAX_FILE));
        }
    }

    /// Reads the ignore files of the folders that hold a path.
    pub(crate) fn enter_above(&mut self, path: &str) {
        let root = (!path.is_empty()).then_some("");
        for folder in root.into_iter().chain(folders(path)) {
            if self.looked.insert(folder.to_owned()) {
                let read = bytes(&self.root, &join(folder, FILE), MAX_FILE);
                self.add(folder, read);
            }
        }
    }

    /// What a person names is not ignored: neither the folder nor the folders above it.
    pub(crate) fn name(&mut self, folder: &str) {
        for folder in std::iter::once("").chain(folders(folder)).chain([folder]) {
            self.folders.insert(folder.to_owned(), false);
        }
    }

    /// Whether git ignores an item, by the ignore files that were entered, and tracks neither it nor anything
    /// in it.
    pub(crate) fn ignores(&mut self, path: &str, is_folder: bool) -> bool {
        let above = path.rsplit_once('/').map(|(above, _)| above);
        // Nothing in an ignored folder can be named again by `!`.
        let is_ignored = above.is_some_and(|above| self.ignores_folder(above));
        (is_ignored || self.names(path, is_folder)) && !self.tracks(path)
    }

    /// The lines of ignore files, and the files, that were not read.
    pub(crate) fn skipped(self) -> Vec<(PathBuf, Skipped)> {
        self.skipped
    }

    /// Whether a pattern names a folder, or a folder above it.
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

    /// The nearest ignore file that says something about a path decides, then the exclude file.
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

    /// Without an index that can be read, an ignored file counts as ignored.
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

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Lists the folders above a path, the outermost first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}
