//! The person of a conversation: what the host shows, and what the host asks.

use crate::decisions::TrustQuestion;
use crate::error::Error;
use skills_format::text::control::shown;
use skills_runtime::Diagnostic;
use skills_session::Notice;
use skills_session::resolve::DispatchRefused;
use std::fmt;

/// The person of a [`Conversation`](crate::Conversation): the host's way to show a line and to ask a question.
pub trait Person {
    /// Shows news. `Display` writes them.
    fn tell(&mut self, news: &News<'_>);

    /// Asks a question. Returns whether the person agrees.
    fn agrees(&mut self, question: &Question<'_>) -> bool;
}

/// What a person should know. `Display` writes it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum News<'n> {
    /// A notice of a turn, a call, an answer or a reload, or the answer to a request of `/skill`.
    Notice(&'n Notice),
    /// A problem of a skill or of a file of the decisions. Each is told once.
    Diagnostic(&'n Diagnostic),
    /// The tool call of a slash command was refused.
    Refused(&'n DispatchRefused),
    /// A request of `/skill` failed, and nothing was changed. Or the decisions cannot be read, and those of before hold.
    Failed(&'n Error),
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notice(notice) => notice.fmt(f),
            Self::Diagnostic(found) => write!(f, "{found:#}"),
            Self::Refused(refused) => refused.fmt(f),
            Self::Failed(error) => f.write_str(&error.report()),
        }
    }
}

/// A question that a person answers with yes or no. `Display` writes the whole question.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Question<'q> {
    /// [`Conversation::trust`](crate::Conversation::trust), or `/skill trust ID`: the files and the instructions of the
    /// skill.
    Trust(&'q TrustQuestion),
    /// A call of one of the host's tools.
    Call {
        /// The host's name of the tool.
        tool: &'q str,
        /// What the call acts on: see [`Conversation::may_run`](crate::Conversation::may_run).
        input: &'q str,
    },
}

impl fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trust(question) => write!(f, "{question}\nTrust it?"),
            // A model writes the input, and a person must see all of it: no character of it moves the cursor, and a
            // line feed is a picture.
            Self::Call { tool, input } => {
                let input: String = input.chars().map(shown).collect();
                write!(f, "Run {tool} {input}?")
            }
        }
    }
}
