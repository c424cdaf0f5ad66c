//! What git ignores: the ignore files of a repository, and the files that git tracks all the same.

#![expect(
    clippy::disallowed_methods,
    reason = "reads the ignore files of the repository"
)]

use crate::package::ignore::{Patterns, Skipped};
use crate::repository::index::{self, Index};
use crate::repository::start::{Start, is_in_package, slashed};
use skills_format::disk::{Folder, read_regular};
use skills_format::{Diagnostic, RuleId, Severity, Span, join};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest ignore file that is read.
const MAX_FILE: u64 = 1024 * 1024;
const FILE: &str = ".gitignore";

/// The ignore files that a walk has met. The user's own are not read.
pub(crate) struct Ignored {
    /// The path of the walked folder in the repository.
    walked: String,
    /// The shown path of the walked folder.
    shown: String,
    is_package: bool,
    root: PathBuf,
    /// The patterns of the folders that have an ignore file, by the path in the repository.
    patterns: BTreeMap<String, Patterns>,
    exclude: Patterns,
    /// The files that git tracks, read when something is ignored.
    index: Option<Index>,
    skipped: Vec<(String, Skipped)>,
}

impl Ignored {
    pub(crate) fn new(start: &Start) -> Self {
        let walked = start.on_disk.strip_prefix(&start.root).ok();
        let mut ignored = Self {
            walked: walked.map(slashed).unwrap_or_default(),
            shown: start.shown.clone(),
            is_package: is_in_package(&start.on_disk),
            root: start.root.clone(),
            patterns: BTreeMap::new(),
            exclude: Patterns::default(),
            index: None,
            skipped: Vec::new(),
        };
        if let Some(git) = index::shared_folder(&start.root) {
            let bytes = std::fs::read(git.join("info/exclude")).unwrap_or_default();
            ignored.exclude = Patterns::parse_file(&bytes).0;
        }
        let mut folder = start.root.clone();
        let mut path = String::new();
        for part in ignored
            .walked
            .clone()
            .split('/')
            .filter(|part| !part.is_empty())
        {
            if let Ok(open) = Folder::open(&folder) {
                ignored.read(&open, &path);
            }
            folder.push(part);
            path = join(&path, part);
        }
        ignored
    }

    /// Reads the ignore file of a folder that is walked.
    pub(crate) fn enter(&mut self, folder: &Folder, path: &str, has_file: bool) {
        if has_file {
            let path = join(&self.walked, path);
            self.read(folder, &path);
        }
    }

    fn read(&mut self, folder: &Folder, path: &str) {
        let Ok(file) = folder.file_below(Path::new(FILE)) else {
            return;
        };
        let (patterns, skipped) = match read_regular(&file, MAX_FILE) {
            Ok(bytes) => Patterns::parse_file(&bytes),
            Err(error) => (Patterns::default(), vec![Skipped::file(&error.to_string())]),
        };
        // A package reports the lines that are skipped by itself.
        if let Some(below) = below(&self.walked, path).filter(|_| !self.is_package) {
            let shown = join(&join(&self.shown, below), FILE);
            let skipped = skipped.into_iter();
            self.skipped
                .extend(skipped.map(|skipped| (shown.clone(), skipped)));
        }
        self.patterns.insert(path.to_owned(), patterns);
    }

    /// Whether an item of a folder that is walked is left out: git ignores it, and tracks nothing in it.
    pub(crate) fn leaves_out(&mut self, path: &str, is_folder: bool) -> bool {
        let path = join(&self.walked, path);
        self.names(&path, is_folder) && !self.is_tracked(&path)
    }

    /// The nearest ignore file that says something about a path decides, then the exclude file.
    fn names(&self, path: &str, is_folder: bool) -> bool {
        let of = |holder: &str, inner: &str| self.patterns.get(holder)?.names(inner, is_folder);
        let folders = path.rmatch_indices('/');
        let mut named = folders.filter_map(|(at, _)| of(path.get(..at)?, path.get(at + 1..)?));
        let named = if self.patterns.is_empty() {
            None
        } else {
            named.next()
        };
        named
            .or_else(|| of("", path))
            .or_else(|| self.exclude.names(path, is_folder))
            .unwrap_or(false)
    }

    /// Without an index that can be read, an ignored file counts as ignored.
    fn is_tracked(&mut self, path: &str) -> bool {
        let root = &self.root;
        let index = self
            .index
            .get_or_insert_with(|| Index::read(root).unwrap_or_default());
        index.tracks(path)
    }

    /// The lines of ignore files that were skipped.
    pub(crate) fn end(self) -> Vec<Diagnostic> {
        let finding = |(path, skipped): (String, Skipped)| {
            Diagnostic::new(
                RuleId::IgnoreForm,
                Severity::Warning,
                path,
                &skipped.message,
            )
            .at(&skipped.text, Span::at(skipped.offset))
            .help("the other lines hold; shorten it, or write it as git reads it")
        };
        self.skipped.into_iter().map(finding).collect()
    }
}

/// The part of a path below a folder; `None` when it is above.
fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    match folder {
        "" => Some(path),
        folder => Some(path.strip_prefix(folder)?.trim_start_matches('/')),
    }
}
