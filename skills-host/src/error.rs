//! What can go wrong when a file of the host is read or written.

use std::fmt;
use std::io;
use std::path::Path;

/// An operation that failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
    #[source]
    source: Option<io::Error>,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system says no.
    Io,
    /// A newer version of this program wrote the file.
    Newer,
    /// It cannot be written as text.
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

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}
