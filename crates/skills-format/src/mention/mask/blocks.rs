//! The leaf blocks of a Markdown text: code, HTML, paragraphs and headings.
//!
//! In every line, first the containers that continue (quotations and list items), then the containers and the block that
//! begin, then text. By the rules of `CommonMark` 0.31, without definitions of links: their lines are paragraphs.

use crate::text::work;
use memchr::{memchr, memchr2, memmem};
use std::ops::Range;

/// The columns of white space that make a line indented code.
const INDENT: usize = 4;
/// The maximum nesting of containers; deeper markers are text. Every line is compared with every open container, so the
/// limit keeps the time linear in the text.
const DEEPEST: usize = 50;

/// A leaf block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: BlockKind,
    /// The bytes from the first line to the last, with the markers of quotations in between.
    pub(crate) range: Range<usize>,
    /// The lines of a paragraph or heading, without leading white space.
    pub(crate) lines: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    Paragraph { in_list: bool },
    Heading { level: usize },
    Fenced,
    Indented,
    Html,
}

/// Reads the blocks of `text`, in order. Linear in the text.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let text = text.as_bytes();
    let mut reader = Reader {
        containers: Vec::new(),
        open: None,
        blocks: Vec::new(),
    };
    let mut start = 0;
    while start < text.len() {
        let length = memchr2(b'\n', b'\r', &text[start..]).unwrap_or(text.len() - start);
        let end = start + length;
        reader.line(Cursor::new(&text[..end], start));
        start = end
            + if text[end..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
    }
    reader.close();
    reader.blocks
}

/// The open block that is the innermost.
struct Open {
    kind: OpenKind,
    range: Range<usize>,
    lines: Vec<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenKind {
    Paragraph,
    Fenced { byte: u8, length: usize },
    Indented,
    Html(Html),
}

#[derive(Clone, Copy)]
enum Container {
    Quote,
    /// A list item whose content has this indent. It is empty so far if it began with a blank line.
    Item {
        indent: usize,
        is_empty: bool,
    },
}

/// The relation of a line to the open paragraph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    Nothing,
    /// A container of the paragraph does not continue, so the line can only add text.
    Lazy,
    Paragraph,
}

struct Reader {
    containers: Vec<Container>,
    open: Option<Open>,
    blocks: Vec<Block>,
}

impl Reader {
    fn line(&mut self, mut line: Cursor<'_>) {
        work::done(1 + line.content().len() + self.containers.len());
        let matched = self.matched(&mut line);
        if matched < self.containers.len() || !self.takes(&line) {
            self.begin(line, matched);
        }
    }

    /// Passes the markers and indents of the containers that continue in this line, and returns their number.
    fn matched(&mut self, line: &mut Cursor<'_>) -> usize {
        for (at, container) in self.containers.iter_mut().enumerate() {
            match container {
                Container::Quote if line.is_quote() => line.pass_quote(),
                Container::Item { indent, is_empty } if line.is_blank() => {
                    // An item can begin with at most one blank line. No later line has this indent, so the item ends.
                    if *is_empty {
                        *indent = usize::MAX;
                    }
                }
                Container::Item { indent, .. } if line.indent() >= *indent => {
                    line.pass_columns(*indent);
                }
                _ => return at,
            }
        }
        self.containers.len()
    }

    /// Adds a line to the open block if it belongs there whatever it holds, and returns whether it does. If not, every
    /// block but a paragraph is closed.
    fn takes(&mut self, line: &Cursor<'_>) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let (takes, is_last) = match open.kind {
            OpenKind::Paragraph if line.is_blank() => {
                self.close();
                return true;
            }
            OpenKind::Paragraph => return false,
            OpenKind::Indented => (line.is_blank() || line.indent() >= INDENT, false),
            OpenKind::Html(Html::Blank) => (!line.is_blank(), false),
            OpenKind::Html(html) => (true, html.is_closed_by(line.content())),
            OpenKind::Fenced { byte, length } => {
                let closes = run(line.content(), byte);
                let is_end = closes >= length && is_white(&line.content()[closes..]);
                (true, is_end && line.indent() < INDENT)
            }
        };
        if takes {
            open.range.end = line.range().end;
        }
        if is_last || !takes {
            self.close();
        }
        takes
    }

    /// Reads the containers and the block that begin in a line, after the containers that continue.
    fn begin(&mut self, mut line: Cursor<'_>, mut matched: usize) {
        let is_paragraph = self
            .open
            .as_ref()
            .is_some_and(|open| open.kind == OpenKind::Paragraph);
        let mut above = if !is_paragraph {
            Above::Nothing
        } else if matched == self.containers.len() {
            Above::Paragraph
        } else {
            Above::Lazy
        };
        while line.indent() < INDENT && !line.is_blank() {
            if self.begins_leaf(&line, matched, above) {
                return;
            }
            if matched == DEEPEST {
                break;
            }
            let container = if line.is_quote() {
                line.pass_quote();
                Container::Quote
            } else if let Some(length) = item(line.content(), above == Above::Paragraph) {
                let before = line.indent();
                line.pass_marker(length);
                let inside = match line.indent() {
                    indent if indent > INDENT || line.is_blank() => 1,
                    indent => indent,
                };
                line.pass_columns(inside);
                Container::Item {
                    indent: before + length + inside,
                    is_empty: true,
                }
            } else {
                break;
            };
            self.begin_block(matched);
            self.containers.push(container);
            matched = self.containers.len();
            above = Above::Nothing;
        }
        if line.is_blank() {
            self.close();
            self.containers.truncate(matched);
        } else if above != Above::Nothing {
            if let Some(open) = &mut self.open {
                open.lines.push(line.range());
                open.range.end = line.range().end;
            }
        } else {
            self.begin_block(matched);
            let kind = match line.indent() {
                INDENT.. => OpenKind::Indented,
                _ => OpenKind::Paragraph,
            };
            self.start(kind, &line);
        }
    }

    /// Begins a leaf block if the line begins one, and returns whether the line is read. A thematic break only ends the
    /// block above.
    fn begins_leaf(&mut self, line: &Cursor<'_>, matched: usize, above: Above) -> bool {
        let content = line.content();
        let level = run(content, b'#');
        if (1..=6).contains(&level) && ends_marker(content.get(level)) {
            self.begin_block(matched);
            let text = line.range().start + level..line.range().end;
            self.blocks.push(Block {
                kind: BlockKind::Heading { level },
                range: text.clone(),
                lines: vec![text],
            });
        } else if let Some(fence) = fence(content) {
            self.begin_block(matched);
            self.start(fence, line);
        } else if let Some(html) = Html::opened_by(content, above != Above::Nothing) {
            self.begin_block(matched);
            self.start(OpenKind::Html(html), line);
            if html.is_closed_by(content) {
                self.close();
            }
        } else if above == Above::Paragraph && is_underline(content) {
            // Before the thematic break: `---` is both.
            let level = if content.starts_with(b"=") { 1 } else { 2 };
            self.close();
            if let Some(block) = self.blocks.last_mut() {
                block.kind = BlockKind::Heading { level };
            }
        } else if is_thematic_break(content) {
            self.begin_block(matched);
        } else {
            return false;
        }
        true
    }

    /// Closes the open block and the containers that do not continue, before a block that begins.
    fn begin_block(&mut self, matched: usize) {
        self.close();
        self.containers.truncate(matched);
        if let Some(Container::Item { is_empty, .. }) = self.containers.last_mut() {
            *is_empty = false;
        }
    }

    fn start(&mut self, kind: OpenKind, line: &Cursor<'_>) {
        let range = line.range();
        let lines = vec![range.clone()];
        self.open = Some(Open { kind, range, lines });
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let kind = match open.kind {
            OpenKind::Paragraph => BlockKind::Paragraph {
                in_list: matches!(self.containers.last(), Some(Container::Item { .. })),
            },
            OpenKind::Fenced { .. } => BlockKind::Fenced,
            OpenKind::Indented => BlockKind::Indented,
            OpenKind::Html(_) => BlockKind::Html,
        };
        self.blocks.push(Block {
            kind,
            range: open.range,
            lines: open.lines,
        });
    }
}

/// A position in a line: before the white space that remains, and the content after it.
///
/// Indents are counted in columns, since a container can take a part of a tab. A tab reaches to the next multiple of four.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    /// The whole text up to the end of the line.
    text: &'t [u8],
    column: usize,
    content: usize,
    content_column: usize,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t [u8], start: usize) -> Self {
        let mut cursor = Self {
            text,
            column: 0,
            content: start,
            content_column: 0,
        };
        cursor.pass_white_space();
        cursor
    }

    /// Returns the columns of white space before the content.
    fn indent(&self) -> usize {
        self.content_column - self.column
    }

    fn is_blank(&self) -> bool {
        self.content == self.text.len()
    }

    fn content(&self) -> &'t [u8] {
        &self.text[self.content..]
    }

    fn range(&self) -> Range<usize> {
        self.content..self.text.len()
    }

    fn is_quote(&self) -> bool {
        self.indent() < INDENT && self.content().starts_with(b">")
    }

    fn pass_quote(&mut self) {
        self.pass_marker(1);
        self.pass_columns(1);
    }

    /// Passes this many columns of white space, or all white space if there is less.
    fn pass_columns(&mut self, columns: usize) {
        self.column += columns.min(self.indent());
    }

    /// Passes the indent, and a marker of this many bytes at the beginning of the content.
    fn pass_marker(&mut self, length: usize) {
        self.column = self.content_column + length;
        self.content += length;
        self.content_column = self.column;
        self.pass_white_space();
    }

    fn pass_white_space(&mut self) {
        for byte in self.content() {
            self.content_column += match byte {
                b' ' => 1,
                b'\t' => 4 - self.content_column % 4,
                _ => break,
            };
            self.content += 1;
        }
    }
}

fn fence(line: &[u8]) -> Option<OpenKind> {
    let byte = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = run(line, byte);
    // "```a```" on one line is a code span, so a fence of backticks has no backtick after it.
    let is_open = length >= 3 && (byte == b'~' || memchr(b'`', &line[length..]).is_none());
    is_open.then_some(OpenKind::Fenced { byte, length })
}

/// Returns whether a line is the underline of a heading below a paragraph.
fn is_underline(line: &[u8]) -> bool {
    line.first()
        .is_some_and(|byte| matches!(byte, b'=' | b'-') && is_white(&line[run(line, *byte)..]))
}

fn is_thematic_break(line: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|byte| b"*-_".contains(byte)) else {
        return false;
    };
    let mut marks = 0;
    for byte in line {
        match byte {
            byte if byte == mark => marks += 1,
            b' ' | b'\t' => {}
            _ => return false,
        }
    }
    marks >= 3
}

/// Returns the length of the marker of a list item. An item can interrupt a paragraph only if it has content and its
/// number is 1.
fn item(line: &[u8], interrupts: bool) -> Option<usize> {
    let length = match line.first()? {
        b'-' | b'+' | b'*' => 1,
        b'0'..=b'9' => {
            let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_number = digits <= 9 && matches!(line.get(digits), Some(b'.' | b')'));
            let is_one = line[..digits].ends_with(b"1")
                && line[..digits - 1].iter().all(|digit| *digit == b'0');
            if !is_number || interrupts && !is_one {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let is_empty = is_white(&line[length..]);
    (ends_marker(line.get(length)) && !(interrupts && is_empty)).then_some(length)
}

fn ends_marker(next: Option<&u8>) -> bool {
    next.is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

fn run(line: &[u8], byte: u8) -> usize {
    line.iter().take_while(|other| **other == byte).count()
}

fn is_white(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The condition that ends a block of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Html {
    /// The closing tag of any tag of [`RAW`].
    Raw,
    Until(&'static str),
    /// A blank line.
    Blank,
}

/// The tags whose content is not Markdown, not even after a blank line.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];
/// The tags that begin a block, between spaces: a search for ` name ` finds whole names only.
const BLOCKS: &str = " address article aside base basefont blockquote body caption center col \
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol \
    optgroup option p param search section summary table tbody td tfoot th thead title tr track ul ";

impl Html {
    /// Returns the block that begins with a line. A single tag cannot interrupt a paragraph.
    fn opened_by(line: &[u8], in_paragraph: bool) -> Option<Self> {
        let rest = line.strip_prefix(b"<")?;
        if let Some((_, end)) = instruction(rest) {
            return Some(Self::Until(end));
        }
        let is_closing = rest.starts_with(b"/");
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        let length = tag_name(rest);
        let name = String::from_utf8_lossy(&rest[..length]).to_ascii_lowercase();
        let after = &rest[length..];
        let is_apart = matches!(after.first(), None | Some(b' ' | b'\t' | b'>'));
        if !is_closing && RAW.contains(&name.as_str()) {
            return is_apart.then_some(Self::Raw);
        }
        if !name.is_empty()
            && BLOCKS.contains(&format!(" {name} "))
            && (is_apart || after.starts_with(b"/>"))
        {
            return Some(Self::Blank);
        }
        let is_alone = tag(line, 0).is_some_and(|end| is_white(&line[end..]));
        (!in_paragraph && is_alone).then_some(Self::Blank)
    }

    /// Returns whether a line is the last line of the block.
    fn is_closed_by(self, line: &[u8]) -> bool {
        match self {
            Self::Until(end) => memmem::find(line, end.as_bytes()).is_some(),
            Self::Raw => memmem::find_iter(line, b"</").any(|at| {
                let rest = &line[at + 2..];
                let name = &rest[..tag_name(rest)];
                let is_raw = |raw: &&str| raw.as_bytes().eq_ignore_ascii_case(name);
                RAW.iter().any(is_raw) && rest.get(name.len()) == Some(&b'>')
            }),
            Self::Blank => false,
        }
    }
}

/// Reads the beginning of a comment, instruction, declaration or CDATA section, after the `<`. Returns the length of the
/// beginning, and the text that ends the section.
pub(super) fn instruction(rest: &[u8]) -> Option<(usize, &'static str)> {
    match rest {
        [b'!', b'-', b'-', ..] => Some((3, "-->")),
        [b'?', ..] => Some((1, "?>")),
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => Some((2, ">")),
        rest if rest.starts_with(b"![CDATA[") => Some((8, "]]>")),
        _ => None,
    }
}

/// Returns the end of the tag that begins at `at`: `<a b="c">` or `</a>`.
pub(super) fn tag(text: &[u8], at: usize) -> Option<usize> {
    let is_closing = text.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(is_closing);
    let length = tag_name(text.get(start..)?);
    let mut at = start + length;
    if length == 0 {
        return None;
    }
    loop {
        let next = white_space(text, at);
        work::done(1 + next - at);
        match text.get(next)? {
            b'>' => return Some(next + 1),
            b'/' if !is_closing => return (text.get(next + 1)? == &b'>').then_some(next + 2),
            _ if next > at && !is_closing => at = attribute(text, next)?,
            _ => return None,
        }
    }
}

/// Returns the end of the attribute that begins at `at`.
fn attribute(text: &[u8], at: usize) -> Option<usize> {
    let is_first = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':');
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
    text.get(at).filter(|byte| is_first(byte))?;
    let end = at + text[at..].iter().take_while(is_name).count();
    let equals = white_space(text, end);
    if text.get(equals) != Some(&b'=') {
        return Some(end);
    }
    let start = white_space(text, equals + 1);
    if let quote @ (b'"' | b'\'') = text.get(start)? {
        let rest = &text[start + 1..];
        let length = memchr(*quote, rest);
        work::done(length.unwrap_or(rest.len()));
        return Some(start + 2 + length?);
    }
    let is_value = |byte: &&u8| !byte.is_ascii_whitespace() && !b"\"'=<>`".contains(byte);
    let length = text[start..].iter().take_while(is_value).count();
    (length > 0).then_some(start + length)
}

/// Returns the length of a tag's name; 0 if the text begins with no name.
fn tag_name(text: &[u8]) -> usize {
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    text.iter().take_while(is_name).count()
}

fn white_space(text: &[u8], at: usize) -> usize {
    let is_white = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n');
    at + text[at.min(text.len())..]
        .iter()
        .take_while(is_white)
        .count()
}
