//! The end of a command: done, with findings, or with a failure and its help.

use serde::Serialize;
use serde_json::{Value, json};
use skills_format::{Prose, prose};
use skills_host::{Error, ErrorKind};
use std::{fmt, io};

/// The outcome of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The command found errors.
    Findings,
}

impl Outcome {
    pub(crate) fn of(has_findings: bool) -> Self {
        if has_findings {
            Self::Findings
        } else {
            Self::Done
        }
    }
}

/// The failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// A person answered no.
    Declined(Message),
    /// The requested thing does not exist, or is not allowed.
    NotSo(Message),
    /// Wrong usage, or an operation that failed.
    Failed(Message),
}

/// The text of a failure.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// The request, and the reason why it failed.
    #[serde(rename = "message")]
    pub fact: Prose,
    /// The next step for the person.
    pub help: Prose,
}

impl Message {
    pub(crate) fn new(fact: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        Self {
            fact: fact.into(),
            help: help.into(),
        }
    }
}

impl Failure {
    pub(crate) fn failed(fact: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        Self::Failed(Message::new(fact, help))
    }

    pub(crate) fn not_so(fact: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        Self::NotSo(Message::new(fact, help))
    }

    pub(crate) fn declined(fact: impl Into<Prose>) -> Self {
        Self::Declined(Message::new(fact, "answer y to go on"))
    }

    /// Builds the failure for a working folder that was removed.
    pub(crate) fn no_data_folder() -> Self {
        Self::failed("there is no folder for data", "set HOME, or XDG_DATA_HOME")
    }

    pub(crate) fn no_settings_folder() -> Self {
        let help = "set HOME, or XDG_CONFIG_HOME";
        Self::failed("there is no folder for settings", help)
    }

    pub(crate) fn no_working_folder() -> Self {
        Self::failed(
            "the working folder does not exist",
            "change to a folder that exists",
        )
    }

    /// Builds the failure for a place that cannot be written. On a full disk the help is to free space.
    pub(crate) fn unwritten<E>(what: impl Into<Prose>, error: &E, help: impl Into<Prose>) -> Self
    where
        E: std::error::Error + 'static,
        for<'e> Prose: From<&'e E>,
    {
        if is_full(error) {
            return Self::failed(
                prose!("cannot write {}: no space left on the disk", what),
                "free some space, then run it again",
            );
        }
        Self::failed(prose!("cannot write {}: {}", what, error), help)
    }

    /// The help for files that differ from the files that a person trusted.
    pub(crate) const TRUST_AGAIN: &str =
        "look at what changed with `skills trust --diff ID`, then trust it again";

    /// Converts an error of the host with another fact.
    pub(crate) fn of_host(error: &Error, fact: Prose) -> Self {
        let help = error.remedy_or(match error.kind() {
            _ if error.is_not_found() => {
                "correct the path, or remove a link on it that leads nowhere"
            }
            ErrorKind::Io => "free space, or correct the rights of what is named",
            _ => "look at what is named, then run the same command again",
        });
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::Refused | ErrorKind::Differs => {
                Self::not_so(fact, help)
            }
            _ => Self::failed(fact, help),
        }
    }

    pub(crate) fn message(&self) -> &Message {
        match self {
            Self::Declined(message) | Self::NotSo(message) | Self::Failed(message) => message,
        }
    }

    /// Returns the failure as it stands in a document.
    pub(crate) fn json(&self) -> Value {
        json!(self.message())
    }

    /// Returns the exit code of the program.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Declined(_) | Self::NotSo(_) => 1,
            Self::Failed(_) => 2,
        }
    }
}

/// Returns whether an error comes from a full disk or an exhausted quota.
fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(|error| {
        let error = error.downcast_ref::<io::Error>();
        error.is_some_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
            )
        })
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self::of_host(error, error.into())
    }
}

/// Converts a failure to write to standard output. Other operations name their file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::unwritten(
            "to standard output",
            &error,
            "write the output to another place",
        )
    }
}

impl From<&Failure> for Prose {
    fn from(failure: &Failure) -> Self {
        let Message { fact, help } = failure.message();
        prose!("{}; {}", fact, help)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Prose::from(self))
    }
}

impl std::error::Error for Failure {}
