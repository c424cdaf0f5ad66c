//! What follows a line `...`, with which YAML ends a document, or a second `---` above the fields.

use crate::skill::field_lines::{has_fields, is_key, is_yaml};
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// What follows the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    /// The body: the line closes the front matter.
    Body,
    /// This `---`, after blank lines at most. It closes the front matter for every client that was run.
    Dashes(Span),
    /// Fields up to this `---`. A restraint among them counts.
    Fields(Span),
    /// The text ends before this is known.
    Open,
}

pub(super) fn after_dots(text: &str, dots: Span) -> Dots {
    let mut first = true;
    let mut at = line_after(text, dots);
    while at < text.len() {
        let line = line_at(text, at);
        let written = line.of(text).trim_end();
        let is_whole = line.end < text.len();
        at = line_after(text, line);
        if written.is_empty() {
            continue;
        }
        if written == "---" && (first || has_fields(text, dots, Some(line))) {
            return if first {
                Dots::Dashes(line)
            } else {
                Dots::Fields(line)
            };
        }
        let goes_on = if first {
            is_key(written)
        } else {
            written != "---" && (written.starts_with([' ', '\t']) || is_yaml(written))
        };
        // The rest of a line can make a key of it, or `---`.
        if is_whole && !goes_on {
            return Dots::Body;
        }
        first = false;
    }
    Dots::Open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_decides() {
        let dashes = |at: usize| Span::new(at, at + 3);
        for (text, expected) in [
            ("...\nGo.\n", Dots::Body),
            ("...\n# Title\n\n---\n", Dots::Body),
            ("...\n---\nGo.\n", Dots::Dashes(dashes(4))),
            ("...\n\n \n---\n", Dots::Dashes(dashes(7))),
            ("...\nlicense: MIT\n---\n", Dots::Fields(dashes(17))),
            ("...\nlicense: MIT\n\nGo on.\n---\n", Dots::Body),
            ("...\nNote: it\n---\nGo.\n", Dots::Body),
            ("...\nlicense: MIT\n", Dots::Open),
            ("...\n\n", Dots::Open),
            ("...\n--", Dots::Open),
            ("...\nGo", Dots::Open),
            ("...", Dots::Open),
        ] {
            assert_eq!(after_dots(text, Span::new(0, 3)), expected, "{text:?}");
        }
    }
}
