//! Finds the text in which mentions are not resolved: code, comments, quotations, command lines.
//!
//! Masks of Markdown's structure come from the blocks of a text (`blocks.rs`), and from the parts of a paragraph
//! (`inline.rs`). Masks of single lines depend on the beginning of the line alone.
//!
//! Whatever `CommonMark` calls code or a comment is masked. The masks know no definitions of links and no entities, so that
//! a few more places are masked or left out; the tests list them.

pub(crate) mod blocks;
pub(crate) mod inline;

#[cfg(test)]
mod tests;

use crate::mention::grammar::{Steps, is_letter};
use crate::mention::mask::blocks::{Block, BlockKind, blocks};
use crate::mention::mask::inline::{Inline, InlineKind, inlines, unescaped};
use memchr::{memchr_iter, memchr3, memmem, memrchr2};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// The reason why a candidate is not resolved. If several reasons apply, code and comments take precedence
/// over lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mask {
    /// A fenced code block, or its info string.
    Fence,
    /// An indented code block.
    Indented,
    /// An inline code span.
    CodeSpan,
    /// An HTML comment.
    Comment,
    /// The line of a shell prompt: `$ cargo build`.
    Prompt,
    /// The line of a command: `!cargo build`.
    Command,
    /// The line of a quotation: `> someone said`.
    Quote,
}

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
pub(crate) fn places(text: &str, candidates: impl Iterator<Item = Range<usize>>) -> Vec<Place> {
    let lead = lead(text);
    let candidates: Vec<Range<usize>> = candidates
        .map(|range| range.start.saturating_sub(lead)..range.end.saturating_sub(lead))
        .collect();
    let mut places = places_in(&text[lead..], &candidates);
    for place in &mut places {
        if let Place::Label(link, _) = place {
            *link = link.start + lead..link.end + lead;
        }
    }
    places
}

fn places_in(markdown: &str, candidates: &[Range<usize>]) -> Vec<Place> {
    let mut places = Vec::with_capacity(candidates.len());
    let blocks = blocks(markdown);
    let lines = blocks.iter().flat_map(|block| definitions(markdown, block));
    let labels = lines.filter_map(|line| line.split_once("]:").map(|(label, _)| label));
    let labels: BTreeSet<&str> = labels.collect();
    for block in blocks {
        if places.len() == candidates.len() {
            break;
        }
        // A candidate between two blocks is in no text.
        let before = candidates[places.len()..].partition_point(|it| it.start < block.range.start);
        places.resize(places.len() + before, Place::Unseen);
        let rest = &candidates[places.len()..];
        let inside = &rest[..rest.partition_point(|it| it.start < block.range.end)];
        match block.kind {
            _ if inside.is_empty() => {}
            BlockKind::Fenced => places.extend(inside.iter().map(|_| Place::Masked(Mask::Fence))),
            BlockKind::Indented => {
                places.extend(inside.iter().map(|_| Place::Masked(Mask::Indented)));
            }
            BlockKind::Html => in_html(markdown, block.range, inside, &mut places),
            BlockKind::Paragraph { .. } | BlockKind::Heading { .. } => {
                in_paragraph(markdown, &block, &labels, inside, &mut places);
            }
        }
    }
    places.resize(candidates.len(), Place::Unseen);
    places
}

/// Masks the comments of an HTML block. The rest of the block is text.
fn in_html(markdown: &str, block: Range<usize>, inside: &[Range<usize>], places: &mut Vec<Place>) {
    let html = &markdown[block.clone()];
    let mut comment = find_comment(html, 0);
    for candidate in inside {
        let at = candidate.start - block.start;
        while let Some(found) = comment.clone().filter(|found| found.end <= at) {
            comment = find_comment(html, found.end);
        }
        let is_inside = comment.as_ref().is_some_and(|found| found.start <= at);
        places.push(if is_inside {
            Place::Masked(Mask::Comment)
        } else {
            Place::Prose
        });
    }
}

fn in_paragraph(
    markdown: &str,
    block: &Block,
    labels: &BTreeSet<&str>,
    inside: &[Range<usize>],
    places: &mut Vec<Place>,
) {
    // Every part that is not text begins with one of these bytes.
    let written = markdown[block.range.clone()].as_bytes();
    if memchr3(b'`', b'<', b'[', written).is_none() {
        places.extend(inside.iter().map(|_| Place::Prose));
        return;
    }
    let mut paragraph = Paragraph::new(markdown, block, labels);
    places.extend(inside.iter().map(|candidate| paragraph.place(candidate)));
}

/// Returns for each place of a Markdown text whether it is in code: a fenced or indented block, or a code span. The places
/// are in order.
///
/// # Cost
///
/// Linear in the text. Markdown is read only if the text has a place, and something that could be code.
pub fn are_code(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let ranges: Vec<Range<usize>> = at.map(|at| at..at + 1).collect();
    if ranges.is_empty() || !has_structure(text) && !has_indent(text) {
        return vec![false; ranges.len()];
    }
    let code = [Mask::Fence, Mask::Indented, Mask::CodeSpan].map(Place::Masked);
    let places = places_in(text, &ranges);
    places.iter().map(|place| code.contains(place)).collect()
}

/// Returns for each place of a Markdown text whether it is in an address: of a link, an image or a definition. The places
/// are in order.
///
/// # Cost
///
/// Linear in the text.
pub fn are_addresses(text: &str, at: impl Iterator<Item = usize>) -> Vec<bool> {
    let ranges: Vec<Range<usize>> = at.map(|at| at..at + 1).collect();
    let places = places_in(text, &ranges);
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

/// Returns whether a text holds anything but indents for which [`places`] can return another place than `Prose`. Most
/// messages hold nothing of the kind, and need no Markdown reader.
pub(crate) fn has_structure(text: &str) -> bool {
    let text = text.as_bytes();
    let opens_tag = |at: usize| {
        let next = text.get(at + 1);
        next.is_some_and(|next| *next == b'!' || next.is_ascii_alphabetic())
    };
    let ends_label = |at: usize| matches!(text.get(at + 1), Some(b'(' | b'[' | b':'));
    memchr::memchr(b'`', text).is_some()
        || memchr_iter(b'<', text).any(opens_tag)
        || memchr_iter(b']', text).any(ends_label)
        || memmem::find(text, b"~~~").is_some()
}

/// Finds the first comment from `from`. An unclosed comment extends to the end.
fn find_comment(html: &str, from: usize) -> Option<Range<usize>> {
    const OPEN: &str = "<!--";
    let start = from + memmem::find(html.get(from..)?.as_bytes(), OPEN.as_bytes())?;
    let inner = &html[start + OPEN.len()..];
    let length = if inner.starts_with('>') {
        1
    } else if inner.starts_with("->") {
        2
    } else {
        memmem::find(inner.as_bytes(), b"-->").map_or(inner.len(), |end| end + "-->".len())
    };
    Some(start..start + OPEN.len() + length)
}

/// Returns the length of the white space at the start of a text. It is not an indent: a message that begins with spaces is
/// not code.
fn lead(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}

/// A paragraph or heading whose candidates are queried in order.
struct Paragraph<'t> {
    /// The labels that the text defines, each after its `[`.
    labels: &'t BTreeSet<&'t str>,
    /// The content of the lines, joined by line feeds, without indents and markers.
    text: Cow<'t, str>,
    /// For each line, its start in `text` and its bytes in the Markdown.
    lines: Vec<(usize, Range<usize>)>,
    /// The end of the definitions of links that begin the text.
    defined: usize,
    /// The parts that are not text, in order, without nested parts.
    parts: Vec<Inline>,
    /// The number of parts that end before the last candidate.
    passed: usize,
    /// The code spans of the text after the definitions, if there are any.
    rest: Vec<Range<usize>>,
}

impl<'t> Paragraph<'t> {
    fn new(markdown: &'t str, block: &Block, labels: &'t BTreeSet<&'t str>) -> Self {
        let text = joined(markdown, &block.lines);
        let mut lines = Vec::with_capacity(block.lines.len());
        let mut start = 0;
        for range in &block.lines {
            lines.push((start, range.clone()));
            start += range.len() + "\n".len();
        }
        let definitions = definitions(markdown, block);
        let defined: usize = definitions.map(|line| line.len() + "\n".len()).sum();
        let mut rest = Vec::new();
        if defined > 0 {
            // `CommonMark` reads the text without the definitions, whose backticks are then no code.
            let parts = inlines(text.get(defined..).unwrap_or_default());
            let codes = parts
                .into_iter()
                .filter(|part| part.kind == InlineKind::Code);
            rest.extend(codes.map(|part| part.range.start + defined..part.range.end + defined));
        }
        Self {
            labels,
            parts: flat(inlines(&text)),
            text,
            lines,
            defined,
            passed: 0,
            rest,
        }
    }

    /// Returns the place of the candidate at this range of the Markdown.
    fn place(&mut self, candidate: &Range<usize>) -> Place {
        let Some(start) = self.inside(candidate.start) else {
            return Place::Unseen;
        };
        let next = self.rest.partition_point(|code| code.end <= start);
        if self.rest.get(next).is_some_and(|code| code.start <= start) {
            return Place::Masked(Mask::CodeSpan);
        }
        let end = start.saturating_add(candidate.end - candidate.start);
        let rest = &self.parts[self.passed..];
        self.passed += rest
            .iter()
            .take_while(|part| part.range.end <= start)
            .count();
        let label = self.text.get(start.saturating_sub(1)..end);
        let is_label = label.is_some_and(|label| self.labels.contains(label))
            && self.text[end..].starts_with(']');
        // `[label]` is a link if the text defines the label.
        let prose = if start < self.defined || is_label {
            Place::Unseen
        } else {
            Place::Prose
        };
        let Some(part) = self.parts.get(self.passed) else {
            return prose;
        };
        let is_in_part = part.range.start <= start;
        match &part.kind {
            InlineKind::Code if is_in_part => Place::Masked(Mask::CodeSpan),
            InlineKind::Comment if is_in_part => Place::Masked(Mask::Comment),
            InlineKind::Tag => prose,
            _ if is_in_part => Place::Unseen,
            InlineKind::Link { open, address } if open + 1 == start && part.range.start == end => {
                if let Some(address) = address {
                    let link = self.outside(*open)..self.outside(part.range.end);
                    return Place::Label(link, unescaped(&self.text[address.clone()]));
                }
                let label = &self.text[part.range.start + 1..part.range.end - 1];
                if self.labels.contains(label) {
                    Place::Unseen
                } else {
                    prose
                }
            }
            _ => prose,
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

/// Joins the text of lines by line feeds.
pub(crate) fn joined<'t>(text: &'t str, lines: &[Range<usize>]) -> Cow<'t, str> {
    if let [line] = lines {
        return Cow::Borrowed(&text[line.clone()]);
    }
    let lines: Vec<&str> = lines.iter().map(|line| &text[line.clone()]).collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns the lines of a paragraph that define links. They stand at its start.
fn definitions<'t>(markdown: &'t str, block: &Block) -> impl Iterator<Item = &'t str> {
    let lines = match block.kind {
        BlockKind::Paragraph { .. } => block.lines.as_slice(),
        _ => &[],
    };
    let lines = lines.iter().map(|line| &markdown[line.clone()]);
    lines.take_while(|line| is_definition(line))
}

/// Returns whether a line can define a link: `[label]: address "title"`.
fn is_definition(line: &str) -> bool {
    let Some((_, after)) = line.split_once("]:").filter(|_| line.starts_with('[')) else {
        return false;
    };
    let (_, title) = after.trim().split_once([' ', '\t']).unwrap_or_default();
    let title = title.trim_start();
    title.is_empty() || title.starts_with(['"', '\'', '('])
}

/// Returns the parts in order, with each image in place of the parts in its label. The label of an image is not rendered as
/// text.
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

/// The masks of lines, queried in the order of the text, so that each line is read at most once.
pub(crate) struct LineMasks<'t> {
    text: &'t str,
    steps: &'t Steps,
    lead: usize,
    /// The offset up to which line ends were searched.
    seen: usize,
    /// The mask of the line at `seen`.
    mask: Option<Mask>,
    could_be_code: bool,
}

impl<'t> LineMasks<'t> {
    pub(crate) fn new(text: &'t str, steps: &'t Steps) -> Self {
        Self {
            text,
            steps,
            lead: lead(text),
            seen: 0,
            mask: None,
            could_be_code: false,
        }
    }

    /// Returns the mask of the line at `offset`. Offsets must not decrease from call to call.
    pub(crate) fn mask_at(&mut self, offset: usize) -> Option<Mask> {
        let between = self.text.get(self.seen..offset).unwrap_or_default();
        self.steps.add(between.len());
        let line_end = memrchr2(b'\n', b'\r', between.as_bytes());
        if line_end.is_some() || self.seen == 0 {
            let start = line_end.map_or(0, |end| self.seen + end + 1);
            self.read(start.max(self.lead));
        }
        self.seen = offset;
        self.mask
    }

    /// Returns whether any queried line could be indented code.
    pub(crate) fn could_be_code(&self) -> bool {
        self.could_be_code
    }

    fn read(&mut self, start: usize) {
        let line = self.text.get(start..).unwrap_or_default();
        let content = line.trim_start_matches(is_blank);
        let unspaced = line.trim_start_matches(' ');
        let inner = line.trim_start_matches(is_container);
        self.steps
            .add(line.len() - content.len() + line.len() - inner.len());

        let quoted = line.len() - unspaced.len() <= 3 && unspaced.starts_with('>');
        self.mask = if content.starts_with("$ ") {
            Some(Mask::Prompt)
        } else if content.strip_prefix('!').is_some_and(is_command) {
            Some(Mask::Command)
        } else {
            quoted.then_some(Mask::Quote)
        };
        let markers = line.get(..line.len() - inner.len()).unwrap_or_default();
        self.could_be_code |= markers.contains('\t') || markers.contains("    ");
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// Returns whether a character can stand before indented code: indents, and the markers of quotations and
/// list items.
pub(super) fn is_container(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '0'..='9'
    )
}

fn is_command(text: &str) -> bool {
    text.starts_with(|c| is_letter(c) || matches!(c, '.' | '/'))
}
