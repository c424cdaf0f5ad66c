//! The parts of a paragraph or heading that are not text: code spans, comments, tags, addresses.
//!
//! Definitions of links are not read, and they decide what is a link. Where a backtick or a `<` in an address could be a part
//! of the text, the rest of the paragraph is masked.

use crate::mention::mask::blocks::{Block, could_define, instruction, tag, white_space};
use crate::text::work;
use memchr::{memchr, memchr2, memchr3, memmem};
use std::ops::Range;

/// The maximum nesting of parentheses in an address. Without a limit, a text of repeated `[a](` would be read to its end
/// for each repetition.
const DEEPEST: usize = 32;

/// How far the next byte to look at is: most bytes begin no part, and a backslash takes a byte with it. 0: the byte can
/// begin a part.
const STEPS: [u8; 256] = {
    let mut steps = [1; 256];
    steps[b'\\' as usize] = 2;
    steps[b'`' as usize] = 0;
    steps[b'<' as usize] = 0;
    steps[b'!' as usize] = 0;
    steps[b']' as usize] = 0;
    steps
};

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

/// A part of a block that is not text.
pub(super) struct Part {
    pub(super) range: Range<usize>,
    pub(super) kind: PartKind,
}

pub(super) enum PartKind {
    Masked(Mask),
    Unseen,
    /// What follows the label of an inline link, from the `]`, with the bytes of the address.
    Resource(Range<usize>),
}

/// Returns the parts of a block, in order, as far as they matter for text up to `last`.
///
/// # Cost
///
/// Linear in the block. Each code span adds a search in the set of backticks.
pub(super) fn parts(text: &[u8], block: Block, range: Range<usize>, last: usize) -> Vec<Part> {
    let mut scanner = Scanner {
        text: &text[..range.end],
        at: range.start,
        parts: Vec::new(),
        ticks: None,
        unclosed: Vec::new(),
        image: None,
    };
    let inside = &text[range.clone()];
    match block {
        Block::Fenced { .. } => _ = scanner.rest(Mask::Fence),
        Block::Indented => _ = scanner.rest(Mask::Indented),
        Block::Html(_) => scanner.comments(),
        Block::Paragraph { .. } if could_define(inside) => {
            // Nobody knows where a definition ends, and what it holds is no code.
            let doubtful = memchr2(b'`', b'<', inside);
            let doubtful = doubtful.map_or(range.end, |length| range.start + length);
            let lines = inside.split_inclusive(|byte| *byte == b'\n');
            let lines = lines.take_while(|line| is_definition(line.trim_ascii()));
            let defined = range.start + lines.map(<[u8]>::len).sum::<usize>();
            scanner.text = &text[..doubtful];
            scanner.at = scanner.part(defined.min(doubtful), PartKind::Unseen);
            scanner.inline(last);
            (scanner.text, scanner.at) = (&text[..range.end], doubtful);
            scanner.rest(Mask::CodeSpan);
        }
        Block::Paragraph { .. } | Block::Heading { .. } => scanner.inline(last),
    }
    scanner.parts
}

/// Returns whether a line can define a link: `[label]: address "title"`.
fn is_definition(line: &[u8]) -> bool {
    let Some(label) = memmem::find(line, b"]:").filter(|_| line.starts_with(b"[")) else {
        return false;
    };
    let rest = line[label + 2..].trim_ascii();
    let address = rest
        .iter()
        .take_while(|byte| !b" \t".contains(byte))
        .count();
    let title = rest[address..].trim_ascii_start();
    title.first().is_none_or(|byte| b"\"'(".contains(byte))
}

struct Scanner<'t> {
    /// The text up to the end of the paragraph.
    text: &'t [u8],
    at: usize,
    parts: Vec<Part>,
    /// Length and start of every run of backticks from the first one on, sorted.
    ticks: Option<Vec<(usize, usize)>>,
    /// The ends of comments and instructions that the rest of the text does not contain. Without this list, every `<!--`
    /// of a text without `-->` would be searched to the end.
    unclosed: Vec<&'static str>,
    /// The last `![` since the last address: what follows up to the next address is no text.
    image: Option<usize>,
}

impl Scanner<'_> {
    /// Adds the part from the current place to `end`, and returns its end.
    fn part(&mut self, end: usize, kind: PartKind) -> usize {
        let range = self.at..end;
        self.parts.push(Part { range, kind });
        end
    }

    /// Masks the rest of the block.
    fn rest(&mut self, mask: Mask) -> usize {
        self.part(self.text.len(), PartKind::Masked(mask))
    }

    /// Reads the comments of a block of HTML. The last one can be unclosed.
    fn comments(&mut self) {
        while let Some(before) = memmem::find(&self.text[self.at..], b"<!--") {
            self.at += before;
            let inside = &self.text[self.at + "<!".len()..];
            let length = memmem::find(inside, b"-->").map(|at| at + "<!-->".len());
            let end = length.map_or(self.text.len(), |length| self.at + length);
            self.at = self.part(end, PartKind::Masked(Mask::Comment));
        }
    }

    fn inline(&mut self, last: usize) {
        let mut until = self.text.len().min(last.saturating_add(1));
        while let Some(byte) = self.text[..until].get(self.at) {
            work::done(1);
            let step = STEPS[usize::from(*byte)];
            self.at = match byte {
                _ if step > 0 => self.at + usize::from(step),
                b'`' => self.code_span(),
                b'<' => self.in_angles(),
                b']' => self.after_label(),
                _ => {
                    if self.text[self.at..].starts_with(b"![") {
                        self.image = Some(self.at);
                        until = self.text.len();
                    }
                    self.at + 1
                }
            };
        }
    }

    /// Reads a code span, or a run of backticks without a partner.
    fn code_span(&mut self) -> usize {
        let (text, at) = (self.text, self.at);
        let length = ticks_at(text, at);
        let ticks = self.ticks.get_or_insert_with(|| runs_of_ticks(text, at));
        let next = ticks.partition_point(|run| *run < (length, at + length));
        match ticks.get(next) {
            Some(&(same, partner)) if same == length => {
                self.part(partner + length, PartKind::Masked(Mask::CodeSpan))
            }
            _ => at + length,
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
            return self.rest(Mask::CodeSpan);
        }
        self.part(at + length + 2, PartKind::Unseen)
    }

    /// Reads a comment or another instruction, from the end of its beginning.
    fn instruction(&mut self, from: usize, end: &'static str) -> usize {
        if !self.unclosed.contains(&end) {
            let found = memmem::find(&self.text[from..], end.as_bytes());
            let found = found.map(|at| from + at + end.len());
            work::done(found.unwrap_or(self.text.len()) - from);
            if let Some(found) = found {
                if end == "-->" {
                    self.part(found, PartKind::Masked(Mask::Comment));
                }
                return found;
            }
            self.unclosed.push(end);
        }
        self.at + 1
    }

    /// Reads what follows a `]`: an address in parentheses, or another label. The `[` is not looked for, so text in
    /// parentheses after a `]` is an address.
    fn after_label(&mut self) -> usize {
        let (text, at) = (self.text, self.at);
        let Some((address, end)) = resource(text, at + 1) else {
            return self.second_label();
        };
        // An address can begin with `<`.
        let inside = text[at + 2..end].trim_ascii_start();
        let inside = inside.strip_prefix(b"<").unwrap_or(inside);
        if memchr2(b'`', b'<', inside).is_some() {
            return self.rest(Mask::CodeSpan);
        }
        let Some(image) = self.image.take() else {
            return self.part(end, PartKind::Resource(address));
        };
        let before = self.parts.partition_point(|part| part.range.start < image);
        self.parts.truncate(before);
        self.at = image;
        self.part(end, PartKind::Unseen)
    }

    fn second_label(&mut self) -> usize {
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
            return self.rest(Mask::CodeSpan);
        }
        // Without a definition of the label, an address can follow its `]`.
        self.part(at + 2 + length, PartKind::Unseen)
    }
}

fn runs_of_ticks(text: &[u8], from: usize) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = from;
    while let Some(before) = memchr(b'`', &text[at..]) {
        let length = ticks_at(text, at + before);
        runs.push((length, at + before));
        at += before + length;
    }
    runs.sort_unstable();
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
