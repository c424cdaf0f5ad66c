//! The parts of a paragraph or heading that are not text: code spans, comments, tags, addresses.
//!
//! Definitions of links are not read, and they decide what is a link. Where a backtick or a `<` in an address could be a part
//! of the text, the rest of the paragraph is masked.

use crate::mention::mask::blocks::{instruction, tag, white_space};
use crate::text::work;
use memchr::{memchr, memchr2, memchr3, memmem, memrchr};
use std::collections::BTreeSet;
use std::ops::Range;

/// The maximum nesting of parentheses in an address. Without a limit, a text of repeated `[a](` would be read to its end
/// for each repetition.
const DEEPEST: usize = 32;

/// The bytes that can begin a part: most bytes of a text begin none, and are passed by one look into this table.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut at = 0;
    while at < 6 {
        marks[b"\\`<![]"[at] as usize] = true;
        at += 1;
    }
    marks
};

/// A part of a paragraph that is not text.
pub(super) struct Part {
    pub(super) range: Range<usize>,
    pub(super) kind: PartKind,
}

pub(super) enum PartKind {
    Code,
    Comment,
    Unseen,
    /// What follows the label of an inline link, from the `]`, with the bytes of the address.
    Resource(Range<usize>),
}

/// Returns the parts of the paragraph at `range`, in order. `is_defined`: it could begin with the definition of a link.
///
/// # Cost
///
/// Linear in the paragraph. Each code span adds a search in the set of backticks.
pub(super) fn parts(text: &[u8], range: Range<usize>, is_defined: bool) -> Vec<Part> {
    let mut scanner = Scanner {
        text: &text[..range.end],
        at: range.start,
        parts: Vec::new(),
        ticks: None,
        unclosed: Vec::new(),
        brackets: Vec::new(),
        without_links: 0,
    };
    // Nobody knows where a definition ends, and what it holds is no code.
    let certain = is_defined.then(|| memchr2(b'`', b'<', &text[range.clone()]));
    let certain = certain.flatten().map(|length| range.start + length);
    // After the last `]` no bracket opens a label.
    let labels = memrchr(b']', &text[range.clone()]).map_or(0, |last| range.start + last);
    while let Some(byte) = scanner.text.get(scanner.at) {
        work::done(1);
        if !MARKS[usize::from(*byte)] {
            scanner.at += 1;
            continue;
        }
        if certain.is_some_and(|end| scanner.at >= end) {
            scanner.rest();
            break;
        }
        scanner.at = match byte {
            b'\\' => scanner.at + 2,
            b'`' => scanner.code_span(),
            b'<' => scanner.in_angles(),
            b'!' if scanner.text[scanner.at..].starts_with(b"![") => {
                scanner.brackets.push((scanner.at, true));
                scanner.at + 2
            }
            b'[' if scanner.at < labels => {
                scanner.brackets.push((scanner.at, false));
                scanner.at + 1
            }
            b']' => scanner.after_label(),
            _ => scanner.at + 1,
        };
    }
    scanner.parts
}

/// Returns the comments of a block of HTML. The last one can be unclosed.
pub(super) fn comments(text: &[u8], range: Range<usize>) -> Vec<Part> {
    let text = &text[..range.end];
    let mut parts = Vec::new();
    let mut start = range.start;
    while let Some(before) = memmem::find(&text[start..], b"<!--") {
        let from = start + before;
        start = comment_end(text, from).unwrap_or(text.len());
        parts.push(Part {
            range: from..start,
            kind: PartKind::Comment,
        });
    }
    parts
}

/// Returns the end of the comment that begins at `at`. `<!-->` and `<!--->` are whole comments.
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    let inside = at + "<!--".len();
    let short = [&b">"[..], b"->"].into_iter();
    let mut short = short.filter(|end| text[inside..].starts_with(end));
    if let Some(end) = short.next() {
        return Some(inside + end.len());
    }
    Some(inside + memmem::find(&text[inside..], b"-->")? + "-->".len())
}

struct Scanner<'t> {
    /// The text up to the end of the paragraph.
    text: &'t [u8],
    at: usize,
    parts: Vec<Part>,
    /// Length and start of every run of backticks from the first one on.
    ticks: Option<BTreeSet<(usize, usize)>>,
    /// The ends of comments and instructions that the rest of the text does not contain. Without this list, every `<!--`
    /// of a text without `-->` would be searched to the end.
    unclosed: Vec<&'static str>,
    /// The brackets that are open: each with its place, and whether it opens an image.
    brackets: Vec<(usize, bool)>,
    /// The number of outer open brackets that cannot begin a link, since a link stands inside: links do not nest.
    without_links: usize,
}

impl Scanner<'_> {
    /// Adds the part from the current place to `end`, and returns its end.
    fn part(&mut self, end: usize, kind: PartKind) -> usize {
        let range = self.at..end;
        self.parts.push(Part { range, kind });
        end
    }

    /// Masks the rest of the paragraph, in which code cannot be told from text.
    fn rest(&mut self) -> usize {
        self.at = self.part(self.text.len(), PartKind::Code);
        self.at
    }

    /// Reads a code span, or a run of backticks without a partner.
    fn code_span(&mut self) -> usize {
        let (text, at) = (self.text, self.at);
        let length = ticks_at(text, at);
        let ticks = self.ticks.get_or_insert_with(|| runs_of_ticks(text, at));
        let mut partners = ticks.range((length, at + length)..=(length, usize::MAX));
        match partners.next() {
            Some(&(_, partner)) => self.part(partner + length, PartKind::Code),
            None => at + length,
        }
    }

    fn in_angles(&mut self) -> usize {
        let (text, at) = (self.text, self.at);
        if let Some((length, ends)) = instruction(&text[at + 1..]) {
            return self.instruction(at + 1 + length, ends[0]);
        }
        if let Some(end) = tag(text, at) {
            return end;
        }
        // An address, or something like it.
        let length = text[at + 1..]
            .iter()
            .take_while(|byte| **byte > b' ' && !b"<>".contains(byte))
            .count();
        work::done(length);
        let inside = &text[at + 1..at + 1 + length];
        let is_closed = text.get(at + 1 + length) == Some(&b'>');
        let is_scheme = inside.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_closed || !(inside.contains(&b'@') || is_scheme && inside.contains(&b':')) {
            return at + 1;
        }
        if inside.contains(&b'`') {
            return self.rest();
        }
        self.part(at + length + 2, PartKind::Unseen)
    }

    /// Reads a comment or another instruction, from the end of its beginning.
    fn instruction(&mut self, from: usize, end: &'static str) -> usize {
        if self.unclosed.contains(&end) {
            return self.at + 1;
        }
        let is_comment = end == "-->";
        let found = if is_comment {
            comment_end(self.text, self.at)
        } else {
            memmem::find(&self.text[from..], end.as_bytes()).map(|at| from + at + end.len())
        };
        work::done(found.unwrap_or(self.text.len()) - from);
        let Some(found) = found else {
            self.unclosed.push(end);
            return self.at + 1;
        };
        if is_comment {
            self.part(found, PartKind::Comment);
        }
        found
    }

    /// Reads what follows a label at its `]`: an address in parentheses, or another label.
    fn after_label(&mut self) -> usize {
        let (text, at, open) = (self.text, self.at, self.brackets.pop());
        let is_outer = self.brackets.len() < self.without_links;
        self.without_links = self.without_links.min(self.brackets.len());
        let open = open.filter(|(_, is_image)| *is_image || !is_outer);
        let Some((address, end)) = resource(text, at + 1) else {
            return self.second_label(open.is_some());
        };
        // An address can begin with `<`.
        let inside = text[at + 2..end].trim_ascii_start();
        let inside = inside.strip_prefix(b"<").unwrap_or(inside);
        if memchr2(b'`', b'<', inside).is_some() {
            return self.rest();
        }
        match open {
            None => at + 1,
            Some((_, false)) => {
                self.without_links = self.brackets.len();
                self.part(end, PartKind::Resource(address))
            }
            Some((image, true)) => {
                // The label of an image is not text.
                let before = self.parts.partition_point(|part| part.range.start < image);
                self.parts.truncate(before);
                self.at = image;
                self.part(end, PartKind::Unseen)
            }
        }
    }

    fn second_label(&mut self, is_open: bool) -> usize {
        let (text, at) = (self.text, self.at);
        let Some(inner) = text[at + 1..].strip_prefix(b"[") else {
            return at + 1;
        };
        let length = memchr(b']', inner);
        work::done(length.unwrap_or(inner.len()));
        let Some(length) = length else {
            return at + 1;
        };
        if memchr3(b'`', b'<', b'\\', &inner[..length]).is_some() {
            self.rest()
        } else if !is_open || inner[..length].contains(&b'[') {
            at + 1
        } else {
            self.part(at + 2 + length + 1, PartKind::Unseen)
        }
    }
}

fn runs_of_ticks(text: &[u8], from: usize) -> BTreeSet<(usize, usize)> {
    let mut runs = BTreeSet::new();
    let mut at = from;
    while let Some(before) = memchr(b'`', &text[at..]) {
        let length = ticks_at(text, at + before);
        runs.insert((length, at + before));
        at += before + length;
    }
    runs
}

fn ticks_at(text: &[u8], at: usize) -> usize {
    text[at..].iter().take_while(|byte| **byte == b'`').count()
}

/// Reads the parentheses after the label of an inline link: the address, and the end of the link.
fn resource(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    text.get(at).filter(|byte| **byte == b'(')?;
    let (address, end) = destination(text, white_space(text, at + 1))?;
    let next = white_space(text, end);
    let title = if next > end { title(text, next) } else { None };
    let end = title.map_or(next, |end| white_space(text, end));
    (text.get(end)? == &b')').then_some((address, end + 1))
}

/// Reads an address: its inside, and its end.
fn destination(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let is_bracketed = text.get(at) == Some(&b'<');
    let start = at + usize::from(is_bracketed);
    let (mut end, mut open) = (start, 0);
    loop {
        work::done(1);
        match text.get(end) {
            Some(b'\\') if text.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            Some(b'>') if is_bracketed => return Some((start..end, end + 1)),
            Some(b'<' | b'\n' | b'\r') | None if is_bracketed => return None,
            Some(_) if is_bracketed => {}
            Some(b'(') if open == DEEPEST => return None,
            Some(b'(') => open += 1,
            Some(b')') if open > 0 => open -= 1,
            Some(byte) if *byte != b')' && *byte > b' ' && *byte != 0x7F => {}
            _ => return (open == 0).then_some((start..end, end)),
        }
        end += 1;
    }
}

/// Returns the end of the title that begins at `at`.
fn title(text: &[u8], at: usize) -> Option<usize> {
    let (open, close) = match text.get(at)? {
        b'(' => (b'(', b')'),
        quote @ (b'"' | b'\'') => (*quote, *quote),
        _ => return None,
    };
    let mut end = at + 1;
    loop {
        work::done(1);
        match *text.get(end)? {
            byte if byte == close => return Some(end + 1),
            byte if byte == open => return None,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}
