//! The front of a text: which mentions lead, and what is left when they are taken off.

use skills_format::{Candidate, CandidateKind, Span};

/// A text, read from its front as far as it holds only white space and mentions.
pub(crate) struct Leading<'t> {
    text: &'t str,
    /// The end of the last mention that leads; `None`: no more do.
    end: Option<usize>,
    /// What is left without the leading mentions so far.
    task: &'t str,
    /// Whether the next leading mention can be taken off.
    takes: bool,
}

impl<'t> Leading<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            end: Some(0),
            task: text,
            takes: true,
        }
    }

    /// Whether the next mention leads: only white space and other mentions stand before it, each
    /// of these with a `,` or `:` directly after it or without.
    pub(crate) fn leads(&mut self, candidate: &Candidate<'_>) -> bool {
        let Candidate { extent, kind, .. } = candidate;
        self.end = self.end.filter(|&end| {
            let between = self.text.get(end..extent.start).unwrap_or("x");
            let after_mention = if end > 0 {
                between.strip_prefix([',', ':'])
            } else {
                None
            };
            let between = after_mention.unwrap_or(between);
            between.trim_start().is_empty() && *kind != CandidateKind::Escaped
        });
        self.end = self.end.map(|_| extent.end);
        self.end.is_some()
    }

    /// Takes off a leading mention, with a `,` or `:` directly after it and the white space that
    /// follows; not where neither white space nor the end does.
    pub(crate) fn take(&mut self, mention: Span) {
        if !self.takes {
            return;
        }
        let after = self.text.get(mention.end..).unwrap_or_default();
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
        let rests = [after.strip_prefix([',', ':']).unwrap_or(after), after];
        match rests.into_iter().find(|rest| is_end(rest)) {
            Some(rest) => self.task = rest.trim_start(),
            None => self.keep(),
        }
    }

    /// Leaves what follows as it is.
    pub(crate) fn keep(&mut self) {
        self.takes = false;
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// What is left when the leading mentions are taken off.
    pub(crate) fn task(&self) -> &'t str {
        self.task
    }
}
