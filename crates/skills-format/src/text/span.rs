//! Places in a text: byte ranges, and the lines and columns that people read.

use std::fmt;
use std::ops::Range;

/// A range of bytes in a text, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The empty range at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The same range as one of the standard library.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The text of this range; empty when the range is not one of `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A place in a text as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    /// Bytes from the start of the text.
    pub offset: usize,
    /// Counts from 1.
    pub line: usize,
    /// Counts characters (Unicode scalar values) from 1.
    pub column: usize,
}

impl Position {
    /// The very start of a text, and the place of what concerns a whole file.
    pub const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };

    /// The place of a byte offset: one pass over the text before it.
    ///
    /// An offset past the end or inside a character counts as the nearest boundary before it.
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

/// Where the lines of a text begin: many places of one text at little cost.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// One pass over the text.
    pub fn new(text: &'t [u8]) -> Self {
        let after = memchr::memchr_iter(b'\n', text).map(|newline| newline + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// The same as [`Position::of`].
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied();
        let start = start.unwrap_or_default();
        let before = self.text.get(start..offset.min(self.text.len()));
        Position {
            offset,
            line,
            column: 1 + before
                .unwrap_or_default()
                .iter()
                .filter(|byte| is_char_start(**byte))
                .count(),
        }
    }
}

/// Not a later byte of a UTF-8 sequence.
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
        for offset in 0..=text.len() + 1 {
            assert_eq!(lines.position(offset), Position::of(text, offset));
        }
    }
}
