//! Open folders where there is no `openat`: by path.
//!
//! A path that must stay below a folder is resolved by the system before it is opened and once more
//! after; between the two a link could be swapped in. On POSIX systems `disk.rs` leaves no such
//! moment.

#![expect(clippy::disallowed_methods, reason = "discovery reads folders")]

use crate::disk::{Item, Kind, Look, Refused};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};

/// A folder, by its path.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

/// The path with every link resolved: what a folder is, by whatever path.
pub(crate) type Identity = PathBuf;

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Folder {
    /// Opens a folder by a path that is trusted to lead where it should.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Opens a folder relative to this one, following links wherever they lead.
    pub(crate) fn folder(&self, path: &Path) -> io::Result<Self> {
        Self::open(&self.0.join(path))
    }

    /// Opens a file relative to this folder, following links wherever they lead.
    pub(crate) fn file(&self, path: &Path) -> io::Result<File> {
        File::open(self.0.join(path))
    }

    /// Opens a folder below this one, following links as far as they stay below it.
    pub(crate) fn folder_within(&self, path: &Path) -> Result<Self, Refused> {
        self.check(path)?;
        Ok(self.folder(path)?)
    }

    /// Opens a file below this folder, following links as far as they stay below it.
    pub(crate) fn file_within(&self, path: &Path) -> Result<File, Refused> {
        self.check(path)?;
        let file = self.file(path)?;
        self.check(path)?;
        Ok(file)
    }

    fn check(&self, path: &Path) -> Result<(), Refused> {
        let leads_out = |component| !matches!(component, Component::Normal(_) | Component::CurDir);
        if path.components().any(leads_out) {
            return Err(Refused::Escape);
        }
        let base = fs::canonicalize(&self.0)?;
        if fs::canonicalize(self.0.join(path))?.starts_with(&base) {
            Ok(())
        } else {
            Err(Refused::Escape)
        }
    }

    /// What is in the folder, in the order of the names' bytes: at most `limit` names.
    pub(crate) fn items(&self, limit: usize) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for entry in fs::read_dir(&self.0)?.take(limit) {
            let entry = entry?;
            let kind = match entry.file_type() {
                Ok(kind) if kind.is_symlink() => Kind::Link,
                Ok(kind) if kind.is_dir() => Kind::Folder,
                _ => Kind::Other,
            };
            items.push(Item {
                name: entry.file_name(),
                kind,
            });
        }
        items.sort_by(|a, b| a.name.as_encoded_bytes().cmp(b.name.as_encoded_bytes()));
        Ok(items)
    }

    /// What a name stands for, links not followed.
    pub(crate) fn look(&self, name: &Path) -> io::Result<Look> {
        Ok(Look::of(&fs::symlink_metadata(self.0.join(name))?))
    }
}

/// What folder a path leads to.
pub(crate) fn identity(path: &Path) -> io::Result<Identity> {
    fs::canonicalize(path)
}

/// What a path leads to.
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// A path with every link resolved, where it leads to something.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads bytes at a place of a file.
pub(crate) fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// What tells one version of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    len: u64,
    modified: i64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: crate::disk::modified(metadata),
        }
    }

    /// Seconds and nanoseconds since 1970 at which the file last became another.
    pub(crate) fn time(&self) -> (i64, i64) {
        const SECOND: i64 = 1_000_000_000;
        (
            self.modified.div_euclid(SECOND),
            self.modified.rem_euclid(SECOND),
        )
    }
}

/// Whether the error says that what was read is no file with bytes.
pub(crate) fn is_not_a_file(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::IsADirectory
}
