//! The errors of reading and writing the files of a host.

use std::fmt;
use std::io;
use std::path::Path;

/// A failed operation. No file was changed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
    #[source]
    source: Option<io::Error>,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused the operation.
    Io,
    /// The file is damaged. It is not written before it is fixed or reset.
    Damaged,
    /// A newer version of this program wrote the file.
    Newer,
    /// A path is not UTF-8 and cannot be written as text.
    NotUtf8,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            source: None,
        }
    }

    pub(crate) fn io(path: &Path, what: &str, error: io::Error) -> Self {
        Self {
            kind: ErrorKind::Io,
            message: format!("{} {what}: {error}", path.display()),
            source: Some(error),
        }
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}
