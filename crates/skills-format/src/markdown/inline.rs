//! Finds the inline parts of a paragraph or heading that are not text.

use crate::markdown::html;
use crate::markdown::link;
use crate::text::order::sort_by_number;
use memchr::memmem;
use std::ops::Range;

/// A part of a paragraph that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    pub(crate) kind: InlineKind,
    pub(crate) range: Range<usize>,
}

/// The kind of a part.
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
    /// The rest of a link from the `]` of its label. The `[` of the label stands at `open`. Only an inline
    /// link has an address, which still holds its escapes.
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
/// Linear in the text. Each code span adds a binary search over the runs of backticks.
pub(crate) fn inlines(text: &str, definitions: &[String]) -> Vec<Inline> {
    let mut scanner = Scanner {
        text,
        definitions,
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
    definitions: &'t [String],
    at: usize,
    found: Vec<Inline>,
    /// The brackets that are open.
    brackets: Vec<Bracket>,
    /// The place of the last `]`. No bracket after this place can be closed.
    last_close: usize,
    /// The number of outer open brackets that cannot begin a link, since a link stands inside: links do not
    /// nest.
    without_links: usize,
    /// Length and start of every run of backticks, sorted. Read at the first backtick.
    ticks: Option<Vec<(usize, usize)>>,
    /// The ends of comments and instructions that the rest of the text does not contain. Without this list,
    /// every `<!--` of a text without `-->` would be searched to the end.
    unclosed: Vec<&'static str>,
}

struct Bracket {
    at: usize,
    is_image: bool,
    /// True if another bracket opens inside. The label of a reference cannot hold brackets.
    has_brackets: bool,
}

impl Scanner<'_> {
    /// Reads the part that begins with this byte at the current place, and returns the length read.
    fn special(&mut self, byte: u8) -> usize {
        match byte {
            b'\\' => 2,
            b'`' => self.code_span(),
            b'<' => self.in_angles(),
            b'!' | b'[' if self.at > self.last_close => 1,
            b'!' if self.byte(self.at + 1) == Some(b'[') => {
                self.open(true);
                2
            }
            b'[' => {
                self.open(false);
                1
            }
            b']' => self.close(),
            _ => 1,
        }
    }

    /// Reads a code span, or a run of backticks without a partner.
    fn code_span(&mut self) -> usize {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches('`').len();
        let ticks = self.ticks.get_or_insert_with(|| runs_of_ticks(self.text));
        let next = ticks.partition_point(|run| *run < (length, self.at + length));
        let Some((_, partner)) = ticks.get(next).filter(|run| run.0 == length) else {
            return length;
        };
        let end = partner + length;
        self.found(InlineKind::Code, end)
    }

    fn in_angles(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at + 1..).unwrap_or_default();
        if let Some((start, end)) = html::instruction(rest) {
            return self.instruction(start + 1, end);
        }
        if let Some(length) = autolink(rest) {
            return self.found(InlineKind::Autolink, self.at + 1 + length);
        }
        match html::tag(bytes, self.at) {
            Some(end) => self.found(InlineKind::Tag, end),
            None => 1,
        }
    }

    /// Reads a comment or another instruction whose beginning has this length.
    fn instruction(&mut self, length: usize, end: &'static str) -> usize {
        let rest = self.text.get(self.at + length..).unwrap_or_default();
        let is_comment = end == "-->";
        let kind = if is_comment {
            InlineKind::Comment
        } else {
            InlineKind::Tag
        };
        // CommonMark: `<!-->` and `<!--->` are whole comments.
        for short in [">", "->"] {
            if is_comment && rest.starts_with(short) {
                return self.found(kind, self.at + length + short.len());
            }
        }
        if self.unclosed.contains(&end) {
            return 1;
        }
        let Some(inside) = memmem::find(rest.as_bytes(), end.as_bytes()) else {
            self.unclosed.push(end);
            return 1;
        };
        self.found(kind, self.at + length + inside + end.len())
    }

    fn open(&mut self, is_image: bool) {
        if let Some(outer) = self.brackets.last_mut() {
            outer.has_brackets = true;
        }
        self.brackets.push(Bracket {
            at: self.at,
            is_image,
            has_brackets: false,
        });
    }

    /// Reads the rest of a link or image at a `]`, or the `]` alone.
    fn close(&mut self) -> usize {
        let Some(bracket) = self.brackets.pop() else {
            return 1;
        };
        let is_without = self.brackets.len() < self.without_links;
        self.without_links = self.without_links.min(self.brackets.len());
        if is_without && !bracket.is_image {
            return 1;
        }
        let Some((address, end)) = self.tail(&bracket) else {
            return 1;
        };
        let open = bracket.at;
        if bracket.is_image {
            return self.found(InlineKind::Image { open }, end);
        }
        self.without_links = self.brackets.len();
        self.found(InlineKind::Link { open, address }, end)
    }

    /// Returns the end of a link after its label, and the address of an inline link. Returns `None` if the
    /// brackets are not a link.
    fn tail(&self, bracket: &Bracket) -> Option<(Option<Range<usize>>, usize)> {
        let after = self.at + 1;
        if let Some((address, end)) = link::resource(self.text, after) {
            return Some((Some(address), end));
        }
        let start = bracket.at + 1 + usize::from(bracket.is_image);
        let own = || link::key(self.text.get(start..self.at)?).filter(|_| !bracket.has_brackets);
        let label = link::label(self.text, after).unwrap_or(after..after);
        let (key, end) = match link::key(self.text.get(label.clone())?) {
            Some(key) => (key, label.end + 1),
            None if label == (after + 1..after + 1) => (own()?, after + 2),
            None => (own()?, after),
        };
        let is_defined = self.definitions.binary_search(&key).is_ok();
        is_defined.then_some((None, end))
    }

    /// Adds the part from the current place to `end`, and returns its length.
    fn found(&mut self, kind: InlineKind, end: usize) -> usize {
        let range = self.at..end;
        self.found.push(Inline { kind, range });
        end - self.at
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}

fn runs_of_ticks(text: &str) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(before) = memchr::memchr(b'`', text.get(at..).unwrap_or_default().as_bytes()) {
        let start = at + before;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches('`').len();
        runs.push((length, start));
        at = start + length;
    }
    sort_by_number(&mut runs, |(length, _)| *length);
    runs
}

/// Returns the length of an address, or a mail address, including its `>`.
fn autolink(text: &[u8]) -> Option<usize> {
    let is_end = |byte: &u8| matches!(byte, b'>' | b'<' | 0..=b' ' | 0x7F);
    let end = text.iter().position(is_end)?;
    let address = text.get(..end)?;
    let is_link = text.get(end) == Some(&b'>') && (is_address(address) || is_mail(address));
    is_link.then_some(end + 1)
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
    let (local, domain) = (text.get(..at), text.get(at + 1..));
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let is_label = |label: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        label.len() <= 63
            && label.iter().all(is_part)
            && label.first().is_some_and(u8::is_ascii_alphanumeric)
            && label.last().is_some_and(u8::is_ascii_alphanumeric)
    };
    local.is_some_and(|local| !local.is_empty() && local.iter().all(is_local))
        && domain.is_some_and(|domain| domain.split(|byte| *byte == b'.').all(is_label))
}
