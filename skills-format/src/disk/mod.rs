//! Open folders and files. What is opened relative to an open folder cannot lead out of it.
//!
//! A [`Folder`] stays the same folder when its path leads elsewhere. Files are written whole, by a new
//! file that is renamed: [`Folder::replace`], [`Folder::make`].

mod bytes;
mod new;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod posix;

pub use bytes::{read_regular, read_text};

#[cfg(not(unix))]
pub use portable::*;
#[cfg(unix)]
pub use posix::*;

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

impl Folder {
    /// Opens a folder below this one. A link is refused, wherever it leads.
    pub fn folder_below(&self, path: &Path) -> Result<Self, Refused> {
        let mut folder = self.again().map_err(Refused::Io)?;
        for component in path.components() {
            match component {
                Component::Normal(name) => folder = folder.child(name)?,
                Component::CurDir => {}
                _ => return Err(Refused::Escape),
            }
        }
        Ok(folder)
    }

    /// Opens a file below this folder. A link is refused, wherever it leads.
    pub fn file_below(&self, path: &Path) -> Result<File, Refused> {
        let name = path.file_name().ok_or(Refused::Escape)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        self.folder_below(folder)?.child_file(name)
    }
}

/// Resolves every link of a path. A path that cannot be resolved is returned unchanged.
pub fn resolved(path: &Path) -> PathBuf {
    resolve(path).unwrap_or_else(|_| path.to_owned())
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The name in the folder.
    pub name: OsString,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of an item in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A file with bytes.
    File,
    /// A pipe, a socket, a device, or an item whose kind is unknown.
    Other,
}

/// Why a path was not opened.
#[derive(Debug)]
pub enum Refused {
    /// The path leads out of the folder.
    Escape,
    /// The system's error.
    Io(io::Error),
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Escape => Self::other("it leads out of the folder"),
            Refused::Io(error) => error,
        }
    }
}

/// The kind, length and time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// Whether it is a file with bytes.
    pub is_file: bool,
    /// Its length in bytes.
    pub len: u64,
    /// When the file was last written, in nanoseconds since 1970.
    pub modified: i64,
}

impl FileStat {
    /// Takes the facts from the metadata of an open file.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            is_file: metadata.is_file(),
            len: metadata.len(),
            modified: modified(metadata),
        }
    }
}

/// When the file was last written, in nanoseconds since 1970; 0 when that is unknown.
pub fn modified(metadata: &Metadata) -> i64 {
    let nanoseconds = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    match metadata
        .modified()
        .map(|time| time.duration_since(UNIX_EPOCH))
    {
        Ok(Ok(after)) => nanoseconds(after),
        Ok(Err(before)) => -nanoseconds(before.duration()),
        Err(_) => 0,
    }
}

/// Whether the error says that a part of the path is not a folder.
pub fn is_not_a_folder(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory
}
