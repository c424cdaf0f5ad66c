//! What can go wrong when a skill's files are read.

use std::fmt;

/// A skill's body or file that cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
    #[source]
    source: Option<std::io::Error>,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The skill has no such file.
    NotFound,
    /// The path leads out of the skill's folder.
    Escape,
    /// The file is larger than the limit.
    TooLarge,
    /// The skill on disk is no longer the one that was listed.
    Changed,
    /// The skill is switched off.
    Disabled,
    /// The host lacks what the skill needs.
    Ineligible,
    /// The skill's source is not trusted, or its files are no longer those that a person trusted.
    Untrusted,
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// The instructions are not UTF-8.
    NotUtf8,
    /// The operating system says no.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            source: None,
        }
    }

    #[cfg(feature = "discover")]
    pub(crate) fn io(message: impl fmt::Display, error: std::io::Error) -> Self {
        let kind = if error.kind() == std::io::ErrorKind::NotFound {
            ErrorKind::NotFound
        } else {
            ErrorKind::Io
        };
        Self {
            kind,
            message: format!("{message}: {error}"),
            source: Some(error),
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}
