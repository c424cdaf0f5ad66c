//! The end of a command: done, with findings, or with a failure and its help.

use std::fmt;
use std::io;

/// The outcome of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The command found errors.
    Findings,
}

/// The failure of a command.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The reader of the output has closed the output.
    ClosedPipe,
    /// A person answered no.
    Declined(Message),
    /// The requested thing does not exist, or is not allowed.
    NotSo(Message),
    /// Wrong usage, or an operation that failed.
    Failed(Message),
}

/// The text of a failure.
#[derive(Debug)]
pub struct Message {
    /// The request, and the reason why it failed.
    pub fact: String,
    /// The next step for the person.
    pub help: String,
}

impl Failure {
    pub(crate) fn failed(fact: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::Failed(Message {
            fact: in_full(fact),
            help: help.to_string(),
        })
    }

    pub(crate) fn not_so(fact: impl fmt::Display, help: impl fmt::Display) -> Self {
        Self::NotSo(Message {
            fact: in_full(fact),
            help: help.to_string(),
        })
    }

    pub(crate) fn declined(fact: impl fmt::Display) -> Self {
        Self::Declined(Message {
            fact: fact.to_string(),
            help: "answer y to go on".to_owned(),
        })
    }

    /// Builds the failure for a place that cannot be written. On a full disk the help is to free space.
    pub(crate) fn unwritten(
        what: impl fmt::Display,
        error: &(dyn std::error::Error + 'static),
        help: impl fmt::Display,
    ) -> Self {
        if is_full(error) {
            return Self::failed(
                format_args!("cannot write {what}: no space left on the disk"),
                "free some space, then run it again",
            );
        }
        Self::failed(format_args!("cannot write {what}: {error:#}"), help)
    }

    /// Returns the help for files that differ from the files that a person trusted.
    pub(crate) fn trust_again(id: &str) -> String {
        format!(
            "look at what changed with `skills trust --diff {id}`, then trust it again with \
             `skills trust {id}`"
        )
    }

    /// Converts the failure for the prompt of `skills chat`. The commands in its help are for a shell.
    pub(crate) fn in_a_prompt(self) -> Self {
        let in_a_prompt = |mut message: Message| {
            message.help = for_a_prompt(&message.help);
            message
        };
        match self {
            Self::ClosedPipe => Self::ClosedPipe,
            Self::Declined(message) => Self::Declined(message),
            Self::NotSo(message) => Self::NotSo(in_a_prompt(message)),
            Self::Failed(message) => Self::Failed(in_a_prompt(message)),
        }
    }

    pub(crate) fn message(&self) -> Option<&Message> {
        match self {
            Self::ClosedPipe => None,
            Self::Declined(message) | Self::NotSo(message) | Self::Failed(message) => Some(message),
        }
    }

    /// Returns the exit code of the program.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Declined(_) | Self::NotSo(_) => 1,
            Self::Failed(_) => 2,
        }
    }
}

/// Formats an error with its cause. The errors of this workspace show the cause in the `#` form
/// only.
pub(crate) fn in_full(text: impl fmt::Display) -> String {
    format!("{text:#}")
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

/// The commands of `/skill` that do the same as the commands of this program with these names.
const OF_THE_PROMPT: [&str; 7] = [
    "list",
    "show",
    "enable",
    "disable",
    "trust",
    "install",
    "uninstall",
];

/// Rewrites the commands of a help for the prompt of `skills chat`: `/skill show ID`. Commands that the
/// prompt does not have stay commands for a shell.
pub(crate) fn for_a_prompt(help: &str) -> String {
    let mut parts = help.split("`skills ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut is_for_a_shell = false;
    for part in parts {
        let command = part.split('`').next().unwrap_or_default();
        let verb = command.split(' ').next().unwrap_or_default();
        let is_here = OF_THE_PROMPT.contains(&verb) && !command.contains("--");
        is_for_a_shell |= !is_here;
        text.push_str(if is_here { "`/skill " } else { "`skills " });
        text.push_str(part);
    }
    if is_for_a_shell {
        text.insert_str(0, "in a shell: ");
    }
    text
}

/// Converts a failure to write to standard output. Other operations name their file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::unwritten(
                "to standard output",
                &error,
                "write the output to another place",
            )
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(Message { fact, help }) => write!(f, "{fact}; {help}"),
            None => f.write_str("the reader of the output closed it"),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_has_its_own_commands() {
        for (help, written) in [
            ("try again", "try again"),
            (
                "look with `skills show x`, then `skills trust x`",
                "look with `/skill show x`, then `/skill trust x`",
            ),
            (
                "see `skills trust --diff x` or `skills list`",
                "in a shell: see `skills trust --diff x` or `/skill list`",
            ),
            (
                "`skills check` shows it",
                "in a shell: `skills check` shows it",
            ),
        ] {
            assert_eq!(for_a_prompt(help), written);
        }
    }
}
