//! Edits applied to a text, and the offsets of the edited text mapped back to the original text.

use crate::diagnostic::Edit;
use crate::text::order::sort_by_number;

/// A text with edits applied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Patch {
    /// The edited text.
    pub text: String,
    pieces: Vec<EditSpan>,
}

/// The bytes of one edit in the edited text and in the original text.
#[derive(Clone, Copy, Debug)]
struct EditSpan {
    new: (usize, usize),
    old: (usize, usize),
}

impl Patch {
    /// Applies edits in order of their places. An edit that overlaps an earlier edit, or does not
    /// lie on character boundaries, is left out.
    pub fn new(text: &str, edits: &[Edit]) -> Self {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        // At the same start, an insertion comes first: after a replacement it would overlap.
        sort_by_number(&mut sorted, |edit| edit.end);
        sort_by_number(&mut sorted, |edit| edit.start);
        let mut patch = Self {
            text: String::with_capacity(text.len() + edits.len() * 2),
            pieces: Vec::with_capacity(edits.len()),
        };
        let mut at = 0;
        for edit in sorted {
            // `get` returns `None` for an overlap (`at > edit.start`) and inside a character.
            let (Some(kept), Some(_)) = (text.get(at..edit.start), text.get(edit.start..edit.end))
            else {
                continue;
            };
            patch.text.push_str(kept);
            let start = patch.text.len();
            patch.text.push_str(&edit.text);
            patch.pieces.push(EditSpan {
                new: (start, patch.text.len()),
                old: (edit.start, edit.end),
            });
            at = edit.end;
        }
        patch.text.push_str(text.get(at..).unwrap_or_default());
        patch
    }

    /// Returns the original offset of a value that begins at `offset` of the edited text.
    pub(crate) fn old_start(&self, offset: usize) -> usize {
        match self.before(|piece| piece.new.0 <= offset) {
            None => offset,
            Some(piece) if offset < piece.new.1 => piece.old.0,
            Some(piece) => piece.old.1 + (offset - piece.new.1),
        }
    }

    /// Returns the original offset of a value that ends at `offset` of the edited text.
    pub(crate) fn old_end(&self, offset: usize) -> usize {
        match self.before(|piece| piece.new.0 < offset) {
            None => offset,
            Some(piece) => piece.old.1 + offset.saturating_sub(piece.new.1),
        }
    }

    fn before(&self, is_before: impl Fn(&EditSpan) -> bool) -> Option<&EditSpan> {
        let count = self.pieces.partition_point(is_before);
        self.pieces.get(count.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::span::Span;

    #[test]
    fn places_lead_back() {
        let edits = [
            Edit::replace(Span::at(2), "\""),
            Edit::replace(Span::new(4, 5), ""),
            Edit::replace(Span::new(4, 6), "overlaps"),
            Edit::replace(Span::at(6), "\""),
        ];
        let patch = Patch::new("a bcde", &edits);
        assert_eq!(patch.text, "a \"bce\"");
        let starts: Vec<usize> = (0..8).map(|at| patch.old_start(at)).collect();
        assert_eq!(starts, [0, 1, 2, 2, 3, 5, 6, 6]);
        assert_eq!(patch.old_end(7), 6);
        assert_eq!(patch.old_end(6), 6);
    }
}
