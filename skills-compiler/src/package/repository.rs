//! What git ignores in the repository that a package is part of.

#![expect(clippy::disallowed_methods, reason = "asks what git would ignore")]

use crate::package::folders;
use crate::package::ignore::{Patterns, Skipped};
use skills_format::disk::{Folder, Refused, read_regular};
use skills_format::join;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Largest ignore file that is read. Only the first 64 KiB of its lines count.
const MAX_FILE: u64 = 1024 * 1024;
/// The file of patterns that are not shared with others, relative to the repository's root.
const EXCLUDE: &str = ".git/info/exclude";

/// A git repository, and where in it the package is.
pub(crate) struct Repository {
    root: PathBuf,
    package: String,
    /// The `.gitignore` of folders of the repository.
    ignored: BTreeMap<String, Patterns>,
    exclude: Patterns,
    /// Folders that were asked about.
    folders: BTreeMap<String, bool>,
    skipped: Vec<(PathBuf, Skipped)>,
}

impl Repository {
    /// The nearest repository above the package at `base`.
    pub(crate) fn of(base: &Path) -> Option<Self> {
        let root = base
            .ancestors()
            .find(|folder| folder.join(".git").exists())?;
        let parts = base.strip_prefix(root).ok()?.iter();
        let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
        let mut repository = Self {
            root: root.to_owned(),
            package: parts?.join("/"),
            ignored: BTreeMap::new(),
            exclude: Patterns::default(),
            folders: BTreeMap::new(),
            skipped: Vec::new(),
        };
        repository.exclude = repository.read(EXCLUDE);
        Some(repository)
    }

    /// Whether git ignores a file of the package, or a folder that holds it.
    pub(crate) fn ignores(&mut self, path: &str) -> bool {
        let path = join(&self.package, path);
        folders(&path).any(|folder| self.ignores_folder(folder)) || self.names(&path, false)
    }

    /// The lines of ignore files that were not read.
    pub(crate) fn skipped(self) -> Vec<(PathBuf, Skipped)> {
        self.skipped
    }

    fn ignores_folder(&mut self, folder: &str) -> bool {
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        let is_ignored = self.names(folder, true);
        self.folders.insert(folder.to_owned(), is_ignored);
        is_ignored
    }

    /// The `.gitignore` nearest to a path that says something about it decides, then the exclude file.
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
        self.exclude.names(path, is_folder).unwrap_or(false)
    }

    fn patterns(&mut self, folder: &str) -> &Patterns {
        if !self.ignored.contains_key(folder) {
            let patterns = self.read(&join(folder, ".gitignore"));
            self.ignored.insert(folder.to_owned(), patterns);
        }
        self.ignored.entry(folder.to_owned()).or_default()
    }

    /// Reads an ignore file. As in git, no link is followed.
    fn read(&mut self, path: &str) -> Patterns {
        let (bytes, fault) = match bytes(&self.root, path) {
            Ok(bytes) => (bytes, None),
            Err(error) => {
                let is_absent = matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                );
                let fault = (!is_absent).then(|| Skipped::file(&error.to_string()));
                (Vec::new(), fault)
            }
        };
        let (patterns, skipped) = Patterns::parse_file(&bytes);
        let skipped = fault.into_iter().chain(skipped);
        let file = self.root.join(path);
        self.skipped
            .extend(skipped.map(|skipped| (file.clone(), skipped)));
        patterns
    }
}

fn bytes(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let opened = Folder::open(root)?.file_below(Path::new(path));
    match opened {
        Ok(file) => read_regular(&file, MAX_FILE),
        Err(Refused::Io(error)) => Err(error),
        Err(refused) => Err(refused.into()),
    }
}
