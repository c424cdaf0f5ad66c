//! Finds the text in which mentions are not resolved: code, comments, quotations, command lines.
//!
//! Masks of Markdown's structure come from the blocks of a text (`blocks.rs`), and from the parts of a paragraph
//! (`inline.rs`). Masks of single lines depend on the beginning of the line alone.
//!
//! Whatever `CommonMark` calls code or a comment is masked. Where that depends on definitions of links or on pairs of
//! brackets, which are not read, more is masked; the tests list the kinds.

pub(crate) mod blocks;
mod inline;

#[cfg(test)]
mod tests;

pub use inline::Mask;

use crate::mention::grammar::is_letter;
use crate::mention::mask::blocks::blocks;
use crate::mention::mask::inline::{Part, PartKind, parts};
use crate::text::work;
use memchr::{memchr, memchr2, memchr3, memmem, memrchr2};
use std::ops::Range;

/// The place of a candidate in a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Text that is rendered.
    Prose,
    /// Code or a comment.
    Masked(Mask),
    /// The whole label of an inline link: the bytes of the link, and its address.
    Label(Range<usize>, String),
    /// A part that is not text: an address, an image, a reference or its definition.
    Unseen,
}

/// Returns the places of candidates, in order. Each range runs from a `$` to the candidate's end as the label of a link.
pub(crate) fn places(text: &str, candidates: &[Range<usize>]) -> Vec<Place> {
    places_from(lead(text), text, candidates)
}

fn places_from(start: usize, text: &str, candidates: &[Range<usize>]) -> Vec<Place> {
    let Some(last) = candidates.last().filter(|_| has_structure(&text[start..])) else {
        return vec![Place::Prose; candidates.len()];
    };
    let (plain, blocks) = blocks(text, start, last.start);
    let mut places = Vec::with_capacity(candidates.len());
    let mut candidates = candidates.iter().peekable();
    for (block, range) in blocks {
        // A candidate between two blocks is in no text.
        while candidates.next_if(|it| it.start < range.start).is_some() {
            places.push(Place::Unseen);
        }
        let end = range.end;
        if candidates.peek().is_none_or(|it| it.start >= end) {
            continue;
        }
        let parts = parts(&plain, block, range, last.end);
        let mut parts = parts.iter().peekable();
        while let Some(candidate) = candidates.next_if(|it| it.start < end) {
            while parts
                .next_if(|part| part.range.end <= candidate.start)
                .is_some()
            {}
            places.push(place(text, candidate, parts.peek().copied()));
        }
    }
    places.extend(candidates.map(|_| Place::Unseen));
    places
}

/// Returns the place of a candidate, from the first part that ends after its start.
fn place(text: &str, candidate: &Range<usize>, part: Option<&Part>) -> Place {
    match part.map(|part| (&part.kind, part.range.start <= candidate.start)) {
        Some((PartKind::Masked(mask), true)) => return Place::Masked(*mask),
        Some((_, true)) => return Place::Unseen,
        _ => {}
    }
    let before = text[..candidate.start].strip_suffix('[');
    let after = text.get(candidate.end..).unwrap_or_default();
    let Some(before) = before.filter(|_| after.starts_with(']')) else {
        return Place::Prose;
    };
    if (before.len() - before.trim_end_matches('\\').len()) % 2 == 1 {
        return Place::Prose;
    }
    if let Some(Part { range, kind }) = part.filter(|part| part.range.start == candidate.end)
        && let PartKind::Resource(address) = kind
    {
        return Place::Label(before.len()..range.end, unescaped(&text[address.clone()]));
    }
    Place::Prose
}

/// Returns for each place of a Markdown text whether it is in code: a fenced or indented block, or a code span. The places
/// are in order.
///
/// # Cost
///
/// Linear in the text. Markdown is read only if the text has a place, and something that could be code.
pub fn are_code(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let code = [Mask::Fence, Mask::Indented, Mask::CodeSpan].map(Place::Masked);
    let places = places_from(0, text, &at.map(|at| at..at).collect::<Vec<_>>());
    places.iter().map(|place| code.contains(place)).collect()
}

/// Returns for each place of a Markdown text whether it is in an address: of a link, an image or a definition. The places
/// are in order.
///
/// # Cost
///
/// Linear in the text.
pub fn are_addresses(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let places = places_from(0, text, &at.map(|at| at..at).collect::<Vec<_>>());
    places.iter().map(|place| *place == Place::Unseen).collect()
}

/// Returns whether a text holds anything for which [`places`] can return another place than `Prose`. Most messages hold
/// nothing of the kind, and need no Markdown reader.
pub(crate) fn has_structure(text: &str) -> bool {
    let text = text.as_bytes();
    memchr3(b'`', b'<', b']', text).is_some()
        || memmem::find(text, b"    ").is_some()
        || memchr2(b'\t', b'~', text).is_some_and(|at| {
            let text = &text[at..];
            memchr(b'\t', text).is_some() || memmem::find(text, b"~~~").is_some()
        })
}

/// Returns the length of the white space at the start of a text. It is not an indent: a message that begins with spaces is
/// not code.
fn lead(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}

/// Returns a text with its escapes resolved.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.next_if(|next| c == '\\' && next.is_ascii_punctuation()) {
            Some(escaped) => out.push(escaped),
            None => out.push(c),
        }
    }
    out
}

/// The masks of lines, queried in the order of the text, so that each line is read at most once.
pub(crate) struct LineMasks<'t> {
    text: &'t str,
    lead: usize,
    /// The offset up to which line ends were searched.
    seen: usize,
    /// The mask of the line at `seen`.
    mask: Option<Mask>,
}

impl<'t> LineMasks<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            lead: lead(text),
            seen: 0,
            mask: None,
        }
    }

    /// Returns the mask of the line at `offset`. Offsets must not decrease from call to call.
    pub(crate) fn mask_at(&mut self, offset: usize) -> Option<Mask> {
        let between = &self.text.as_bytes()[self.seen..offset];
        work::done(between.len());
        let line_end = memrchr2(b'\n', b'\r', between);
        if line_end.is_some() || self.seen == 0 {
            let start = line_end.map_or(0, |end| self.seen + end + 1);
            self.mask = line_mask(&self.text[start.max(self.lead)..]);
        }
        self.seen = offset;
        self.mask
    }
}

/// Returns the mask of the line that begins a text.
fn line_mask(line: &str) -> Option<Mask> {
    let content = line.trim_start_matches(is_blank);
    work::done(line.len() - content.len());
    let before = &line[..line.len() - content.len()];
    match content.as_bytes() {
        [b'$', b' ', ..] => Some(Mask::Prompt),
        [b'!', ..] if is_command(&content[1..]) => Some(Mask::Command),
        [b'>', ..] if before.len() <= 3 && before.bytes().all(|byte| byte == b' ') => {
            Some(Mask::Quote)
        }
        _ => None,
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

fn is_command(text: &str) -> bool {
    text.starts_with(|c| is_letter(c) || matches!(c, '.' | '/'))
}
