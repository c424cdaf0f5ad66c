//! Finds the leading mentions of a text, and the task that remains without them.

// A linked mention is the whole link, both when leading mentions are found and when they are removed
// from the task. If the link names no known skill, the notice shows the id of its address, or the
// address.
//
// A `,` or `:` directly after a leading mention does not end the leading part.
//
// Both mentions in `$tdd,$code-review` lead. Neither is removed from the task, because no white space
// follows the first.

use skills_format::{Candidate, CandidateKind, Span};

/// The start of a text, as long as it holds only white space and mentions.
pub(crate) struct Leading<'t> {
    text: &'t str,
    /// The end of the last leading mention. `None`: no further mention leads.
    end: Option<usize>,
    /// The text without the leading mentions that have been removed.
    task: &'t str,
    /// `true` if the next leading mention can be removed.
    removes: bool,
}

impl<'t> Leading<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            end: Some(0),
            task: text,
            removes: true,
        }
    }

    /// Returns whether the next mention leads: only white space and other mentions stand before it. A
    /// `,` or `:` may directly follow each of the other mentions. Call it once for each mention, in order: the state
    /// moves to the end of the mention.
    pub(crate) fn leads(&mut self, candidate: &Candidate<'_>) -> bool {
        let Candidate { extent, kind, .. } = candidate;
        self.end = self.end.filter(|&end| {
            // Overlapping mentions have no text between; `x` is any text that ends the leading part.
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

    /// Removes a leading mention, with a `,` or `:` directly after it and the following white space.
    /// Removes nothing if other text follows.
    pub(crate) fn remove(&mut self, mention: Span) {
        if !self.removes {
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

    /// Keeps this mention and all following text.
    pub(crate) fn keep(&mut self) {
        self.removes = false;
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the text without the leading mentions that were removed.
    pub(crate) fn task(&self) -> &'t str {
        self.task
    }
}
