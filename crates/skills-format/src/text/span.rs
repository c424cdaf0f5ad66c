//! Places in a text: byte ranges, and lines and columns for people.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

/// A range of bytes in a text, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the range from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Creates the empty range at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Returns the range as a type of the standard library.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the text of this range; empty if the range is not within `text`, or not on character boundaries.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether the range is empty.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A place in a text, as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// The offset in bytes, from 0.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (Unicode scalar values), from 1.
    pub column: usize,
}

impl Position {
    /// The start of a text, also the place of a finding about a whole file.
    pub const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };

    /// Returns the place of a byte offset. The field `offset` is the given offset. For an offset beyond the end of
    /// the text, line and column are the place of the end.
    ///
    /// # Cost
    ///
    /// One pass over the text before the offset.
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self {
            offset,
            line: 1 + memchr::memchr_iter(b'\n', before).count(),
            column: 1 + before[line_start..]
                .iter()
                .filter(|byte| is_char_start(**byte))
                .count(),
        }
    }
}

/// The starts of the lines of a text, to find many places of one text at little cost.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
    /// The last offset that was asked for, and its column. A line of a megabyte can have ten thousand findings: each
    /// column is counted from the one before.
    last: Cell<(usize, usize)>,
}

impl<'t> Lines<'t> {
    /// Finds the lines of a text, in one pass.
    pub fn new(text: &'t [u8]) -> Self {
        let after = memchr::memchr_iter(b'\n', text).map(|newline| newline + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after).collect(),
            last: Cell::new((0, 1)),
        }
    }

    /// Returns the line of the same place as [`Position::of`], by a binary search.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Returns the same place as [`Position::of`], by a binary search and one pass over the line.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let start = start.unwrap_or_default();
        let end = offset.min(self.text.len());
        let (known, column) = match self.last.get() {
            last if (start..=end).contains(&last.0) => last,
            _ => (start, 1),
        };
        let rest = self.text.get(known..end).unwrap_or_default();
        let column = column + rest.iter().filter(|byte| is_char_start(**byte)).count();
        self.last.set((end, column));
        Position {
            offset,
            line,
            column,
        }
    }
}

/// Returns whether a byte is not a continuation byte of UTF-8.
fn is_char_start(byte: u8) -> bool {
    (byte & 0xC0) != 0x80
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_without_its_columns() {
        let text = "a\nä$b\n\n".as_bytes();
        let lines = Lines::new(text);
        for offset in 0..=text.len() {
            assert_eq!(lines.line(offset), Position::of(text, offset).line);
        }
        // The place that was counted last is still that of the start.
        assert_eq!(lines.last.get(), (0, 1));
    }

    #[test]
    fn columns_count_characters() {
        let text = "a\nä$b\n".as_bytes();
        assert_eq!(Position::of(text, 0), Position::START);
        assert_eq!(
            Position::of(text, 4),
            Position {
                offset: 4,
                line: 2,
                column: 2
            }
        );
        assert_eq!(
            Position::of(text, 99),
            Position {
                offset: 99,
                line: 3,
                column: 1
            }
        );
        let lines = Lines::new(text);
        let all = 0..=text.len() + 1;
        // Each place is counted from the last: forwards, backwards and in turns.
        let turns = all.clone().flat_map(|offset| [offset, 1, offset, 99]);
        for offset in all.clone().chain(all.clone().rev()).chain(turns) {
            assert_eq!(lines.position(offset), Position::of(text, offset));
        }
    }
}
