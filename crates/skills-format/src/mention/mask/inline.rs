//! The parts of a paragraph or heading that are not text: code spans, comments, tags, addresses.

use crate::mention::mask::blocks::{instruction, tag};
use crate::text::work;
use memchr::memmem;
use std::collections::BTreeSet;
use std::ops::Range;

/// The maximum nesting of parentheses in an address. Without a limit, a text of repeated `[a](` would be read to its end
/// for each repetition.
const DEEPEST: usize = 32;

/// A part of a paragraph that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    pub(crate) kind: InlineKind,
    pub(crate) range: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InlineKind {
    /// A code span, with its backticks.
    Code,
    /// An HTML comment.
    Comment,
    /// An HTML tag, or an instruction that is not a comment.
    Tag,
    /// An address in angle brackets.
    Autolink,
    /// The rest of a link from the `]` of its label. The `[` of the label stands at `open`. Only an inline link has an
    /// address, which still holds its escapes.
    Link {
        open: usize,
        address: Option<Range<usize>>,
    },
    /// The rest of an image from the `]` of its label. The `!` of the image stands at `open`.
    Image { open: usize },
}

/// Returns the parts of a paragraph, in order. Parts nest only in the label of a link or image.
///
/// # Cost
///
/// Linear in the text. Each code span adds a search in the set of backticks.
pub(crate) fn inlines(text: &str) -> Vec<Inline> {
    let mut scanner = Scanner {
        text,
        at: 0,
        found: Vec::new(),
        brackets: Vec::new(),
        without_links: 0,
        last_close: memchr::memrchr(b']', text.as_bytes()).unwrap_or_default(),
        ticks: None,
        unclosed: Vec::new(),
    };
    while let Some(byte) = text.as_bytes().get(scanner.at) {
        scanner.at += scanner.special(*byte);
    }
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    found: Vec<Inline>,
    /// The brackets that are open: each with its place, and whether it opens an image.
    brackets: Vec<(usize, bool)>,
    /// The place of the last `]`. No bracket after this place can be closed.
    last_close: usize,
    /// The number of outer open brackets that cannot begin a link, since a link stands inside: links do not nest.
    without_links: usize,
    /// Length and start of every run of backticks. Read at the first backtick.
    ticks: Option<BTreeSet<(usize, usize)>>,
    /// The ends of comments and instructions that the rest of the text does not contain. Without this list, every `<!--`
    /// of a text without `-->` would be searched to the end.
    unclosed: Vec<&'static str>,
}

impl Scanner<'_> {
    /// Reads the part that begins with this byte at the current place, and returns the length read.
    fn special(&mut self, byte: u8) -> usize {
        work::done(1);
        match byte {
            b'\\' => 2,
            b'`' => self.code_span(),
            b'<' => self.in_angles(),
            b'!' | b'[' if self.at > self.last_close => 1,
            b'!' if self.text.as_bytes().get(self.at + 1) == Some(&b'[') => {
                self.brackets.push((self.at, true));
                2
            }
            b'[' => {
                self.brackets.push((self.at, false));
                1
            }
            b']' => self.close(),
            _ => 1,
        }
    }

    /// Reads a code span, or a run of backticks without a partner.
    fn code_span(&mut self) -> usize {
        let rest = &self.text[self.at..];
        let length = rest.len() - rest.trim_start_matches('`').len();
        let ticks = self.ticks.get_or_insert_with(|| runs_of_ticks(self.text));
        let mut partners = ticks.range((length, self.at + length)..=(length, usize::MAX));
        match partners.next() {
            Some((_, partner)) => {
                let end = partner + length;
                self.found(InlineKind::Code, end)
            }
            None => length,
        }
    }

    fn in_angles(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        let rest = &bytes[self.at + 1..];
        if let Some((start, end)) = instruction(rest) {
            return self.instruction(start + 1, end);
        }
        if let Some(length) = autolink(rest) {
            return self.found(InlineKind::Autolink, self.at + 1 + length);
        }
        match tag(bytes, self.at) {
            Some(end) => self.found(InlineKind::Tag, end),
            None => 1,
        }
    }

    /// Reads a comment or another instruction whose beginning has this length.
    fn instruction(&mut self, length: usize, end: &'static str) -> usize {
        let rest = &self.text[self.at + length..];
        let is_comment = end == "-->";
        let kind = if is_comment {
            InlineKind::Comment
        } else {
            InlineKind::Tag
        };
        // `<!-->` and `<!--->` are whole comments.
        for short in [">", "->"] {
            if is_comment && rest.starts_with(short) {
                return self.found(kind, self.at + length + short.len());
            }
        }
        if self.unclosed.contains(&end) {
            return 1;
        }
        let inside = memmem::find(rest.as_bytes(), end.as_bytes());
        work::done(inside.unwrap_or(rest.len()));
        let Some(inside) = inside else {
            self.unclosed.push(end);
            return 1;
        };
        self.found(kind, self.at + length + inside + end.len())
    }

    /// Reads the rest of a link or image at a `]`, or the `]` alone.
    fn close(&mut self) -> usize {
        let Some((open, is_image)) = self.brackets.pop() else {
            return 1;
        };
        let is_without = self.brackets.len() < self.without_links;
        self.without_links = self.without_links.min(self.brackets.len());
        if is_without && !is_image {
            return 1;
        }
        let after = self.at + 1;
        let (address, end) = match resource(self.text, after) {
            Some((address, end)) => (Some(address), end),
            // `[a][b]` is a link if the text defines the label, which is not searched.
            None => match label(self.text, after) {
                Some(end) => (None, end),
                None => return 1,
            },
        };
        if is_image {
            return self.found(InlineKind::Image { open }, end);
        }
        self.without_links = self.brackets.len();
        self.found(InlineKind::Link { open, address }, end)
    }

    /// Adds the part from the current place to `end`, and returns its length.
    fn found(&mut self, kind: InlineKind, end: usize) -> usize {
        let range = self.at..end;
        self.found.push(Inline { kind, range });
        end - self.at
    }
}

fn runs_of_ticks(text: &str) -> BTreeSet<(usize, usize)> {
    let mut runs = BTreeSet::new();
    let mut at = 0;
    while let Some(before) = memchr::memchr(b'`', &text.as_bytes()[at..]) {
        let start = at + before;
        let rest = &text[start..];
        let length = rest.len() - rest.trim_start_matches('`').len();
        runs.insert((length, start));
        at = start + length;
    }
    runs
}

/// Returns the length of an address, or a mail address, including its `>`.
fn autolink(text: &[u8]) -> Option<usize> {
    let is_end = |byte: &u8| matches!(byte, b'>' | b'<' | 0..=b' ' | 0x7F);
    let end = text.iter().position(is_end);
    work::done(end.unwrap_or(text.len()));
    let end = end?;
    let address = &text[..end];
    (text[end] == b'>' && (is_address(address) || is_mail(address))).then_some(end + 1)
}

fn is_address(text: &[u8]) -> bool {
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let length = text.iter().take_while(is_scheme).count();
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && (2..=32).contains(&length)
        && text.get(length) == Some(&b':')
}

fn is_mail(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', text) else {
        return false;
    };
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let is_label = |label: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        label.len() <= 63
            && label.iter().all(is_part)
            && label.first().is_some_and(u8::is_ascii_alphanumeric)
            && label.last().is_some_and(u8::is_ascii_alphanumeric)
    };
    at > 0
        && text[..at].iter().all(is_local)
        && text[at + 1..].split(|byte| *byte == b'.').all(is_label)
}

/// Returns the end of the `[label]` of a reference that begins at `at`. Its inside has no brackets, code or tags.
fn label(text: &str, at: usize) -> Option<usize> {
    let inner = text[at..].strip_prefix('[')?;
    let length = inner.find([']', '[', '`', '<']);
    work::done(length.unwrap_or(inner.len()));
    let length = length.filter(|length| inner[*length..].starts_with(']'))?;
    Some(at + 1 + length + 1)
}

/// Reads the parentheses after the label of an inline link: the address, and the end of the link.
fn resource(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    bytes.get(at).filter(|byte| **byte == b'(')?;
    let (address, end) = destination(bytes, white_space(text, at + 1))?;
    let next = white_space(text, end);
    let title = if next > end { title(bytes, next) } else { None };
    let end = title.map_or(next, |end| white_space(text, end));
    (bytes.get(end)? == &b')').then_some((address, end + 1))
}

/// Reads an address: its inside, and its end.
fn destination(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let is_bracketed = bytes.get(at) == Some(&b'<');
    let start = at + usize::from(is_bracketed);
    let (mut end, mut open) = (start, 0);
    loop {
        work::done(1);
        match bytes.get(end) {
            Some(b'\\') if bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            Some(b'>') if is_bracketed => return Some((start..end, end + 1)),
            Some(b'<' | b'\n') | None if is_bracketed => return None,
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
fn title(bytes: &[u8], at: usize) -> Option<usize> {
    let (open, close) = match bytes.get(at)? {
        b'(' => (b'(', b')'),
        quote @ (b'"' | b'\'') => (*quote, *quote),
        _ => return None,
    };
    let mut end = at + 1;
    loop {
        work::done(1);
        match *bytes.get(end)? {
            byte if byte == close => return Some(end + 1),
            byte if byte == open => return None,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}

fn white_space(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start_matches([' ', '\t', '\n']).len()
}

/// Returns a text with its escapes resolved.
pub(crate) fn unescaped(text: &str) -> String {
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
