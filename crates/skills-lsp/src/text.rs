//! A text with its lines, and places in it as editors count them.

use lsp_types::{Position, Range, TextEdit};
use skills_format::Span;
use std::cell::Cell;

/// The unit in which a client counts the characters of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Utf8,
    Utf16,
}

/// The bytes of a file, and where its lines begin.
pub(crate) struct LineText<'t> {
    bytes: &'t [u8],
    /// The protocol ends a line at LF, at CR LF and at a lone CR.
    starts: Vec<usize>,
    /// The last byte that was asked for, and its place in UTF-16. A line of a megabyte can have ten thousand findings: each
    /// place is counted from the place before.
    last: Cell<(usize, usize)>,
}

impl<'t> LineText<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let is_end = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_end {
                starts.push(at + 1);
            }
        }
        Self {
            bytes,
            starts,
            last: Cell::new((0, 0)),
        }
    }

    /// Returns the position of a byte. An offset behind the end is the end.
    pub(crate) fn position(&self, offset: usize, unit: Unit) -> Position {
        let offset = offset.min(self.bytes.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts.get(line).copied().unwrap_or_default();
        let character = match unit {
            Unit::Utf8 => offset - start,
            Unit::Utf16 => self.utf16(start, offset),
        };
        Position::new(number(line), number(character))
    }

    /// Returns the number of code units from the start of a line.
    fn utf16(&self, start: usize, offset: usize) -> usize {
        let (known, counted) = match self.last.get() {
            last if (start..=offset).contains(&last.0) => last,
            _ => (start, 0),
        };
        let rest = self.bytes.get(known..offset).unwrap_or_default();
        // A place within a character is no start to count from.
        let Ok(text) = std::str::from_utf8(rest) else {
            let before = self.bytes.get(start..offset).unwrap_or_default();
            return String::from_utf8_lossy(before).encode_utf16().count();
        };
        let counted = counted + text.encode_utf16().count();
        self.last.set((offset, counted));
        counted
    }

    /// Returns the range of bytes.
    pub(crate) fn range(&self, span: Span, unit: Unit) -> Range {
        Range::new(
            self.position(span.start, unit),
            self.position(span.end, unit),
        )
    }

    /// Returns the edit that replaces bytes. No position lies between CR and LF, so an edit that begins or ends there
    /// writes the other half again.
    pub(crate) fn edit(&self, span: Span, new: &str, unit: Unit) -> TextEdit {
        let is_within = |at: usize| {
            let around = at
                .checked_sub(1)
                .and_then(|start| self.bytes.get(start..=at));
            around == Some(b"\r\n")
        };
        let (mut span, mut new) = (span, new.to_owned());
        if is_within(span.start) {
            span.start -= 1;
            new.insert(0, '\r');
        }
        if is_within(span.end) {
            span.end += 1;
            new.push('\n');
        }
        TextEdit::new(self.range(span, unit), new)
    }

    /// Returns the byte at a position. A position behind the end of its line is the end of the line, and a line behind
    /// the last line is the end of the text. A position within a character is its start.
    pub(crate) fn offset(&self, position: Position, unit: Unit) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else {
            return self.bytes.len();
        };
        let next = line.saturating_add(1);
        let end = self.starts.get(next).copied().unwrap_or(self.bytes.len());
        let line = self.bytes.get(start..end).unwrap_or_default();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
        let text = String::from_utf8_lossy(line);
        let mut counted = 0;
        for (at, letter) in text.char_indices() {
            let length = match unit {
                Unit::Utf8 => letter.len_utf8(),
                Unit::Utf16 => letter.len_utf16(),
            };
            if counted + length > wanted {
                return start + at.min(line.len());
            }
            counted += length;
        }
        start + line.len()
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_surrogate_pair_counts_twice() {
        let text = LineText::new("a\u{1F600}b\r\nc\rd".as_bytes());
        assert_eq!(text.position(5, Unit::Utf16), Position::new(0, 3));
        assert_eq!(text.position(5, Unit::Utf8), Position::new(0, 5));
        assert_eq!(text.offset(Position::new(0, 3), Unit::Utf16), 5);
        // Between the two halves: the start of the character.
        assert_eq!(text.offset(Position::new(0, 2), Unit::Utf16), 1);
        assert_eq!(text.offset(Position::new(0, 99), Unit::Utf16), 6);
        assert_eq!(text.offset(Position::new(2, 0), Unit::Utf16), 10);
        assert_eq!(text.offset(Position::new(9, 0), Unit::Utf16), 11);
    }

    proptest! {
        #[test]
        fn a_position_leads_back(text in "[a\u{e9}\u{1F600}\r\n]{0,20}", at in 0usize..60) {
            let lines = LineText::new(text.as_bytes());
            for unit in [Unit::Utf8, Unit::Utf16] {
                // Between CR and LF is no position of its own.
                if text.is_char_boundary(at) && !(at > 0 && text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
                    prop_assert_eq!(lines.offset(lines.position(at, unit), unit), at.min(text.len()));
                }
            }
        }

        #[test]
        fn places_are_the_same_in_any_order(text in "[a\u{e9}\u{1F600}\r\n]{0,20}", all in proptest::collection::vec(0usize..60, 0..9)) {
            let lines = LineText::new(text.as_bytes());
            for at in all {
                let alone = LineText::new(text.as_bytes());
                prop_assert_eq!(lines.position(at, Unit::Utf16), alone.position(at, Unit::Utf16));
            }
        }

        #[test]
        fn an_edit_replaces_its_bytes(text in "[a\u{1F600}\r\n]{0,12}", new in "[b\r\n]{0,2}", one in 0usize..13, two in 0usize..13) {
            let (start, end) = (one.min(two), one.max(two));
            if let Some((before, after)) = text.get(..start).zip(text.get(end..)) {
                let lines = LineText::new(text.as_bytes());
                for unit in [Unit::Utf8, Unit::Utf16] {
                    let edit = lines.edit(Span::new(start, end), &new, unit);
                    let (from, to) = (lines.offset(edit.range.start, unit), lines.offset(edit.range.end, unit));
                    prop_assert_eq!(format!("{}{}{}", &text[..from], edit.new_text, &text[to..]), format!("{before}{new}{after}"));
                }
            }
        }

        #[test]
        fn any_position_is_in_the_text(text in ".{0,20}", line: u32, character: u32) {
            let lines = LineText::new(text.as_bytes());
            for unit in [Unit::Utf8, Unit::Utf16] {
                let at = lines.offset(Position::new(line % 4, character), unit);
                prop_assert!(text.is_char_boundary(at));
            }
        }
    }
}
