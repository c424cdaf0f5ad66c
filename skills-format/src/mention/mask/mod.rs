//! Where text is not scanned for mentions.
//!
//! What depends on the structure of Markdown comes from the offsets of a parser; what depends
//! on a single line is read off that line.

pub(crate) mod lines;

#[cfg(test)]
mod tests;

use crate::markdown::parser_input::parser_input;
use memchr::{memchr_iter, memmem};
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};
use std::ops::Range;

/// Why a candidate is not to be resolved. Where several apply, code and comments come before
/// lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mask {
    /// It stands in a fenced code block, or in its info string.
    Fence,
    /// It stands in an indented code block.
    Indented,
    /// It stands in an inline code span.
    CodeSpan,
    /// It stands in an HTML comment.
    Comment,
    /// Its line is a shell prompt: `$ cargo build`.
    Prompt,
    /// Its line is a command: `!cargo build`.
    Command,
    /// Its line is a quotation: `> someone said`.
    Quote,
}

/// Where a candidate stands in a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In text that is rendered.
    Prose,
    /// In code or in a comment.
    Masked(Mask),
    /// It is the whole label of an inline link, which takes up these bytes, to this address.
    Label(Range<usize>, String),
    /// In a part that is not text: an address, an image, a reference or its definition.
    Unseen,
}

/// Where the candidates stand that these ranges are, in order, each from its `$` to where it ends
/// when it is the label of a link.
pub(crate) fn places(text: &str, candidates: impl Iterator<Item = Range<usize>>) -> Vec<Place> {
    let lead = lead(text);
    let markdown = &parser_input(text.get(lead..).unwrap_or_default());
    let candidates = candidates
        .map(|range| range.start.saturating_sub(lead)..range.end.saturating_sub(lead))
        .collect();
    let mut walk = Walk {
        markdown,
        candidates,
        places: Vec::new(),
    };
    for (event, range) in Parser::new_ext(markdown, Options::empty()).into_offset_iter() {
        if walk.places.len() == walk.candidates.len() {
            break;
        }
        walk.event(event, range);
    }
    walk.places.resize(walk.candidates.len(), Place::Unseen);
    for place in &mut walk.places {
        if let Place::Label(link, _) = place {
            *link = link.start + lead..link.end + lead;
        }
    }
    walk.places
}

/// Whether the text holds anything, indents aside, for which [`places`] could answer other than
/// `Prose`.
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
    candidates: Vec<Range<usize>>,
    /// Of the candidates before the place that was reached.
    places: Vec<Place>,
}

impl<'t> Walk<'t> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                self.put(range, &Place::Masked(Mask::Fence));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                self.put(range, &Place::Masked(Mask::Indented));
            }
            Event::Code(_) => self.put(range, &Place::Masked(Mask::CodeSpan)),
            Event::Start(Tag::HtmlBlock) => self.html_block(range),
            Event::InlineHtml(html) if html.starts_with("<!--") => {
                self.put(range, &Place::Masked(Mask::Comment));
            }
            Event::Start(Tag::Image { .. }) => self.put(range, &Place::Unseen),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => match link_type {
                LinkType::Autolink | LinkType::Email => self.put(range, &Place::Unseen),
                LinkType::Inline => {
                    let place = Place::Label(range.clone(), dest_url.into_string());
                    self.label(&range, place);
                }
                _ => self.label(&range, Place::Unseen),
            },
            Event::Text(_) | Event::Html(_) | Event::InlineHtml(_) => {
                self.put(range, &Place::Prose);
            }
            _ => {}
        }
    }

    /// Everything in the range that has no place yet is at this one, and what was passed over
    /// before it is in no text.
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

    /// Gives the candidate that is the whole label of this link its place. No bracket is in a
    /// candidate, so that the first one after it ends the label.
    fn label(&mut self, link: &Range<usize>, place: Place) {
        self.put(link.start..link.start, &Place::Unseen);
        if let Some(candidate) = self.candidates.get(self.places.len())
            && candidate.start == link.start + 1
            && self.markdown.as_bytes().get(candidate.end) == Some(&b']')
        {
            self.places.push(place);
        }
    }

    /// Comments of an HTML block are masked; the rest of it is text.
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

/// The first comment from `from`. An unclosed comment extends to the end.
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

/// The length of the white space at the start of a text, which is not an indent.
fn lead(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}
