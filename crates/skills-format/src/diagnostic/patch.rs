//! Edits applied to a text, and the way back from the new text's places to the old one's.

use crate::diagnostic::Edit;
use crate::text::order::sort_by_number;

/// A text with edits applied.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The edited text.
    pub text: String,
    pieces: Vec<Piece>,
}

/// Where an edit's text stands, new and old.
#[derive(Clone, Copy, Debug)]
struct Piece {
    new: (usize, usize),
    old: (usize, usize),
}

impl Patch {
    /// Applies edits in order of their places. One that overlaps an earlier one, or that is not at
    /// the boundaries of characters, is left out.
    pub fn new(text: &str, edits: &[Edit]) -> Self {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sort_by_number(&mut sorted, |edit| edit.end);
        sort_by_number(&mut sorted, |edit| edit.start);
        let mut patch = Self {
            text: String::with_capacity(text.len() + edits.len() * 2),
            pieces: Vec::with_capacity(edits.len()),
        };
        let mut at = 0;
        for edit in sorted {
            let (Some(kept), Some(_)) = (text.get(at..edit.start), text.get(edit.start..edit.end))
            else {
                continue;
            };
            patch.text.push_str(kept);
            let start = patch.text.len();
            patch.text.push_str(&edit.text);
            patch.pieces.push(Piece {
                new: (start, patch.text.len()),
                old: (edit.start, edit.end),
            });
            at = edit.end;
        }
        patch.text.push_str(text.get(at..).unwrap_or_default());
        patch
    }

    /// The old place of the beginning of something that begins at `offset` of the new text.
    pub(crate) fn old_start(&self, offset: usize) -> usize {
        match self.before(|piece| piece.new.0 <= offset) {
            None => offset,
            Some(piece) if offset < piece.new.1 => piece.old.0,
            Some(piece) => piece.old.1 + (offset - piece.new.1),
        }
    }

    /// The old place of the end of something that ends at `offset` of the new text.
    pub(crate) fn old_end(&self, offset: usize) -> usize {
        match self.before(|piece| piece.new.0 < offset) {
            None => offset,
            Some(piece) => piece.old.1 + offset.saturating_sub(piece.new.1),
        }
    }

    fn before(&self, is_before: impl Fn(&Piece) -> bool) -> Option<&Piece> {
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
