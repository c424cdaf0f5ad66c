//! The leaf blocks of a Markdown text: blocks that hold no other block.

use crate::markdown::inline::{Inline, inlines};
use crate::markdown::link;
use crate::text::order::sort_by_text;
use std::borrow::Cow;
use std::ops::Range;

/// The leaf blocks of a text, and the labels that the text defines.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// The blocks in the order of the text.
    pub(crate) all: Vec<Block>,
    /// The labels of definitions, normalized by `link::key`. Sorted at the end, for binary search.
    definitions: Vec<String>,
    /// The lines of paragraphs and headings, without leading white space.
    lines: Vec<Range<usize>>,
    /// For each list, true if the list is loose.
    is_loose: Vec<bool>,
}

/// A leaf block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    /// The bytes from the first line to the last, with the markers of quotations in between.
    pub(crate) range: Range<usize>,
    /// The lines of a paragraph or heading.
    lines: Range<usize>,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A paragraph, with the list of which it is in an item.
    Paragraph(Option<usize>),
    /// A heading of this level.
    Heading(usize),
    Fenced,
    Indented,
    Html,
}

impl Blocks {
    /// Returns the lines of a paragraph or heading, without leading white space.
    pub(crate) fn lines(&self, block: &Block) -> &[Range<usize>] {
        self.lines.get(block.lines.clone()).unwrap_or_default()
    }

    /// Returns whether a block is a paragraph. Text in an item of a tight list is not a paragraph.
    pub(crate) fn is_paragraph(&self, block: &Block) -> bool {
        let is_loose = |list: usize| self.is_loose.get(list).is_some_and(|is_loose| *is_loose);
        matches!(block.kind, BlockKind::Paragraph(list) if list.is_none_or(is_loose))
    }

    /// Finishes the blocks when the whole text is read. `is_loose` says by number which lists are loose.
    pub(super) fn finish(&mut self, is_loose: Vec<bool>) {
        self.is_loose = is_loose;
        sort_by_text(&mut self.definitions, |label| label.as_bytes());
    }

    /// Returns the inline parts of a paragraph or heading, whose lines are joined in `text`.
    pub(crate) fn inlines(&self, text: &str) -> Vec<Inline> {
        inlines(text, &self.definitions)
    }

    /// Adds a block that is neither a paragraph nor a heading.
    pub(super) fn add(&mut self, kind: BlockKind, range: Range<usize>) {
        let lines = 0..0;
        self.all.push(Block { kind, range, lines });
    }

    /// Returns the number that the next added line gets.
    pub(super) fn next_line(&self) -> usize {
        self.lines.len()
    }

    /// Adds a line to the open paragraph.
    pub(super) fn add_line(&mut self, line: Range<usize>) {
        self.lines.push(line);
    }

    /// Adds the lines from `first` as a paragraph or heading, without the definitions at their beginning.
    /// Returns false if the lines hold only definitions.
    pub(super) fn add_paragraph(&mut self, text: &str, first: usize, kind: BlockKind) -> bool {
        let first = first + self.define(text, first);
        self.add_lines(first, kind)
    }

    /// Adds the lines from `first` as a block. Returns false if there are no lines.
    pub(super) fn add_lines(&mut self, first: usize, kind: BlockKind) -> bool {
        let lines = first..self.lines.len();
        let ends = self.lines.get(first).zip(self.lines.last());
        let Some(range) = ends.map(|(first, last)| first.start..last.end) else {
            return false;
        };
        self.all.push(Block { kind, range, lines });
        true
    }

    /// Reads the definitions at the beginning of the lines from `first`, and returns their number of lines.
    fn define(&mut self, text: &str, first: usize) -> usize {
        let lines = self.lines.get(first..).unwrap_or_default();
        let begins_label = |line: &Range<usize>| text.as_bytes().get(line.start) == Some(&b'[');
        if !lines.first().is_some_and(begins_label) {
            return 0;
        }
        let paragraph = joined(text, lines);
        let (mut at, mut taken) = (0, 0);
        while let Some((key, end)) = link::definition(&paragraph, at) {
            self.definitions.push(key);
            let definition = paragraph.get(at..end).unwrap_or_default();
            taken += 1 + memchr::memchr_iter(b'\n', definition.as_bytes()).count();
            at = end + 1;
        }
        taken
    }
}

/// Joins the text of lines by line feeds.
pub(crate) fn joined<'t>(text: &'t str, lines: &[Range<usize>]) -> Cow<'t, str> {
    let mut lines = lines
        .iter()
        .map(|line| text.get(line.clone()).unwrap_or_default());
    let mut joined = Cow::Borrowed(lines.next().unwrap_or_default());
    for line in lines {
        let joined = joined.to_mut();
        joined.push('\n');
        joined.push_str(line);
    }
    joined
}
