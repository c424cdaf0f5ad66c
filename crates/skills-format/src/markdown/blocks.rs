//! The blocks of a Markdown text that hold no other block.

use crate::markdown::inline::{Inline, inlines};
use crate::markdown::link;
use crate::text::order::sort_by_text;
use std::borrow::Cow;
use std::ops::Range;

/// The blocks of a text, and the labels that it defines.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// In order.
    pub(crate) all: Vec<Block>,
    /// The labels of definitions, as labels are compared. In order.
    definitions: Vec<String>,
    /// The lines of paragraphs and headings, without white space before their content.
    lines: Vec<Range<usize>>,
    /// Of each list, whether it is loose.
    is_loose: Vec<bool>,
}

/// A block that holds no other.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    /// From its first line to its last. Markers of quotations can stand between them.
    pub(crate) range: Range<usize>,
    /// The lines of a paragraph or heading.
    lines: Range<usize>,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Of an item of this list, or of none.
    Paragraph(Option<usize>),
    /// Of this level.
    Heading(usize),
    Fenced,
    Indented,
    Html,
}

impl Blocks {
    /// The lines of a paragraph or heading, each from its content to its end.
    pub(crate) fn lines(&self, block: &Block) -> &[Range<usize>] {
        self.lines.get(block.lines.clone()).unwrap_or_default()
    }

    /// Whether a block is a paragraph. Text in an item of a list that is not loose is none.
    pub(crate) fn is_paragraph(&self, block: &Block) -> bool {
        let is_loose = |list: usize| self.is_loose.get(list).is_some_and(|is_loose| *is_loose);
        matches!(block.kind, BlockKind::Paragraph(list) if list.is_none_or(is_loose))
    }

    /// The text is read. `is_loose`: of each list by its number.
    pub(super) fn finish(&mut self, is_loose: Vec<bool>) {
        self.is_loose = is_loose;
        sort_by_text(&mut self.definitions, |label| label.as_bytes());
    }

    /// The parts of a paragraph or heading, whose lines are joined in `text`.
    pub(crate) fn inlines(&self, text: &str) -> Vec<Inline> {
        inlines(text, &self.definitions)
    }

    /// Adds a block that is neither a paragraph nor a heading.
    pub(super) fn add(&mut self, kind: BlockKind, range: Range<usize>) {
        let lines = 0..0;
        self.all.push(Block { kind, range, lines });
    }

    /// The number of the next line that is added.
    pub(super) fn next_line(&self) -> usize {
        self.lines.len()
    }

    /// Adds a line to the open paragraph.
    pub(super) fn add_line(&mut self, line: Range<usize>) {
        self.lines.push(line);
    }

    /// Adds what the lines from `first` are. Definitions at their beginning are not a part of it; `false`
    /// if nothing else is there.
    pub(super) fn add_paragraph(&mut self, text: &str, first: usize, kind: BlockKind) -> bool {
        let first = first + self.define(text, first);
        self.add_lines(first, kind)
    }

    /// Adds what the lines from `first` are, if there are any.
    pub(super) fn add_lines(&mut self, first: usize, kind: BlockKind) -> bool {
        let lines = first..self.lines.len();
        let ends = self.lines.get(first).zip(self.lines.last());
        let Some(range) = ends.map(|(first, last)| first.start..last.end) else {
            return false;
        };
        self.all.push(Block { kind, range, lines });
        true
    }

    /// Reads the definitions with which the lines from `first` begin, and returns how many lines they take.
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

/// The text of lines, with a line feed between them.
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
