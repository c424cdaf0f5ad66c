//! Reads the blocks of a Markdown text, by the rules of `CommonMark` 0.31: in every line, first the containers
//! that continue, then the containers and the block that begin, then text.

// Quotations and lists nested more than 50 deep are text, for masks, rules and descriptions alike: every line is
// compared with every open container. The parser of the rules also reads no link title of more than 8 line ends,
// since such titles take more than linear time (`parser_input.rs`).

use crate::markdown::blocks::{BlockKind, Blocks};
use crate::markdown::container::{Container, Containers, DEEPEST, INDENT};
use crate::markdown::cursor::Cursor;
use crate::markdown::html::Html;
use crate::markdown::marker::{self, Fence};
use memchr::memchr2;
use std::ops::Range;

/// Reads the blocks of `text`.
///
/// # Cost
///
/// Linear in the text.
pub(crate) fn blocks(text: &str) -> Blocks {
    let mut reader = Reader {
        text,
        containers: Containers::default(),
        leaf: None,
        read: Blocks::default(),
    };
    let mut start = 0;
    while let Some(rest) = text.as_bytes().get(start..).filter(|rest| !rest.is_empty()) {
        let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        reader.line(start..start + end);
        let is_pair = rest.get(end..).is_some_and(|end| end.starts_with(b"\r\n"));
        start += end + if is_pair { 2 } else { 1 };
    }
    reader.close_leaf();
    reader.read.finish(reader.containers.into_loose_lists());
    reader.read
}

/// The innermost open block.
struct Leaf {
    kind: Open,
    range: Range<usize>,
}

#[derive(Clone, Copy)]
enum Open {
    /// A paragraph, with the number of its first line.
    Paragraph(usize),
    Fenced(Fence),
    Indented,
    Html(Html),
}

/// The relation of a line to the open paragraph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    /// No paragraph is open.
    Nothing,
    /// A container of the paragraph does not continue, so the line can only add text.
    Lazy,
    Paragraph,
}

struct Reader<'t> {
    text: &'t str,
    containers: Containers,
    leaf: Option<Leaf>,
    read: Blocks,
}

impl Reader<'_> {
    fn line(&mut self, line: Range<usize>) {
        let mut line = Cursor::new(self.text.as_bytes(), line);
        let matched = self.containers.that_go_on(&mut line);
        let is_blank = line.is_blank();
        if matched < self.containers.len() || !self.leaf_takes(&line) {
            self.begin(line, matched);
        }
        let leaf = self.leaf.as_ref().map(|leaf| leaf.kind);
        let is_content = matches!(leaf, Some(Open::Fenced(_) | Open::Html(_)));
        self.containers.end_line(is_blank && !is_content);
    }

    /// Reads the containers and the block that begin in a line, after the containers that continue.
    fn begin(&mut self, mut line: Cursor<'_>, mut matched: usize) {
        let is_paragraph = |leaf: &Leaf| matches!(leaf.kind, Open::Paragraph(_));
        let mut above = match &self.leaf {
            Some(leaf) if !is_paragraph(leaf) => Above::Nothing,
            Some(_) if matched == self.containers.len() => Above::Paragraph,
            Some(_) => Above::Lazy,
            None => Above::Nothing,
        };
        while line.indent() < INDENT && !line.is_blank() {
            if self.begins_leaf(&line, matched, above) {
                return;
            }
            if matched == DEEPEST {
                break;
            }
            let Some(container) = Container::read(&mut line, above == Above::Paragraph) else {
                break;
            };
            self.close_leaf();
            self.containers.open(container, matched);
            matched = self.containers.len();
            above = Above::Nothing;
        }
        self.text(&line, matched, above);
    }

    /// Adds a line to the open block if the line belongs to the block whatever it holds, and returns whether
    /// it does. If not, every block but a paragraph is closed.
    fn leaf_takes(&mut self, line: &Cursor<'_>) -> bool {
        let Some(leaf) = &mut self.leaf else {
            return false;
        };
        let (takes, is_last) = match leaf.kind {
            Open::Paragraph(_) => (line.is_blank(), line.is_blank()),
            Open::Indented => (line.is_blank() || line.indent() >= INDENT, false),
            Open::Html(Html::Blank) => (!line.is_blank(), false),
            Open::Html(html) => (true, html.is_closed_by(line.content())),
            Open::Fenced(fence) => {
                let is_last = line.indent() < INDENT && fence.is_closed_by(line.content());
                (true, is_last)
            }
        };
        let is_paragraph = matches!(leaf.kind, Open::Paragraph(_));
        if takes && !is_paragraph {
            leaf.range.end = line.range().end;
        }
        if is_last || !(takes || is_paragraph) {
            self.close_leaf();
        }
        takes
    }

    /// Begins a leaf block if the line begins one, and returns whether the line is read. A thematic break
    /// only ends the block above.
    fn begins_leaf(&mut self, line: &Cursor<'_>, matched: usize, above: Above) -> bool {
        let content = line.content();
        if let Some(level) = marker::heading(content) {
            self.begin_block(matched);
            let heading = marker::heading_text(content, level);
            let start = line.range().start;
            let first = self.read.next_line();
            self.read
                .add_line(start + heading.start..start + heading.end);
            self.read.add_lines(first, BlockKind::Heading(level));
        } else if let Some(fence) = Fence::opened_by(content) {
            self.begin_block(matched);
            self.open(Open::Fenced(fence), line);
        } else if let Some(html) = Html::opened_by(content, above != Above::Nothing) {
            self.begin_block(matched);
            self.open(Open::Html(html), line);
            if html.is_closed_by(content) {
                self.close_leaf();
            }
        } else if above == Above::Paragraph
            && let Some(level) = marker::underline(content)
            && self.becomes_heading(level)
        {
            // `becomes_heading` added the heading. The underline comes before the thematic break: `---`
            // is both.
        } else if marker::is_thematic_break(content) {
            self.begin_block(matched);
        } else {
            return false;
        }
        true
    }

    /// Turns the open paragraph into a heading, and returns whether it is one. If the paragraph held only
    /// definitions, an empty paragraph stays open.
    fn becomes_heading(&mut self, level: usize) -> bool {
        let Some(leaf) = &mut self.leaf else {
            return false;
        };
        let Open::Paragraph(first) = leaf.kind else {
            return false;
        };
        let kind = BlockKind::Heading(level);
        let is_heading = self.read.add_paragraph(self.text, first, kind);
        leaf.kind = Open::Paragraph(self.read.next_line());
        if is_heading {
            self.leaf = None;
        }
        is_heading
    }

    /// Reads a line that begins no other block: text, indented code, or a blank line.
    fn text(&mut self, line: &Cursor<'_>, matched: usize, above: Above) {
        if line.is_blank() {
            self.close_leaf();
            self.containers.close(matched);
        } else if above != Above::Nothing {
            self.read.add_line(line.range());
        } else if line.indent() >= INDENT {
            self.begin_block(matched);
            self.open(Open::Indented, line);
        } else {
            self.begin_block(matched);
            let first = self.read.next_line();
            self.read.add_line(line.range());
            self.open(Open::Paragraph(first), line);
        }
    }

    /// Closes the open block and the containers that do not continue, before a block that begins.
    fn begin_block(&mut self, matched: usize) {
        self.close_leaf();
        self.containers.begin_block(matched);
    }

    fn open(&mut self, kind: Open, line: &Cursor<'_>) {
        let range = line.range();
        self.leaf = Some(Leaf { kind, range });
    }

    fn close_leaf(&mut self) {
        let Some(Leaf { kind, range }) = self.leaf.take() else {
            return;
        };
        let kind = match kind {
            Open::Paragraph(first) => {
                let kind = BlockKind::Paragraph(self.containers.list());
                self.read.add_paragraph(self.text, first, kind);
                return;
            }
            Open::Fenced(_) => BlockKind::Fenced,
            Open::Indented => BlockKind::Indented,
            Open::Html(_) => BlockKind::Html,
        };
        self.read.add(kind, range);
    }
}
