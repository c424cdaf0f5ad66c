//! The errors of reading and writing the files of a host.

use skills_format::text::distance::nearest;
use skills_format::text::path::PathText as _;
use std::fmt;
use std::io;
use std::path::Path;

/// A failed operation. No file was changed.
///
/// `{}` shows the error without its cause, which is its [`source`](std::error::Error::source): whatever prints the chain
/// prints the cause once. `{:#}` shows the chain on one line.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    help: Option<String>,
    source: Option<io::Error>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(cause) if f.alternate() => write!(f, ": {cause}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.source.as_ref()?;
        Some(source)
    }
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused the operation.
    Io,
    /// A file holds something else than it should. It is not written before it is fixed or reset.
    Damaged,
    /// A newer version of this program wrote the file.
    Newer,
    /// A path is not UTF-8 and cannot be written as text.
    NotUtf8,
    /// The words of a source, a revision or a path are not valid.
    Usage,
    /// The asked-for thing is not there.
    NotFound,
    /// The operation would lose something, or what it got is not safe.
    Refused,
    /// What is on disk is not what the lock names.
    Differs,
    /// Another program failed.
    Program,
    /// A person stopped the operation.
    Cancelled,
    /// A file or folder cannot be renamed to its place: the place is on another file system, or a lower
    /// layer of overlayfs holds the folder.
    CrossesDevices,
}

impl Error {
    /// An error without a cause.
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: format!("{message:#}"),
            help: None,
            source: None,
        }
    }

    /// An error of the system about a path. `what` continues the sentence that the path begins: `cannot be read`.
    pub fn io(path: &Path, what: &str, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::CrossesDevices => ErrorKind::CrossesDevices,
            _ => ErrorKind::Io,
        };
        Self {
            kind,
            message: format!("{} {what}", path.shown()),
            help: None,
            source: Some(error),
        }
    }

    /// Whether the system said that something is not there.
    pub fn is_not_found(&self) -> bool {
        let source = self.source.as_ref();
        source.is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl fmt::Display) -> Self {
        self.help = Some(help.to_string());
        self
    }

    /// Asks for the nearest of the known names, if one is near, in the place of another help.
    #[must_use]
    pub fn did_you_mean<'n>(self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        match nearest(name, known) {
            Some(near) => self.help(format_args!("Did you mean {near}?")),
            None => self,
        }
    }

    /// What to do about it, where that is known.
    pub fn remedy(&self) -> Option<&str> {
        let of_kind = match self.kind {
            // Neither free space nor other rights help here.
            ErrorKind::NotUtf8 => Some("rename the folder or the file so that its path is UTF-8"),
            _ => None,
        };
        self.help.as_deref().or(of_kind)
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn a_chain_says_the_cause_once() {
        let error = Error::io(
            Path::new("a"),
            "cannot be read",
            io::Error::other("no disk"),
        );
        let cause = error.source().expect("a cause").to_string();
        assert_eq!(format!("{error}: {cause}"), "a cannot be read: no disk");
        assert_eq!(format!("{error:#}"), "a cannot be read: no disk");
    }
}
