//! The manifests and the paths that they name, on the disk.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the files that a manifest names"
)]

use crate::repository::start::Start;
use skills_format::disk::Folder;
use skills_format::join;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The walked folder, for looking up paths below it.
pub(crate) struct Paths<'p> {
    start: &'p Start,
    /// The walked folder without links. `None`: it cannot be resolved, and no path is inside.
    resolved: Option<PathBuf>,
}

impl<'p> Paths<'p> {
    pub(crate) fn new(start: &'p Start) -> Self {
        Self {
            start,
            resolved: start.on_disk.canonicalize().ok(),
        }
    }

    fn on_disk(&self, path: &str) -> PathBuf {
        self.start.on_disk.join(path)
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
        let (place, folder) = (self.on_disk(&joined), self.on_disk(folder));
        match (place.canonicalize(), folder.canonicalize()) {
            (Ok(place), Ok(folder)) => {
                let root = self.resolved.as_ref()?;
                (place.starts_with(&folder) && place.starts_with(root)).then_some(joined)
            }
            // A path that does not exist is reported as missing.
            _ => Some(joined),
        }
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.on_disk(path).exists()
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        self.on_disk(path).is_dir()
    }

    /// Reads a small text file. A link is followed if it stays in the repository.
    pub(crate) fn text(&self, path: &str) -> io::Result<String> {
        let file = self.on_disk(path);
        let root = if self.start.is_git {
            &self.start.root
        } else {
            &self.start.on_disk
        };
        match file.strip_prefix(root) {
            Ok(inside) => Folder::open(root)?.text(inside),
            Err(_) => Folder::open(&self.start.on_disk)?.text(Path::new(path)),
        }
    }
}

/// Returns whether a file was not read because it does not exist.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
