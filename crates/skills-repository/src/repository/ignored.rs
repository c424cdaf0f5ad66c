//! The items of a walked folder that git ignores.

use crate::git::patterns::Skipped;
use crate::git::repository::GitRepository;
use crate::repository::start::{Start, slashed};
use skills_format::disk::Folder;
use skills_format::{Diagnostic, RuleId, Severity, join};
use std::path::Path;

/// The ignore files of a walk, and of the folders above the walked folder.
pub(crate) struct Ignored {
    start: Start,
    /// The path of the walked folder in the repository.
    walked: String,
    git: GitRepository,
}

impl Ignored {
    pub(crate) fn new(start: &Start) -> Self {
        let walked = start.walked();
        let mut git = GitRepository::at(&start.root);
        git.enter_above(&walked);
        git.name(&walked);
        for asked in start.asked.iter().filter(|asked| !asked.is_empty()) {
            git.name(&join(&walked, asked));
        }
        Self {
            start: start.clone(),
            walked,
            git,
        }
    }

    /// Reads the ignore file of a folder during the walk.
    pub(crate) fn enter(&mut self, folder: &Folder, path: &str, has_file: bool) {
        self.git.enter(folder, &join(&self.walked, path), has_file);
    }

    /// Returns whether the walk leaves an item out: git ignores the item, and tracks nothing in it.
    pub(crate) fn leaves_out(&mut self, path: &str, is_folder: bool) -> bool {
        self.git.ignores(&join(&self.walked, path), is_folder)
    }

    /// Returns whether a walk would see a file, by the ignore files above it.
    pub(crate) fn is_seen(&mut self, path: &str) -> bool {
        let path = join(&self.walked, path);
        self.git.enter_above(&path);
        !self.git.ignores(&path, false)
    }

    /// Returns findings for the skipped lines of ignore files.
    pub(crate) fn end(self) -> Vec<Diagnostic> {
        let skipped = self.git.skipped().into_iter();
        let findings = skipped.map(|(file, skipped)| finding(&self.start, &file, &skipped));
        findings.collect()
    }
}

/// Returns the finding for a part of git's files that was skipped.
pub(crate) fn finding(start: &Start, file: &Path, skipped: &Skipped) -> Diagnostic {
    let mut above = start.on_disk.ancestors().enumerate();
    let below = above.find_map(|(up, folder)| Some((up, file.strip_prefix(folder).ok()?)));
    let (up, below) = below.unwrap_or((0, file));
    let path = join(&start.shown_above(up), &slashed(below));
    skipped.finding(RuleId::IgnoreForm, Severity::Warning, path)
}
