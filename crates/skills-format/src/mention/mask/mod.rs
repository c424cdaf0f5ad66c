//! Finds the text in which mentions are not resolved: code, comments, quotations, command lines.
//!
//! Masks of Markdown's structure come from the blocks of a text, and from the parts of a paragraph. Masks of
//! single lines depend on the beginning of the line alone (`lines.rs`).

pub(crate) mod lines;
mod paragraph;
pub mod place;

#[cfg(test)]
mod tests;

use crate::markdown::blocks::{Block, BlockKind, Blocks};
use crate::markdown::reader::blocks;
use crate::mention::mask::paragraph::Paragraph;
use crate::mention::mask::place::{Mask, Place};
use memchr::{memchr_iter, memchr3, memmem};
use std::ops::Range;

/// Returns the places of candidates, in order. Each range runs from a `$` to the candidate's end as the label
/// of a link.
pub(crate) fn places(text: &str, candidates: impl Iterator<Item = Range<usize>>) -> Vec<Place> {
    let lead = lead(text);
    let markdown = text.get(lead..).unwrap_or_default();
    let candidates =
        candidates.map(|range| range.start.saturating_sub(lead)..range.end.saturating_sub(lead));
    let mut places = places_in(markdown, candidates.collect());
    for place in &mut places {
        if let Place::Label(link, _) = place {
            *link = link.start + lead..link.end + lead;
        }
    }
    places
}

fn places_in(markdown: &str, candidates: Vec<Range<usize>>) -> Vec<Place> {
    let blocks = blocks(markdown);
    let mut walk = Walk {
        markdown,
        blocks: &blocks,
        candidates,
        places: Vec::new(),
    };
    for block in &blocks.all {
        if walk.places.len() == walk.candidates.len() {
            break;
        }
        walk.block(block);
    }
    walk.places.resize(walk.candidates.len(), Place::Unseen);
    walk.places
}

/// Returns for each place of a Markdown text whether it is in code: a fenced or indented block, or a code span.
/// The places are in order.
///
/// # Cost
///
/// Linear in the text. Markdown is parsed only if the text has a place, and something that could be code.
pub fn are_code(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let ranges: Vec<Range<usize>> = at.map(|at| at..at + 1).collect();
    if ranges.is_empty() || !has_structure(text) && !has_indent(text) {
        return vec![false; ranges.len()];
    }
    let places = places_in(text, ranges);
    let is_code = |place: &Place| {
        matches!(
            place,
            Place::Masked(Mask::Fence | Mask::Indented | Mask::CodeSpan)
        )
    };
    places.iter().map(is_code).collect()
}

/// Returns for each place of a Markdown text whether it is in an address: of a link, an image or a definition. The places
/// are in order.
///
/// # Cost
///
/// Linear in the text.
pub fn are_addresses(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let places = places_in(text, at.map(|at| at..at + 1).collect());
    places.iter().map(|place| *place == Place::Unseen).collect()
}

/// Returns whether a line could begin an indented code block.
fn has_indent(text: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| {
        line.starts_with("    ")
            || line.starts_with([' ', '\t']) && line.trim_start_matches(' ').starts_with('\t')
    })
}

/// Returns whether a text holds anything but indents for which [`places`] can return another place than
/// `Prose`. Most messages hold nothing of the kind, and need no Markdown reader.
pub(crate) fn has_structure(text: &str) -> bool {
    let text = text.as_bytes();
    let opens_tag = |at: usize| {
        let next = text.get(at + 1);
        next.is_some_and(|next| *next == b'!' || next.is_ascii_alphabetic())
    };
    let ends_label = |at: usize| matches!(text.get(at + 1), Some(b'(' | b':'));
    memchr::memchr(b'`', text).is_some()
        || memchr_iter(b'<', text).any(opens_tag)
        || memchr_iter(b']', text).any(ends_label)
        || memmem::find(text, b"~~~").is_some()
}

struct Walk<'t> {
    markdown: &'t str,
    blocks: &'t Blocks,
    candidates: Vec<Range<usize>>,
    /// The places of the candidates so far.
    places: Vec<Place>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        let range = block.range.clone();
        match block.kind {
            BlockKind::Fenced => self.put(range, &Place::Masked(Mask::Fence)),
            BlockKind::Indented => self.put(range, &Place::Masked(Mask::Indented)),
            BlockKind::Html => self.html_block(range),
            BlockKind::Paragraph(_) | BlockKind::Heading(_) => {
                self.put(range.start..range.start, &Place::Unseen);
                let next = self.candidates.get(self.places.len());
                if next.is_none_or(|candidate| candidate.start >= range.end) {
                    return;
                }
                let written = self.markdown.get(range.clone()).unwrap_or_default();
                // Every part that is not text begins with one of these bytes.
                match memchr3(b'`', b'<', b'[', written.as_bytes()) {
                    Some(_) => self.paragraph(block),
                    None => self.put(range, &Place::Prose),
                }
            }
        }
    }

    /// Gives `place` to the candidates in the range that have no place yet. Candidates before the range are
    /// in no text.
    fn put(&mut self, range: Range<usize>, place: &Place) {
        while let Some(candidate) = self.candidates.get(self.places.len()) {
            let place = match candidate.start {
                start if start < range.start => Place::Unseen,
                start if start < range.end => place.clone(),
                _ => break,
            };
            self.places.push(place);
        }
    }

    fn paragraph(&mut self, block: &Block) {
        let lines = self.blocks.lines(block);
        let mut paragraph = Paragraph::new(self.markdown, lines, self.blocks);
        let candidates = self.candidates.get(self.places.len()..).unwrap_or_default();
        let candidates = candidates
            .iter()
            .take_while(|candidate| candidate.start < block.range.end);
        self.places
            .extend(candidates.map(|candidate| paragraph.place(candidate)));
    }

    /// Masks the comments of an HTML block. The rest of the block is text.
    fn html_block(&mut self, block: Range<usize>) {
        let html = self.markdown.get(block.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(comment) = find_comment(html, at) {
            self.put(block.start + at..block.start + comment.start, &Place::Prose);
            at = comment.end;
            let comment = block.start + comment.start..block.start + comment.end;
            self.put(comment, &Place::Masked(Mask::Comment));
        }
        self.put(block.start + at..block.end, &Place::Prose);
    }
}

/// Finds the first comment from `from`. An unclosed comment extends to the end.
fn find_comment(html: &str, from: usize) -> Option<Range<usize>> {
    const OPEN: &str = "<!--";
    let start = from + memmem::find(html.get(from..)?.as_bytes(), OPEN.as_bytes())?;
    let inner = html.get(start + OPEN.len()..)?;
    let length = if inner.starts_with('>') {
        1
    } else if inner.starts_with("->") {
        2
    } else {
        memmem::find(inner.as_bytes(), b"-->").map_or(inner.len(), |end| end + "-->".len())
    };
    Some(start..start + OPEN.len() + length)
}

/// Returns the length of the white space at the start of a text. It is not an indent: a message that begins
/// with spaces is not code.
fn lead(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}
