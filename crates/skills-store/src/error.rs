//! The errors of this package.

use skills_format::disk::NotFollowed;
use skills_format::text::distance::nearest;
use skills_format::{Prose, command, prose};
use std::fmt;
use std::io;
use std::path::Path;

/// A failed operation. No file was changed.
///
/// Show a person the [`report`](Error::report). `{}` shows the error without its help, and without its cause, which is its
/// [`source`](std::error::Error::source): a printer of the chain prints the cause once. `{:#}` shows the chain on one line.
pub struct Error {
    kind: ErrorKind,
    message: Prose,
    help: Option<Prose>,
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

/// Writes the [`report`](Error::report): a `main` that returns the error prints it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report())
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
    /// A file has invalid content. The file is not written before it is corrected or moved aside.
    Damaged,
    /// A newer version of this program wrote the file.
    Newer,
    /// A path is not UTF-8 and cannot be written as text.
    NotUtf8,
    /// A source, a revision or a path is invalid.
    Usage,
    /// The requested item does not exist.
    NotFound,
    /// The operation would lose something, or its input is unsafe.
    Refused,
    /// The content on disk differs from the lock.
    Differs,
    /// Another program failed.
    Program,
    /// The user cancelled the operation.
    Cancelled,
    /// A file or folder cannot be renamed to its place: the place is on another file system, or the folder is in a
    /// lower layer of overlayfs.
    CrossesDevices,
}

impl Error {
    /// Creates an error without a cause.
    pub fn new(kind: ErrorKind, message: impl Into<Prose>) -> Self {
        Self {
            kind,
            message: message.into(),
            help: None,
            source: None,
        }
    }

    /// Creates an error of the system about a path. `what` continues a sentence after the path: `cannot be read`.
    pub fn io(path: &Path, what: &str, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::CrossesDevices => ErrorKind::CrossesDevices,
            _ => ErrorKind::Io,
        };
        // Only here the path is known.
        let in_the_way = (error.kind() == io::ErrorKind::NotADirectory)
            .then(|| path.ancestors().find(|above| above.is_file()))
            .flatten();
        let help = |file: &Path| {
            prose!(
                "{} is a file where a folder is expected: move it away, or name another folder",
                file
            )
        };
        Self {
            kind,
            message: prose!("{} {what}", path),
            help: in_the_way.map(help),
            source: Some(error),
        }
    }

    /// Returns whether the system refused the operation for lack of rights.
    pub fn is_denied(&self) -> bool {
        self.is_of(io::ErrorKind::PermissionDenied)
    }

    /// Returns whether the system reported a missing file or folder.
    pub fn is_not_found(&self) -> bool {
        self.is_of(io::ErrorKind::NotFound)
    }

    fn is_of(&self, kind: io::ErrorKind) -> bool {
        self.source
            .as_ref()
            .is_some_and(|cause| cause.kind() == kind)
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<Prose>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets a help with the nearest known name, if a near name exists. Otherwise the present help stays.
    #[must_use]
    pub fn did_you_mean<'n>(self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        match nearest(name, known) {
            Some(near) => self.help(format_args!("Did you mean {near}?")),
            None => self,
        }
    }

    /// Returns the error with its cause and its help, on one line: what a person reads.
    ///
    /// ```
    /// use skills_store::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Damaged, "a.json is damaged").help("remove the file");
    /// assert_eq!(error.report().as_str(), "a.json is damaged; remove the file");
    /// ```
    pub fn report(&self) -> Prose {
        match self.remedy() {
            Some(help) => prose!("{}; {}", self, help),
            None => self.into(),
        }
    }

    /// Returns the help, if there is one.
    pub fn remedy(&self) -> Option<Prose> {
        if self.help.is_some() {
            return self.help.clone();
        }
        // More space or other rights do not help here, so the path itself must change.
        if self.kind == ErrorKind::NotUtf8 {
            return Some("rename the folder or the file so that its path is UTF-8".into());
        }
        let cause = self.source.as_ref()?;
        Some(match cause.kind() {
            io::ErrorKind::InvalidInput => "remove what is in the place of the file".into(),
            _ if NotFollowed::is_cause_of(cause) => {
                "remove the link, or put a copy of what it leads to in its place".into()
            }
            // Too many open files, of this program or of all.
            _ if cfg!(unix) && matches!(cause.raw_os_error(), Some(23 | 24)) => {
                "end other programs, or raise the limit of open files (`ulimit -n`)".into()
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => prose!(
                "free space on that disk: {} deletes what is in the trash, and versions that no skill needs",
                command("restore --empty")
            ),
            io::ErrorKind::PermissionDenied => prose!(
                "correct the rights of what is named; {} looks at the folders of skills and of data",
                command("doctor")
            ),
            io::ErrorKind::NotADirectory => {
                "a file is where a folder is expected: move the file away, or name another folder"
                    .into()
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                "its disk is mounted for reading only: mount it for writing".into()
            }
            _ => return None,
        })
    }

    /// Returns the help, or a general help if there is none.
    pub fn remedy_or(&self, general: &str) -> Prose {
        self.remedy().unwrap_or_else(|| general.into())
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
        let error = Error::io(
            Path::new("a"),
            "cannot be read",
            io::Error::other("no disk"),
        );
        let cause = error.source().expect("a cause").to_string();
        assert_eq!(format!("{error}: {cause}"), "a cannot be read: no disk");
        assert_eq!(format!("{error:#}"), "a cannot be read: no disk");
    }

    #[test]
    fn a_cause_has_its_remedy() {
        use io::ErrorKind as Cause;
        let remedy = |cause: Cause| {
            let error = Error::io(Path::new("a"), "cannot be written", cause.into());
            error.remedy().map(|help| help.to_string())
        };
        for (cause, begin) in [
            (Cause::StorageFull, "free space on that disk: "),
            (
                Cause::PermissionDenied,
                "correct the rights of what is named; ",
            ),
            (
                Cause::NotADirectory,
                "a file is where a folder is expected: ",
            ),
            (
                Cause::ReadOnlyFilesystem,
                "its disk is mounted for reading only",
            ),
        ] {
            let help = remedy(cause).expect("a help");
            assert!(help.starts_with(begin), "{help}");
        }
        assert_eq!(remedy(Cause::NotFound), None);
        let own = Error::io(Path::new("a"), "cannot be read", Cause::StorageFull.into());
        assert_eq!(own.help("look").remedy().as_deref(), Some("look"));
    }
}
