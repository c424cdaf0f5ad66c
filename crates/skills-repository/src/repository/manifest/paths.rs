//! The paths that a manifest names, on the disk.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the files that a manifest names"
)]

use skills_format::disk::read_text;
use skills_format::join;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The walked folder, for looking up paths below it. Nothing is opened.
pub(crate) struct Paths<'p> {
    root: &'p Path,
    /// The root without links. `None`: the root cannot be resolved, and no path is inside.
    resolved: Option<PathBuf>,
}

impl<'p> Paths<'p> {
    pub(crate) fn new(root: &'p Path) -> Self {
        Self {
            root,
            resolved: root.canonicalize().ok(),
        }
    }

    /// Joins a path to a folder. Returns `None` if the path is absolute or leads out of the folder, by `..` or
    /// by a link.
    pub(super) fn inside(&self, folder: &str, path: &str) -> Option<String> {
        let is_absolute =
            path.starts_with(['/', '\\', '~']) || path.as_bytes().get(1) == Some(&b':');
        let mut parts = path.split(['/', '\\']);
        if is_absolute || path.contains('\0') || parts.any(|part| part == "..") {
            return None;
        }
        let parts = path
            .split(['/', '\\'])
            .filter(|part| !matches!(*part, "" | "."));
        let joined = join(folder, &parts.collect::<Vec<_>>().join("/"));
        let place = self.root.join(&joined);
        match (place.canonicalize(), self.root.join(folder).canonicalize()) {
            (Ok(place), Ok(folder)) => {
                let is_inside = place.starts_with(&folder)
                    && self
                        .resolved
                        .as_ref()
                        .is_some_and(|root| place.starts_with(root));
                is_inside.then_some(joined)
            }
            // A path that does not exist is reported as missing.
            _ => Some(joined),
        }
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        self.root.join(path).is_dir()
    }

    pub(super) fn is_file(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    /// Reads a small text file. A link out of its folder is not followed.
    pub(super) fn text(&self, path: &str) -> io::Result<String> {
        read_text(&self.root.join(path))
    }
}

/// Returns whether a file was not read because it does not exist.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
