//! The keys at the margin of front matter.

use crate::skill::document;
use std::collections::BTreeSet;

/// The keys that begin lines at the margin, collected once: each indented line that begins with a known field asks for
/// its own.
pub(crate) struct Margin<'t>(BTreeSet<&'t str>);

impl<'t> Margin<'t> {
    /// Reads the lines of a text up to the line that closes the front matter. The YAML begins at `start`.
    pub(crate) fn of(text: &'t str, start: usize) -> Self {
        let end = document::closing(text, start).map_or(text.len(), |line| line.start);
        let lines = text.get(..end).unwrap_or_default().split('\n');
        Self(
            lines
                .filter_map(|line| Some(line.split_once(':')?.0))
                .collect(),
        )
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains(key)
    }
}
