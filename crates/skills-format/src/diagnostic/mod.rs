//! Findings about skills: one type for the macro, the build script, the program and the runtime.

pub mod rule_id;

use crate::diagnostic::rule_id::RuleId;
use crate::text::control::{pictured, pictured_lines};
use crate::text::prose::Prose;
use crate::text::span::{Position, Span};
use std::fmt;

/// The severity of a finding. Errors sort first.
///
/// The enum is exhaustive on purpose: each renderer decides about each severity, and a severity that it does
/// not know would be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// Stops a build and fails a check.
    Error,
    /// Reported, but fails neither a build nor a check.
    Warning,
    /// Information, not a fault.
    Info,
}

impl Severity {
    /// Returns `error`, `warning` or `info`.
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

/// A place in another file that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The file, relative to the checked folder, with `/` between its parts.
    pub path: String,
    /// The bytes of the file.
    pub span: Span,
}

impl Related {
    /// Creates a place.
    pub fn new(path: impl Into<String>, span: Span) -> Self {
        let path = path.into();
        Self { path, span }
    }
}

/// One finding: its place, its message, and the help that says what to write instead.
///
/// [`Diagnostic::sort`] orders diagnostics by path, then offset, then rule, then message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that reports the finding.
    pub rule: RuleId,
    /// The configured severity, else the default of the rule.
    pub severity: Severity,
    /// The file or folder, relative to the checked folder, with `/` between its parts.
    pub path: String,
    /// The start of the finding. [`Position::START`] for a whole file.
    pub start: Position,
    /// The end of the finding, excluded. Equal to `start` if there is nothing to underline.
    pub end: Position,
    /// The fact: no capital at the start, no full stop at the end.
    pub message: Prose,
    /// The text to write instead. Empty if the message needs no help.
    pub help: Prose,
    /// The edits that fix the fault, if a program can know the edits.
    pub fix: Option<Fix>,
    /// The other place that the finding is about: of two skills with one name, the name of the first. An editor leads there.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub related: Option<Box<Related>>,
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
            related: None,
        }
    }

    /// Sets the place: `span` of the file's `text`.
    #[must_use]
    pub fn at(mut self, text: &[u8], span: Span) -> Self {
        self.start = Position::of(text, span.start);
        self.end = Position::of(text, span.end.max(span.start));
        self
    }

    /// Sets the place: the start of a line of a file that is not at hand.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.start = Position {
            offset: 0,
            line,
            column: 1,
        };
        self.end = self.start;
        self
    }

    /// Sets the text that says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<Prose>) -> Self {
        self.help = help.into();
        self
    }

    /// Sets the edits that fix the fault.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Returns whether this finding has the id.
    pub fn is(&self, id: RuleId) -> bool {
        self.rule == id
    }

    /// Returns the bytes of the file that the finding is about.
    pub fn span(&self) -> Span {
        Span::new(self.start.offset, self.end.offset)
    }

    /// Sorts findings into the order in which they are shown, and removes repeated findings.
    pub fn sort(diagnostics: &mut Vec<Self>) {
        // Most loads find nothing, and a load of a bundle has few instructions besides.
        if diagnostics.len() < 2 {
            return;
        }
        diagnostics.sort_by(|a, b| {
            let key = |it: &Self| (it.start.offset, it.rule.as_str());
            let by_place = a.path.cmp(&b.path).then_with(|| key(a).cmp(&key(b)));
            by_place.then_with(|| a.message.as_str().cmp(b.message.as_str()))
        });
        diagnostics.dedup();
    }
}

impl std::error::Error for Diagnostic {}

/// Writes `path:line:column: severity[rule]: message`, on one line. The alternate form, `{:#}`, is for a person: it writes
/// the help below the line.
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
        // A folder has no lines. A file that is reported whole keeps its first line, where an editor opens it.
        let name = path.rsplit('/').next().unwrap_or_default();
        if self.span() == Span::default() && !name.contains('.') {
            write!(f, "{path}: {severity}[{rule}]: {message}")?;
        } else {
            write!(f, "{path}:{start}: {severity}[{rule}]: {message}")?;
        }
        if f.alternate() && !self.help.is_empty() {
            write!(f, "\n help: {}", pictured_lines(&self.help))?;
        }
        Ok(())
    }
}

/// The edits that fix a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Fix {
    /// True if the edits keep the meaning. An edit that guesses a name or a path is not safe.
    pub safe: bool,
    /// The edits of the file that the finding names, in order of their places, without overlaps.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Creates a fix that keeps the meaning.
    pub fn safe(edits: Vec<Edit>) -> Self {
        Self { safe: true, edits }
    }

    /// Creates a fix that guesses the meaning.
    pub fn guess(edits: Vec<Edit>) -> Self {
        Self { safe: false, edits }
    }
}

/// One replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Edit {
    /// The first byte that is replaced.
    pub start: usize,
    /// The byte after the last byte that is replaced.
    pub end: usize,
    /// The replacement.
    pub text: String,
}

impl Edit {
    /// Creates an edit that replaces the bytes of `span` by `text`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self {
            start: span.start,
            end: span.end,
            text: text.into(),
        }
    }

    /// Returns a text with edits applied in order of their places. An edit that overlaps an earlier edit, or does not lie
    /// on character boundaries, is left out.
    pub fn apply(text: &str, edits: &[Self]) -> String {
        let mut sorted: Vec<&Self> = edits.iter().collect();
        // At the same start, an insertion comes first: after a replacement it would overlap.
        sorted.sort_by_key(|edit| (edit.start, edit.end));
        let mut edited = String::with_capacity(text.len() + edits.len() * 2);
        let mut at = 0;
        for edit in sorted {
            // `get` returns `None` for an overlap (`at > edit.start`) and inside a character.
            if let (Some(kept), Some(_)) =
                (text.get(at..edit.start), text.get(edit.start..edit.end))
            {
                edited.push_str(kept);
                edited.push_str(&edit.text);
                at = edit.end;
            }
        }
        edited.push_str(&text[at..]);
        edited
    }
}
