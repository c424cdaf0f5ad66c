//! A place in a line, by bytes and by columns.

use std::ops::Range;

/// How far a line was read: white space, of which a part may belong to a container, and then content.
///
/// Indents are counted in columns. A tab reaches to the next multiple of four.
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

    /// The columns of white space before the content.
    pub(super) fn indent(&self) -> usize {
        self.content_column - self.column
    }

    /// Whether no content follows.
    pub(super) fn is_blank(&self) -> bool {
        self.content == self.text.len()
    }

    /// The rest of the line, without the white space before it.
    pub(super) fn content(&self) -> &'t [u8] {
        self.text.get(self.content..).unwrap_or_default()
    }

    /// Where the content stands in the text.
    pub(super) fn range(&self) -> Range<usize> {
        self.content..self.text.len()
    }

    /// Passes white space of this many columns, or all that there is.
    pub(super) fn pass_columns(&mut self, columns: usize) {
        self.column += columns.min(self.indent());
    }

    /// Passes a marker of this many bytes with which the content begins, and the indent before it.
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
