//! Findings about skills: one type for the macro, the build script, the program and the runtime.

pub mod patch;
pub mod rule_id;

use crate::diagnostic::rule_id::RuleId;
use crate::text::control::pictured;
use crate::text::order::{sort_by_number_and_text, sort_by_text};
use crate::text::prose::Prose;
use crate::text::span::{Position, Span};
use std::fmt;

/// How serious a finding is. Errors sort first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Stops a build and fails a check.
    Error,
    /// Is reported, and fails nothing.
    Warning,
    /// Information, not a fault.
    Info,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding: its place, its message, and what to write instead.
///
/// Diagnostics sort by path, then offset, then rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: RuleId,
    /// The configured severity, else the default of the rule.
    pub severity: Severity,
    /// The file or folder, relative to the checked folder, with `/` between its parts.
    pub path: String,
    /// Where the finding begins. [`Position::START`] if it concerns a whole file.
    pub start: Position,
    /// Where it ends, excluded. Equal to `start` when there is nothing to underline.
    pub end: Position,
    /// States the fact. No capital at the start, no full stop at the end.
    pub message: Prose,
    /// Says what to write instead. Empty if the message needs no help.
    pub help: Prose,
    /// The edits that fix it, if a program can know them.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Creates a finding about a whole file or folder.
    pub fn new(
        rule: RuleId,
        severity: Severity,
        path: impl Into<String>,
        message: impl Into<Prose>,
    ) -> Self {
        Self {
            rule,
            severity,
            path: path.into(),
            start: Position::START,
            end: Position::START,
            message: message.into(),
            help: Prose::default(),
            fix: None,
        }
    }

    /// Sets the place: `span` of the file's `text`.
    #[must_use]
    pub fn at(mut self, text: &[u8], span: Span) -> Self {
        self.start = Position::of(text, span.start);
        self.end = Position::of(text, span.end.max(span.start));
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<Prose>) -> Self {
        self.help = help.into();
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Whether this finding has the given id.
    pub fn is(&self, id: RuleId) -> bool {
        self.rule == id
    }

    /// The bytes of the file that it is about.
    pub fn span(&self) -> Span {
        Span::new(self.start.offset, self.end.offset)
    }

    /// Sorts findings in the order in which they are shown, and removes repeated findings.
    pub fn sort(diagnostics: &mut Vec<Self>) {
        // By path, then place, then rule, then message: what counts last is sorted first.
        sort_by_text(diagnostics, |found| found.message.as_bytes());
        sort_by_number_and_text(diagnostics, |found| {
            (found.start.offset, found.rule.as_str().as_bytes())
        });
        sort_by_text(diagnostics, |found| found.path.as_bytes());
        diagnostics.dedup();
    }
}

/// `path:line:column: severity[rule]: message`, on one line.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            start,
            severity,
            rule,
            message,
            ..
        } = self;
        let (path, message) = (pictured(path), pictured(message));
        write!(f, "{path}:{start}: {severity}[{rule}]: {message}")
    }
}

/// Edits that fix a finding. All of them change the file that the finding names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fix {
    /// Whether the meaning stays as the author wrote it. A guess of a name or a path is not safe.
    pub safe: bool,
    /// In order, not overlapping.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix that keeps the meaning.
    pub fn safe(edits: Vec<Edit>) -> Self {
        Self { safe: true, edits }
    }

    /// A fix that guesses.
    pub fn guess(edits: Vec<Edit>) -> Self {
        Self { safe: false, edits }
    }
}

/// One replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// Byte after the last one replaced.
    pub end: usize,
    /// The text in their place.
    pub text: String,
}

impl Edit {
    /// Puts `text` in place of `span`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self {
            start: span.start,
            end: span.end,
            text: text.into(),
        }
    }
}
