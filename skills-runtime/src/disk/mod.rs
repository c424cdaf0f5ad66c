//! Open folders and files. A path is opened relative to an open folder, and cannot lead out of it.

#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod posix;
pub(crate) mod stamp;

#[cfg(not(unix))]
pub(crate) use portable::*;
#[cfg(unix)]
pub(crate) use posix::*;

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::time::{Duration, UNIX_EPOCH};

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) name: OsString,
    pub(crate) kind: Kind,
}

/// The kind of an item in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    Link,
    /// A file, a pipe, a device, or an item whose kind is unknown.
    Other,
}

/// Why a path was not opened.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The path leads out of the folder.
    Escape,
    Io(io::Error),
}

/// The kind, length and time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStat {
    pub(crate) is_file: bool,
    pub(crate) len: u64,
    /// When the file was last written, in nanoseconds since 1970.
    pub(crate) modified: i64,
}

impl FileStat {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            is_file: metadata.is_file(),
            len: metadata.len(),
            modified: modified(metadata),
        }
    }
}

/// When the file was last written, in nanoseconds since 1970; 0 when that is unknown.
pub(crate) fn modified(metadata: &Metadata) -> i64 {
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
pub(crate) fn is_not_a_folder(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory
}
