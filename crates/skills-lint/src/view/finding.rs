//! The findings that rules return.

use crate::view::secrets::masked;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Fix, Severity};
use skills_format::text::prose::Prose;
use skills_format::text::span::{Lines, Span};
use std::borrow::Cow;

/// A finding of a rule. A rule knows neither its level nor the lines of a file, so the engine makes the
/// [`Diagnostic`].
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) rule: RuleId,
    /// The file or folder, relative to the tree's root.
    pub(crate) path: String,
    /// The bytes of the file. `None`: the whole file or folder.
    pub(crate) span: Option<Span>,
    /// The maximum severity of the finding, unless a level is configured.
    pub(crate) mildest: Severity,
    pub(crate) message: Prose,
    pub(crate) help: Prose,
    pub(crate) fix: Option<Fix>,
    /// The number of another skill that the finding is about, and the place in its `SKILL.md`.
    pub(crate) beside: Option<(usize, Span)>,
}

impl Finding {
    /// Creates a finding about a whole file or folder.
    pub(crate) fn new(rule: RuleId, path: impl Into<String>, message: impl Into<Prose>) -> Self {
        Self {
            rule,
            path: path.into(),
            span: None,
            mildest: Severity::Error,
            message: message.into(),
            help: Prose::default(),
            fix: None,
            beside: None,
        }
    }

    #[must_use]
    pub(crate) fn at(mut self, span: Span) -> Self {
        self.span = Some(Span::new(span.start, span.end.max(span.start)));
        self
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<Prose>) -> Self {
        self.help = help.into();
        self
    }

    #[must_use]
    pub(crate) fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    #[must_use]
    pub(crate) fn beside(mut self, skill: usize, span: Option<Span>) -> Self {
        self.beside = span.map(|span| (skill, span));
        self
    }

    #[must_use]
    pub(crate) fn at_most(mut self, severity: Severity) -> Self {
        self.mildest = severity;
        self
    }

    /// Returns the first byte that the finding is about; 0 for a whole file.
    pub(crate) fn offset(&self) -> usize {
        self.span.map_or(0, |span| span.start)
    }

    /// Creates the diagnostic. `lines` are the lines of the file, if known.
    pub(crate) fn placed(
        self,
        path: String,
        severity: Severity,
        lines: Option<&Lines<'_>>,
    ) -> Diagnostic {
        let mut diagnostic =
            Diagnostic::new(self.rule, severity, path, without_secrets(self.message));
        if let (Some(span), Some(lines)) = (self.span, lines) {
            diagnostic.start = lines.position(span.start);
            diagnostic.end = lines.position(span.end);
        }
        diagnostic.help = without_secrets(self.help);
        diagnostic.fix = self.fix;
        diagnostic
    }
}

/// Masks the keys of a text that quotes a file.
fn without_secrets(text: Prose) -> Prose {
    match masked(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked.into(),
    }
}
