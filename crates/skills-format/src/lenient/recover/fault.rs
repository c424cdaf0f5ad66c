//! One fault that keeps front matter from parsing, with its edits.

use crate::diagnostic::Edit;
use crate::lenient::recover::lines::{first_line, is_conflict_mark};
use crate::lenient::recover::quote;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

pub(crate) const QUOTE_IT: &str = "put the value in quotes";

/// One fault that keeps a piece from parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The place of the fault.
    pub span: Span,
    /// The fact.
    pub message: String,
    /// The text to write instead.
    pub help: String,
    /// The edits that fix the fault. Empty if no fix is known.
    pub edits: Vec<Edit>,
    /// True if the edits keep the meaning.
    pub is_safe: bool,
}

impl Fault {
    /// Returns whether the fault is a tab.
    pub(crate) fn is_of_tabs(&self, text: &str) -> bool {
        self.span.of(text).starts_with('\t')
    }
}

pub(crate) fn quoting(text: &str, value: Span, place: Span, message: String, help: &str) -> Fault {
    Fault {
        span: place,
        message,
        help: help.to_owned(),
        edits: quote::literally(text, quote::without_note(text, value)),
        is_safe: !quote::takes_in_more(text, value),
    }
}

/// Returns the fault of a piece without a key, which can be a conflict marker of git.
pub(crate) fn no_key(text: &str, chunk: Span) -> Fault {
    let line = first_line(text, chunk);
    let (message, help) = if is_conflict_mark(line.of(text)) {
        (
            "a mark of an unresolved merge stands here",
            "resolve the merge",
        )
    } else {
        (
            "the line is not `key: value`",
            "indent it if it continues the line above, or put it into the body",
        )
    };
    Fault {
        span: line,
        message: message.to_owned(),
        help: help.to_owned(),
        edits: Vec::new(),
        is_safe: false,
    }
}

/// Returns the fault of a line of dashes, or of `...`, between fields. What the line means is not known, so its removal is a guess.
pub(crate) fn dashes(text: &str, chunk: Span) -> Fault {
    let line = line_at(text, chunk.start);
    let message = if line.of(text).starts_with('.') {
        "`...` stands between fields, and some clients do not read the front matter then"
    } else {
        "a line of dashes stands between fields, and some clients end the front matter there"
    };
    Fault {
        span: first_line(text, chunk),
        message: message.to_owned(),
        help: "remove it: the fields below it are lost in these clients".to_owned(),
        edits: vec![Edit::replace(
            Span::new(line.start, line_after(text, line)),
            "",
        )],
        is_safe: false,
    }
}
