//! The findings with paths from the root of the git repository.

// GitHub and the readers of SARIF know a file by its path in the repository, and a baseline must say the same in every
// working folder. What a person reads has paths from the working folder.

use crate::commands::check::findings::Findings;
use skills_format::Diagnostic;
use skills_format::disk::read_regular;
use skills_lint::MAX_FILE;
use skills_repository::repository::Repository;
use std::path::Path;

impl Findings {
    /// Returns the root of the git repository that is checked. Returns `None` outside of a repository, and if several are
    /// checked: two files would have one path.
    pub(super) fn root(&self) -> Option<&Path> {
        let mut roots = self.repositories.iter().map(Repository::root);
        let first = roots.next()??;
        roots.all(|root| root == Some(first)).then_some(first)
    }

    /// Returns the path from the root of the repository of a printed path. Returns `None` where no
    /// [`root`](Findings::root) is known.
    pub(super) fn rooted_path(&self, shown: &str) -> Option<String> {
        self.root()?;
        let folder = self.working_folder.as_deref();
        let mut repositories = self.repositories.iter();
        repositories.find_map(|repository| repository.rooted_path(shown, folder))
    }

    /// Returns findings with paths from the root of the repository.
    pub(super) fn rooted(&self, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
        let from_root = |shown: &str| self.rooted_path(shown).unwrap_or_else(|| shown.to_owned());
        let rooted = |diagnostic: &Diagnostic| {
            let mut diagnostic = diagnostic.clone();
            diagnostic.path = from_root(&diagnostic.path);
            diagnostic.message = diagnostic.message.with_paths(from_root).into();
            diagnostic.help = diagnostic.help.with_paths(from_root).into();
            diagnostic
        };
        diagnostics.iter().map(rooted).collect()
    }

    /// Reads the present file of a finding of [`rooted`](Findings::rooted).
    pub(super) fn rooted_source(&self, path: &str) -> Option<Vec<u8>> {
        let repositories = self.root().map_or(&[][..], |_| &self.repositories);
        let below = repositories.iter().find_map(|repository| {
            let inside = repository.unrooted(path)?;
            let file = repository.folder.file_below(Path::new(&inside)).ok()?;
            read_regular(&file, MAX_FILE).ok()
        });
        below.or_else(|| self.source(path))
    }
}
