//! A position in a line, in bytes and in columns.

use std::ops::Range;

/// A position in a line: before the white space that remains, and the content after the white space.
///
/// Indents are counted in columns, since a container can take a part of a tab. A tab reaches to the next
/// multiple of four.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    /// The whole text up to the end of the line.
    text: &'t [u8],
    column: usize,
    content: usize,
    content_column: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t [u8], line: Range<usize>) -> Self {
        let mut cursor = Self {
            text: text.get(..line.end).unwrap_or_default(),
            column: 0,
            content: line.start,
            content_column: 0,
        };
        cursor.pass_white_space();
        cursor
    }

    /// Returns the columns of white space before the content.
    pub(super) fn indent(&self) -> usize {
        self.content_column - self.column
    }

    /// Returns whether the rest of the line is blank.
    pub(super) fn is_blank(&self) -> bool {
        self.content == self.text.len()
    }

    /// Returns the rest of the line, without leading white space.
    pub(super) fn content(&self) -> &'t [u8] {
        self.text.get(self.content..).unwrap_or_default()
    }

    /// Returns the bytes of the content in the text.
    pub(super) fn range(&self) -> Range<usize> {
        self.content..self.text.len()
    }

    /// Passes this many columns of white space, or all white space if there is less.
    pub(super) fn pass_columns(&mut self, columns: usize) {
        self.column += columns.min(self.indent());
    }

    /// Passes the indent, and a marker of this many bytes at the beginning of the content.
    pub(super) fn pass_marker(&mut self, length: usize) {
        self.column = self.content_column + length;
        self.content += length;
        self.content_column = self.column;
        self.pass_white_space();
    }

    fn pass_white_space(&mut self) {
        for byte in self.content() {
            self.content_column += match byte {
                b' ' => 1,
                b'\t' => 4 - self.content_column % 4,
                _ => break,
            };
            self.content += 1;
        }
    }
}
