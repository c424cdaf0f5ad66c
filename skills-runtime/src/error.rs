//! The error of the crate.

use skills_format::{Prose, prose};
use std::fmt;
use std::sync::Arc;

/// The error of a skill that cannot be started, or of a file that cannot be read.
///
/// `{}` shows the error without its cause. [`source`](std::error::Error::source) returns the cause, so a
/// program that prints the chain prints the cause once. `{:#}` shows the chain on one line, and so does `{:?}`: a `main`
/// that returns the error prints what a person reads.
#[derive(Clone)]
pub struct Error {
    kind: ErrorKind,
    message: Prose,
    source: Option<Arc<std::io::Error>>,
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

/// Writes the chain on one line: a `main` that returns the error prints it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#}")
    }
}

/// Returns the error with its cause, on one line.
impl From<&Error> for Prose {
    fn from(error: &Error) -> Self {
        match &error.source {
            Some(cause) => prose!("{}: {cause}", &error.message),
            None => error.message.clone(),
        }
    }
}

// Written manually: a derived `source` would return the `Arc`, and a downcast to `io::Error` would fail.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, the skill or the source does not exist. A path that leads out of the skill's folder names no file of it.
    NotFound,
    /// The skill's source is not trusted, or its files have changed since a person trusted them.
    Untrusted,
    /// The arguments do not fit the types that the skill gives them.
    Arguments,
    /// The `arguments.schema.json` of the skill has a fault, so the types of its arguments are not known.
    Schema,
    /// The skill or the file cannot be used now. The message says why: the skill is disabled, has changed since it was
    /// listed or needs what the host does not have, the id names none that may be started, a limit is exceeded, or the
    /// system reported an error, which [`source`](std::error::Error::source) returns.
    Refused,
}

impl Error {
    /// Makes an error of a kind.
    pub fn new(kind: ErrorKind, message: impl Into<Prose>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn io(message: impl Into<Prose>, error: std::io::Error) -> Self {
        let kind = if error.kind() == std::io::ErrorKind::NotFound {
            ErrorKind::NotFound
        } else {
            ErrorKind::Refused
        };
        Self {
            kind,
            message: message.into(),
            source: Some(Arc::new(error)),
        }
    }

    /// Returns the kind of the error.
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
        let error = Error::io("skill 'a'", std::io::Error::other("no disk"));
        let cause = error.source().expect("a cause").to_string();
        assert_eq!(format!("{error}: {cause}"), "skill 'a': no disk");
        assert_eq!(format!("{error:#}"), "skill 'a': no disk");
        assert_eq!(format!("{error:?}"), "skill 'a': no disk");
        assert_eq!(error.clone().to_string(), "skill 'a'");
    }
}
