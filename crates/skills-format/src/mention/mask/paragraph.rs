//! The places of candidates within a paragraph or a heading.

use crate::markdown::blocks::{Blocks, joined};
use crate::markdown::inline::{Inline, InlineKind};
use crate::markdown::link::unescaped;
use crate::mention::mask::place::{Mask, Place};
use std::borrow::Cow;
use std::ops::Range;

/// A paragraph whose candidates are queried in order.
pub(super) struct Paragraph<'t> {
    /// The joined content of the lines, without indents and markers.
    text: Cow<'t, str>,
    /// For each line, its start in `text` and its bytes in the Markdown.
    lines: Vec<(usize, Range<usize>)>,
    /// The parts that are not text, in order, without nested parts.
    parts: Vec<Inline>,
    /// The number of parts that end before the last candidate.
    passed: usize,
}

impl<'t> Paragraph<'t> {
    pub(super) fn new(markdown: &'t str, lines: &[Range<usize>], blocks: &Blocks) -> Self {
        let text = joined(markdown, lines);
        let mut length = 0;
        let placed = lines.iter().map(|line| {
            let start = length;
            length += line.len() + "\n".len();
            (start, line.clone())
        });
        Self {
            lines: placed.collect(),
            parts: flat(blocks.inlines(&text)),
            passed: 0,
            text,
        }
    }

    /// Returns the place of the candidate at this range of the Markdown.
    pub(super) fn place(&mut self, candidate: &Range<usize>) -> Place {
        let Some(start) = self.inside(candidate.start) else {
            return Place::Unseen;
        };
        let end = start.saturating_add(candidate.end - candidate.start);
        let rest = self.parts.get(self.passed..).unwrap_or_default();
        self.passed += rest
            .iter()
            .take_while(|part| part.range.end <= start)
            .count();
        let Some(part) = self.parts.get(self.passed) else {
            return Place::Prose;
        };
        let is_in_part = part.range.start <= start;
        match &part.kind {
            InlineKind::Code if is_in_part => Place::Masked(Mask::CodeSpan),
            InlineKind::Comment if is_in_part => Place::Masked(Mask::Comment),
            InlineKind::Tag => Place::Prose,
            _ if is_in_part => Place::Unseen,
            InlineKind::Link { open, address } if open + 1 == start && part.range.start == end => {
                match address {
                    Some(address) => {
                        let address = self.text.get(address.clone()).unwrap_or_default();
                        let link = self.outside(*open)..self.outside(part.range.end);
                        Place::Label(link, unescaped(address))
                    }
                    None => Place::Unseen,
                }
            }
            _ => Place::Prose,
        }
    }

    /// Maps an offset of the Markdown to the offset in the text.
    fn inside(&self, at: usize) -> Option<usize> {
        let after = self.lines.partition_point(|(_, line)| line.start <= at);
        let (start, line) = self.lines.get(after.checked_sub(1)?)?;
        (at < line.end).then(|| start + at - line.start)
    }

    /// Maps an offset of the text to the offset in the Markdown.
    fn outside(&self, at: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= at);
        let line = after.checked_sub(1).and_then(|line| self.lines.get(line));
        line.map_or(0, |(start, line)| line.start + at - start)
    }
}

/// Returns the parts in order, with each image in place of the parts in its label. The label of an image is
/// not rendered as text.
fn flat(parts: Vec<Inline>) -> Vec<Inline> {
    let mut flat: Vec<Inline> = Vec::with_capacity(parts.len());
    for mut part in parts {
        if let InlineKind::Image { open } = part.kind {
            let before = flat.partition_point(|other| other.range.start < open);
            flat.truncate(before);
            part.range.start = open;
        }
        flat.push(part);
    }
    flat
}
