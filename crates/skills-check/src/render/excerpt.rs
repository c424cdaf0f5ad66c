//! The lines of a file that a finding is about.

use skills_format::diagnostic::Diagnostic;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::appearance::hides;
use skills_format::text::span::Span;

/// The maximum number of lines of one span that are shown.
const MAX_LINES: usize = 6;
/// The maximum length of a line that is shown whole, in characters.
const MAX_COLUMNS: usize = 100;
/// The maximum length of a mark that has its help beside it, in characters.
const MAX_MARK: usize = 60;

/// Returns a part of a text without the hidden places of the text.
pub fn without(text: &[u8], part: Span, hidden: &[Span]) -> Vec<u8> {
    let mut out = Vec::with_capacity(part.len());
    let mut next = part.start;
    for span in hidden {
        let (start, end) = (span.start.max(next), span.end.min(part.end));
        if start < end {
            out.extend(text.get(next..start).unwrap_or_default());
            out.extend("…".as_bytes());
            next = end;
        }
    }
    out.extend(text.get(next..part.end).unwrap_or_default());
    out
}

/// Returns the parts of a file near a place that are never printed, such as keys: a finding of any rule can stand on the
/// line of a key.
pub type Hidden = fn(&[u8], Span) -> Vec<Span>;

/// The lines of a finding, and the finding's place in these lines. Long lines are cut, the middle of a long place is
/// left out, and so is what is [`Hidden`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The lines.
    pub text: String,
    /// The number of the first line in the file, from 1.
    pub line: usize,
    /// The start of the place in the text, in bytes.
    pub start: usize,
    /// The end of the place, excluded.
    pub end: usize,
}

impl Excerpt {
    /// Takes the lines of a finding from the bytes of its file. Returns `None` if the finding is about the whole
    /// file, or its place is not in the file.
    pub fn of(source: &[u8], diagnostic: &Diagnostic, hidden: Option<Hidden>) -> Option<Self> {
        let span = diagnostic.span();
        if span.start == 0 && span.end == 0 || span.start > source.len() {
            return None;
        }
        let end = shown_end(source, span.start, span.end.clamp(span.start, source.len()));
        let start = span.start - line_before(source.get(..span.start)?).len();
        let line_end = end + line_after(source.get(end..)?).len();
        let hidden = hidden.map_or_else(Vec::new, |hidden| {
            hidden(source, Span::new(start, line_end))
        });
        let shown = |start, end| {
            let bytes = without(source, Span::new(start, end), &hidden);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let before = shown(start, span.start);
        let mut marked = shown(span.start, end);
        if diagnostic.is(RuleId::HiddenText) {
            marked = marked.chars().map(unhidden).collect();
        }
        let after = shown(end, line_end);
        let before = cut_front(&before);
        let after = cut_back(&after);
        let marked = shortened(&marked);
        Some(Self {
            line: diagnostic.start.line,
            start: before.len(),
            end: before.len() + marked.len(),
            text: format!("{before}{marked}{after}"),
        })
    }

    /// Returns the marked text.
    pub(crate) fn marked(&self) -> &str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the number of the last line.
    pub(crate) fn last_line(&self) -> usize {
        self.line + self.text.matches('\n').count()
    }

    /// Returns whether there is room for the help beside the mark.
    pub(crate) fn is_short(&self) -> bool {
        let marked = self.marked();
        !marked.contains('\n') && marked.chars().count() <= MAX_MARK
    }
}

/// Returns what stands for a character that a person would not see.
fn unhidden(c: char) -> char {
    if hides(c) && !c.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}

/// The maximum number of bytes of a line that are read before and after a mark: as many as `MAX_COLUMNS` characters
/// can have. A file can be one line of a megabyte.
const MAX_AROUND: usize = MAX_COLUMNS * 4;

/// Returns the last line of a text; of a long line, the end from a whole character on.
fn line_before(text: &[u8]) -> &[u8] {
    let start = text.len().saturating_sub(MAX_AROUND);
    let near = text.get(start..).unwrap_or_default();
    let line = memchr::memrchr(b'\n', near).map(|at| at + 1);
    let is_first = |byte: &u8| !(0x80..0xC0).contains(byte);
    let start = line.or_else(|| near.iter().position(is_first));
    near.get(start.unwrap_or(0)..).unwrap_or_default()
}

/// Returns the first line of a text; of a long line, the beginning.
fn line_after(text: &[u8]) -> &[u8] {
    let near = text.get(..MAX_AROUND).unwrap_or(text);
    let end = memchr::memchr(b'\n', near).unwrap_or(near.len());
    near.get(..end).unwrap_or_default()
}

fn shown_end(source: &[u8], start: usize, end: usize) -> usize {
    let inside = source.get(start..end).unwrap_or_default();
    let last = memchr::memchr_iter(b'\n', inside).nth(MAX_LINES - 1);
    let end = last.map_or(end, |at| start + at);
    let trimmed = source.get(start..end).unwrap_or_default().trim_ascii_end();
    start + trimmed.len()
}

fn cut_front(text: &str) -> String {
    let over = text.chars().count().saturating_sub(MAX_COLUMNS / 2);
    match over {
        0 => text.to_owned(),
        over => std::iter::once('…')
            .chain(text.chars().skip(over))
            .collect(),
    }
}

fn cut_back(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(MAX_COLUMNS / 2) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

/// Removes the middle of long marked lines.
fn shortened(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| {
            let length = line.chars().count();
            if length <= MAX_COLUMNS {
                return line.to_owned();
            }
            let head = line.chars().take(MAX_COLUMNS * 2 / 3);
            let tail = line.chars().skip(length - MAX_COLUMNS / 3);
            head.chain(['…']).chain(tail).collect()
        })
        .collect();
    lines.join("\n")
}
