//! Blocks that hold others: quotations and list items.

use crate::markdown::cursor::Cursor;
use crate::markdown::marker;

/// The columns of white space that make a line code.
pub(super) const INDENT: usize = 4;

/// Deeper nesting of quotations and list items is text: a blank line is compared with every open item.
pub(super) const DEEPEST: usize = 50;

/// A block that holds others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Quote,
    Item(Item),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// How many columns its content is indented by.
    indent: usize,
    /// The last byte of its marker. Items of one list have the same.
    marker: u8,
    list: usize,
    is_empty: bool,
}

impl Container {
    /// The container that begins in the line, which is read up to the content of the container.
    pub(super) fn read(line: &mut Cursor<'_>, in_paragraph: bool) -> Option<Self> {
        if is_quote(line) {
            pass_quote(line);
            return Some(Self::Quote);
        }
        let length = marker::item(line.content(), in_paragraph)?;
        let marker = *line.content().get(length - 1)?;
        let before = line.indent();
        line.pass_marker(length);
        let is_code = line.indent() > INDENT;
        let inside = match line.indent() {
            _ if is_code || line.is_blank() => 1,
            indent => indent,
        };
        line.pass_columns(inside);
        Some(Self::Item(Item {
            indent: before + length + inside,
            marker,
            list: 0,
            is_empty: true,
        }))
    }

    fn item(&mut self) -> Option<&mut Item> {
        match self {
            Self::Item(item) => Some(item),
            Self::Quote => None,
        }
    }
}

/// The open containers, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Containers {
    open: Vec<Container>,
    /// If the last line was blank: the first container that it was blank in.
    blank_from: Option<usize>,
    /// Of each list by its number, whether a blank line is between its items, or in an item between blocks.
    is_loose: Vec<bool>,
}

impl Containers {
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// How many of the containers go on in this line.
    pub(super) fn that_go_on(&mut self, line: &mut Cursor<'_>) -> usize {
        for (at, container) in self.open.iter_mut().enumerate() {
            match container {
                Container::Quote if is_quote(line) => pass_quote(line),
                Container::Item(item) if line.is_blank() => {
                    // It may begin with one blank line. After two, only its list goes on.
                    if item.is_empty {
                        item.indent = usize::MAX;
                    }
                }
                Container::Item(item) if line.indent() >= item.indent => {
                    line.pass_columns(item.indent);
                }
                _ => return at,
            }
        }
        self.open.len()
    }

    /// Opens a container in the innermost of the first `matched`; the others are closed.
    pub(super) fn open(&mut self, mut container: Container, matched: usize) {
        let before = self
            .open
            .get_mut(matched)
            .and_then(Container::item)
            .copied();
        match container.item() {
            Some(item) if before.is_some_and(|before| before.marker == item.marker) => {
                item.list = before.map_or(0, |before| before.list);
                self.loosen(item.list, matched);
                self.open.truncate(matched);
            }
            Some(item) => {
                item.list = self.is_loose.len();
                self.is_loose.push(false);
                self.begin_block(matched);
            }
            None => self.begin_block(matched),
        }
        self.open.push(container);
    }

    /// A block begins in the innermost of the first `matched`; the others are closed.
    pub(super) fn begin_block(&mut self, matched: usize) {
        self.open.truncate(matched);
        let Some(item) = self.open.last_mut().and_then(Container::item) else {
            return;
        };
        let Item { list, is_empty, .. } = *item;
        item.is_empty = false;
        if !is_empty {
            self.loosen(list, matched - 1);
        }
    }

    pub(super) fn close(&mut self, matched: usize) {
        self.open.truncate(matched);
    }

    /// Ends a line.
    pub(super) fn end_line(&mut self, is_blank: bool) {
        let is_quote = |container: &Container| matches!(container, Container::Quote);
        let inside_quotes = || {
            self.open
                .iter()
                .rposition(is_quote)
                .map_or(0, |last| last + 1)
        };
        self.blank_from = is_blank.then(inside_quotes);
    }

    /// The list of the innermost container.
    pub(super) fn list(&self) -> Option<usize> {
        match self.open.last()? {
            Container::Item(item) => Some(item.list),
            Container::Quote => None,
        }
    }

    pub(super) fn into_loose_lists(self) -> Vec<bool> {
        self.is_loose
    }

    /// A list is loose if the last line was blank in the container at this place.
    fn loosen(&mut self, list: usize, at: usize) {
        if self.blank_from.is_some_and(|from| at >= from)
            && let Some(is_loose) = self.is_loose.get_mut(list)
        {
            *is_loose = true;
        }
    }
}

fn is_quote(line: &Cursor<'_>) -> bool {
    line.indent() < INDENT && line.content().first() == Some(&b'>')
}

fn pass_quote(line: &mut Cursor<'_>) {
    line.pass_marker(1);
    line.pass_columns(1);
}
