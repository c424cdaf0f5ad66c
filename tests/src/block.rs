//! The blocks of a Markdown document.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A block of a document that can be part of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading, with its level.
    Heading { level: HeadingLevel, text: String },
    /// A fenced block.
    Fence(Fence),
    /// A table, with its header first.
    Table(Vec<Row>),
}

/// A fenced block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The info string.
    pub(crate) info: String,
    /// The text between the fences.
    pub(crate) text: String,
    /// The place of `text` in the document.
    pub(crate) range: Range<usize>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// The line in the document, counted from 1.
    pub(crate) line: usize,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The text, with code spans without their backticks.
    pub(crate) text: String,
    /// The code spans.
    pub(crate) code: Vec<String>,
}

/// Splits a document into blocks.
pub(crate) fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter();
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let cell = cell(&mut events, |end| matches!(end, TagEnd::Heading(_)));
                blocks.push(Block::Heading {
                    level,
                    text: cell.text,
                });
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                blocks.push(Block::Fence(fence(
                    &mut events,
                    info.to_string(),
                    markdown,
                    &range,
                )));
            }
            Event::Start(Tag::Table(_)) => blocks.push(Block::Table(table(&mut events, markdown))),
            _ => {}
        }
    }
    blocks
}

fn fence<'m>(
    events: &mut impl Iterator<Item = (Event<'m>, Range<usize>)>,
    info: String,
    markdown: &str,
    whole: &Range<usize>,
) -> Fence {
    let first_line = markdown.get(whole.clone()).and_then(|text| text.find('\n'));
    let start = first_line.map_or(whole.end, |at| whole.start + at + 1);
    let mut text = String::new();
    let mut end = start;
    for (event, range) in events {
        match event {
            Event::Text(part) => {
                text.push_str(&part);
                end = range.end;
            }
            _ => break,
        }
    }
    Fence {
        info,
        text,
        range: start..end,
    }
}

fn table<'m>(
    events: &mut impl Iterator<Item = (Event<'m>, Range<usize>)>,
    markdown: &str,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    while let Some((event, range)) = events.next() {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                let before = markdown.get(..range.start).unwrap_or_default();
                let line = 1 + before.matches('\n').count();
                rows.push(Row {
                    cells: Vec::new(),
                    line,
                });
            }
            Event::Start(Tag::TableCell) => {
                let cell = cell(events, |end| *end == TagEnd::TableCell);
                rows.last_mut()
                    .map(|row| row.cells.push(cell))
                    .unwrap_or_default();
            }
            Event::End(TagEnd::Table) => break,
            _ => {}
        }
    }
    rows
}

fn cell<'m>(
    events: &mut impl Iterator<Item = (Event<'m>, Range<usize>)>,
    is_end: impl Fn(&TagEnd) -> bool,
) -> Cell {
    let mut cell = Cell::default();
    for (event, _) in events {
        match event {
            Event::End(end) if is_end(&end) => break,
            Event::Text(text) => cell.text.push_str(&text),
            Event::SoftBreak => cell.text.push(' '),
            Event::Code(code) => {
                cell.text.push_str(&code);
                cell.code.push(code.to_string());
            }
            _ => {}
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_exact() {
        let markdown = "# A `b`\n\n- x\n\n```md p/q\none\ntwo\n```\n\n| text | x |\n|-|-|\n| ``a`b \\| c`` | y |\n";
        let found = blocks(markdown);
        let [
            Block::Heading { text, .. },
            Block::Fence(fence),
            Block::Table(rows),
        ] = &found[..]
        else {
            panic!("{found:?}");
        };
        assert_eq!(text, "A b");
        assert_eq!(
            (fence.info.as_str(), &markdown[fence.range.clone()]),
            ("md p/q", "one\ntwo\n")
        );
        assert_eq!(rows[1].cells[0].code, ["a`b | c"]);
        assert_eq!(rows[1].line, 12);
    }

    #[test]
    fn an_empty_fence_has_a_place() {
        let markdown = "```md x\n```\n";
        let [Block::Fence(fence)] = &blocks(markdown)[..] else {
            panic!("one fence");
        };
        assert_eq!(fence.range, 8..8);
    }
}
