//! How a command ended: done, with findings, or with a failure that says what to do.

// Errors have one type, `Failure`: what was asked, what is wrong, what to do, and the exit code.

use std::fmt;
use std::io;

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The command found errors in what it checked.
    Findings,
}

/// A command that could not do what it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The reader of the output closed it.
    ClosedPipe,
    /// A person answered no.
    Declined(Message),
    /// What was asked for does not exist, or is not allowed.
    NotSo(Message),
    /// Wrong usage, or an operation that failed.
    Failed(Message),
}

/// The text of a failure.
#[derive(Debug)]
pub struct Message {
    /// What was asked, and what is wrong.
    pub fact: String,
    /// What to do.
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

    /// Makes the failure of a place that cannot be written. On a full disk the help is to free space.
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

    /// Says what to do when files differ from the files that a person trusted.
    pub(crate) fn trust_again(id: &str) -> String {
        format!(
            "look at what changed with `skills trust --diff {id}`, then trust it again with \
             `skills trust {id}`"
        )
    }

    /// The same failure for a person at the prompt of `skills chat`: the commands of its help are for a
    /// shell.
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

    /// The program's exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Declined(_) | Self::NotSo(_) => 1,
            Self::Failed(_) => 2,
        }
    }
}

/// A text with the cause of an error: the errors of our crates show it in this form alone.
pub(crate) fn in_full(text: impl fmt::Display) -> String {
    format!("{text:#}")
}

/// Whether an error comes from a disk, or a share of it, that is full.
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

/// The commands of `/skill`, which do the same as commands of this program.
const OF_THE_PROMPT: [&str; 7] = [
    "list",
    "show",
    "enable",
    "disable",
    "trust",
    "install",
    "uninstall",
];

/// Writes the commands of a help as a person types them at the prompt of `skills chat`: `/skill show ID`.
/// Other commands are for a shell.
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
