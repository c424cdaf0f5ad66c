//! What is told about a fault: one type for the macro, the build script, the program and the
//! runtime.

#[cfg(feature = "yaml")]
pub(crate) mod patch;
pub(crate) mod rule_id;

use crate::diagnostic::rule_id::RuleId;
use crate::text::control::one_line;
use crate::text::span::{Position, Span};
use std::fmt;

/// How bad a finding is. The worst sorts first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Stops a build and fails a check.
    Error,
    /// Told, and fails nothing.
    Warning,
    /// Worth knowing; no fault.
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

/// One finding: where, what, and what to write instead.
///
/// Diagnostics sort by path, then offset, then rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// Id of the rule, as `skills explain` knows it.
    pub rule: &'static str,
    /// As configured, or the rule's own.
    pub severity: Severity,
    /// The file or folder, relative to what was checked, with `/` between its parts.
    pub path: String,
    /// Where the finding begins. [`Position::START`] for what concerns a whole file.
    pub start: Position,
    /// Where it ends, excluded. Equal to `start` when there is nothing to underline.
    pub end: Position,
    /// States the fact. No capital at the start, no full stop at the end.
    pub message: String,
    /// Says what to write instead; empty when the message says it all.
    pub help: String,
    /// The edit that mends it, where a program can know it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding about a whole file or folder.
    pub fn new(
        rule: impl Into<&'static str>,
        severity: Severity,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule: rule.into(),
            severity,
            path: path.into(),
            start: Position::START,
            end: Position::START,
            message: message.into(),
            help: String::new(),
            fix: None,
        }
    }

    /// The same finding at `span` of the file's `text`.
    #[must_use]
    pub fn at(mut self, text: &[u8], span: Span) -> Self {
        self.start = Position::of(text, span.start);
        self.end = Position::of(text, span.end.max(span.start));
        self
    }

    /// The same finding with its help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The same finding with its fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Whether this is a finding of the given kind.
    pub fn is(&self, id: RuleId) -> bool {
        self.rule == id.as_str()
    }

    /// The bytes it is about.
    pub fn span(&self) -> Span {
        Span::new(self.start.offset, self.end.offset)
    }

    /// Puts findings in the order in which they are shown, and drops repetitions.
    pub fn sort(diagnostics: &mut Vec<Self>) {
        diagnostics.sort_by(|a, b| {
            (&a.path, a.start.offset, a.rule, &a.message).cmp(&(
                &b.path,
                b.start.offset,
                b.rule,
                &b.message,
            ))
        });
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
        let (path, message) = (one_line(path), one_line(message));
        write!(f, "{path}:{start}: {severity}[{rule}]: {message}")
    }
}

/// Edits that mend a finding. All apply to the file that the finding names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fix {
    /// Whether the meaning stays what the author wrote. A guess (a name, a path) is unsafe.
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
    /// What stands there afterwards.
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
