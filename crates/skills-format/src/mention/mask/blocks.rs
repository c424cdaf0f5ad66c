//! The leaf blocks of a Markdown text: code, HTML, paragraphs and headings.
//!
//! In every line, first the containers that continue (quotations and list items), then the containers and the block that
//! begin, then text. By the rules of `CommonMark` 0.31, without definitions of links: their lines are paragraphs.
//! HTML is read, since a fence in a block of HTML is no fence, and the next one would close what never began.

use crate::text::work;
use memchr::{memchr, memchr2, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// The columns of white space that make a line indented code.
const INDENT: usize = 4;
/// The maximum nesting of containers; deeper markers are text. Every line is compared with every open container, so the
/// limit keeps the time linear in the text.
const DEEPEST: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Paragraph {
        in_list: bool,
    },
    Heading {
        level: usize,
    },
    Fenced {
        byte: u8,
        length: usize,
    },
    /// One line of it.
    Indented,
    /// HTML up to a line that holds one of these texts, or up to a blank line if there are none.
    Html(&'static [&'static str]),
}

/// A block, and its bytes from the first line to the last.
type Leaf = (Block, Range<usize>);

/// Reads the blocks of `text` from `start`, in order, up to one that ends after `last`.
///
/// Returns the text too, with spaces in place of the markers of quotations that stand inside of a paragraph.
pub(crate) fn blocks(text: &str, start: usize, last: usize) -> (Cow<'_, [u8]>, Vec<Leaf>) {
    let text = text.as_bytes();
    let mut reader = Reader {
        plain: Cow::Borrowed(text),
        containers: Vec::new(),
        is_empty_item: false,
        open: None,
        blocks: Vec::new(),
    };
    let mut start = start;
    while start < text.len() && reader.blocks.last().is_none_or(|(_, it)| it.end <= last) {
        let length = memchr2(b'\n', b'\r', &text[start..]).unwrap_or(text.len() - start);
        reader.line(start, Cursor::new(&text[..start + length], start));
        let is_pair = text[start + length..].starts_with(b"\r\n");
        start += length + if is_pair { 2 } else { 1 };
    }
    reader.close();
    (reader.plain, reader.blocks)
}

#[derive(Clone, Copy)]
enum Container {
    Quote,
    /// A list item whose content has this indent.
    Item(usize),
}

struct Reader<'t> {
    plain: Cow<'t, [u8]>,
    containers: Vec<Container>,
    /// True if the last line is only the marker of a list item. The item ends if another blank line follows.
    is_empty_item: bool,
    /// The innermost block, if it is open.
    open: Option<Leaf>,
    blocks: Vec<Leaf>,
}

impl Reader<'_> {
    fn line(&mut self, start: usize, mut line: Cursor<'_>) {
        work::done(1 + line.content().len() + self.containers.len());
        let was_empty_item = std::mem::take(&mut self.is_empty_item);
        let mut matched = self.matched(&mut line);
        let is_inside = matched == self.containers.len();
        if is_inside && self.takes(&line) {
            return;
        }
        if was_empty_item && is_inside && line.is_blank() {
            matched -= 1;
        }
        // A line that is outside of the paragraph's containers can still add text to it.
        let mut continues = matches!(self.open, Some((Block::Paragraph { .. }, _)));
        while line.indent() < INDENT && !line.is_blank() {
            if self.leaf(&line, matched, continues, continues && is_inside) {
                return;
            }
            if matched == DEEPEST {
                break;
            }
            let container = if line.is_quote() {
                line.pass_quote();
                Container::Quote
            } else if let Some(length) = item(line.content(), continues && is_inside) {
                let before = line.indent();
                line.pass_marker(length);
                let inside = match line.indent() {
                    indent if indent > INDENT || line.is_blank() => 1,
                    indent => indent,
                };
                line.pass_columns(inside);
                self.is_empty_item = line.is_blank();
                Container::Item(before + length + inside)
            } else {
                break;
            };
            self.begin(matched);
            self.containers.push(container);
            matched = self.containers.len();
            continues = false;
        }
        if line.is_blank() {
            self.begin(matched);
        } else if let Some((_, range)) = self.open.as_mut().filter(|_| continues) {
            range.end = line.range().end;
            // A few bytes: a call of `memchr` costs more than the search.
            if self.plain[start..line.content].contains(&b'>') {
                self.plain.to_mut()[start..line.content].fill(b' ');
            }
        } else {
            self.begin(matched);
            let block = if line.indent() >= INDENT {
                Block::Indented
            } else {
                let in_list = matches!(self.containers.last(), Some(Container::Item(_)));
                Block::Paragraph { in_list }
            };
            self.open = Some((block, line.range()));
        }
    }

    /// Passes the markers and indents of the containers that continue in this line, and returns their number.
    fn matched(&self, line: &mut Cursor<'_>) -> usize {
        for (at, container) in self.containers.iter().enumerate() {
            match *container {
                Container::Quote if line.is_quote() => line.pass_quote(),
                Container::Item(_) if line.is_blank() => {}
                Container::Item(indent) if line.indent() >= indent => line.pass_columns(indent),
                _ => return at,
            }
        }
        self.containers.len()
    }

    /// Adds a line to an open fence or HTML if it belongs there whatever it holds, and returns whether it does.
    fn takes(&mut self, line: &Cursor<'_>) -> bool {
        let Some((block, range)) = &mut self.open else {
            return false;
        };
        let content = line.content();
        let (takes, is_last) = match *block {
            Block::Paragraph { .. } | Block::Heading { .. } | Block::Indented => (false, false),
            Block::Html(ends) => (
                !ends.is_empty() || !line.is_blank(),
                is_closed(ends, content),
            ),
            Block::Fenced { byte, length } => {
                let closes = run(content, byte);
                let is_end = closes >= length && is_white(&content[closes..]);
                (true, is_end && line.indent() < INDENT)
            }
        };
        if takes {
            range.end = line.range().end;
        }
        if is_last {
            self.close();
        }
        takes
    }

    /// Begins a heading, fence or HTML, or ends the paragraph above, if the line does so. `continues`: the line follows a
    /// paragraph. `is_inside`: in the same container too.
    fn leaf(
        &mut self,
        line: &Cursor<'_>,
        matched: usize,
        continues: bool,
        is_inside: bool,
    ) -> bool {
        let content = line.content();
        let range = line.range();
        let level = run(content, b'#');
        if (1..=6).contains(&level) && ends_marker(content.get(level)) {
            self.begin(matched);
            let text = range.start + level..range.end;
            self.blocks.push((Block::Heading { level }, text));
        } else if let Some(fence) = fence(content) {
            self.begin(matched);
            self.open = Some((fence, range));
        } else if let Some(ends) = html(content, continues) {
            self.begin(matched);
            self.open = Some((Block::Html(ends), range));
            if is_closed(ends, content) {
                self.close();
            }
        } else if is_inside && is_underline(content) {
            // Before the thematic break: `---` is both.
            let level = if content.starts_with(b"=") { 1 } else { 2 };
            if let Some((block, range)) = &mut self.open {
                let could_define = could_define(&self.plain[range.clone()]);
                *block = if could_define && !is_thematic_break(content) {
                    // Below definitions alone it is text. Nobody knows, so all that follows is masked.
                    let (byte, length) = (b'\n', 1);
                    Block::Fenced { byte, length }
                } else {
                    Block::Heading { level }
                };
            }
        } else if is_thematic_break(content) {
            self.begin(matched);
        } else {
            return false;
        }
        true
    }

    /// Closes the open block and the containers that do not continue, before a block that begins.
    fn begin(&mut self, matched: usize) {
        self.close();
        self.containers.truncate(matched);
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take());
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
    fn new(text: &'t [u8], content: usize) -> Self {
        let mut cursor = Self {
            text,
            column: 0,
            content,
            content_column: 0,
        };
        cursor.pass_marker(0);
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

fn fence(line: &[u8]) -> Option<Block> {
    let byte = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = run(line, byte);
    // "```a```" on one line is a code span, so a fence of backticks has no backtick after it.
    let is_open = length >= 3 && (byte == b'~' || memchr(b'`', &line[length..]).is_none());
    is_open.then_some(Block::Fenced { byte, length })
}

/// Returns whether a paragraph could begin with the definition of a link.
pub(super) fn could_define(paragraph: &[u8]) -> bool {
    paragraph.starts_with(b"[") && memmem::find(paragraph, b"]:").is_some()
}

/// Returns whether a line is the underline of a heading below a paragraph.
fn is_underline(line: &[u8]) -> bool {
    matches!(line.first(), Some(byte @ (b'=' | b'-')) if is_white(&line[run(line, *byte)..]))
}

fn is_thematic_break(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !b" \t".contains(byte));
    let first = marks.next().filter(|byte| b"*-_".contains(byte));
    first.is_some_and(|first| marks.clone().all(|mark| mark == first) && marks.count() >= 2)
}

/// Returns the length of the marker of a list item. An item can interrupt a paragraph only if it has content and its
/// number is 1.
fn item(line: &[u8], interrupts: bool) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_marker = match line.get(digits)? {
        b'-' | b'+' | b'*' => digits == 0,
        b'.' | b')' => (1..=9).contains(&digits),
        _ => false,
    };
    let (marker, content) = line.split_at(digits + 1);
    let zeros = run(marker, b'0');
    let is_first = digits == 0 || marker[zeros..digits] == *b"1";
    let can_begin = !interrupts || is_first && !is_white(content);
    (is_marker && can_begin && ends_marker(content.first())).then_some(marker.len())
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

/// The tags whose content is not Markdown, not even after a blank line, and their ends: any of them closes each of them.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];
const RAW_ENDS: &[&str] = &["</pre>", "</script>", "</style>", "</textarea>"];
/// The tags that begin a block, between spaces: a search for ` name ` finds whole names only.
const BLOCKS: &str = " address article aside base basefont blockquote body caption center col \
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol \
    optgroup option p param search section summary table tbody td tfoot th thead title tr track ul ";

/// Returns the ends of the HTML that begins with a line. A single tag cannot interrupt a paragraph.
fn html(line: &[u8], in_paragraph: bool) -> Option<&'static [&'static str]> {
    let rest = line.strip_prefix(b"<")?;
    if let Some((_, ends)) = instruction(rest) {
        return Some(ends);
    }
    let is_closing = rest.starts_with(b"/");
    let rest = &rest[usize::from(is_closing)..];
    let (name, after) = rest.split_at(tag_name(rest));
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let is_apart = matches!(after.first(), None | Some(b' ' | b'\t' | b'>'));
    if !is_closing && RAW.contains(&name.as_str()) {
        return is_apart.then_some(RAW_ENDS);
    }
    let is_block = !name.is_empty()
        && BLOCKS.contains(&format!(" {name} "))
        && (is_apart || after.starts_with(b"/>"));
    let is_alone = || tag(line, 0).is_some_and(|end| is_white(&line[end..]));
    (is_block || !in_paragraph && is_alone()).then_some(&[])
}

/// Returns whether a line is the last line of HTML.
fn is_closed(ends: &[&str], line: &[u8]) -> bool {
    let line = line.to_ascii_lowercase();
    ends.iter()
        .any(|end| memmem::find(&line, end.as_bytes()).is_some())
}

/// Reads the beginning of a comment, instruction, declaration or CDATA section, after the `<`. Returns the length of the
/// beginning, and the text that ends the section.
pub(super) fn instruction(rest: &[u8]) -> Option<(usize, &'static [&'static str])> {
    match rest {
        // `<!-->` and `<!--->` are whole comments.
        [b'!', b'-', b'-', ..] => Some((1, &["-->"])),
        [b'?', ..] => Some((1, &["?>"])),
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => Some((2, &[">"])),
        rest if rest.starts_with(b"![CDATA[") => Some((8, &["]]>"])),
        _ => None,
    }
}

/// Returns the end of the tag that begins at `at`: `<a b="c">` or `</a>`.
pub(super) fn tag(text: &[u8], at: usize) -> Option<usize> {
    let is_closing = text.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(is_closing);
    let mut at = start + tag_name(text.get(start..)?);
    if at == start {
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
    let first = text[at];
    if !first.is_ascii_alphabetic() && !matches!(first, b'_' | b':') {
        return None;
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
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

pub(super) fn white_space(text: &[u8], at: usize) -> usize {
    let rest = text[at.min(text.len())..].iter();
    at + rest.take_while(|byte| b" \t\r\n".contains(byte)).count()
}
