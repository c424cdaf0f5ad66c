//! Container blocks: quotations and list items.

use crate::markdown::cursor::Cursor;
use crate::markdown::marker;

/// The columns of white space that make a line indented code.
pub(super) const INDENT: usize = 4;

/// The maximum nesting of quotations and list items; deeper markers are text. Every line is compared with
/// every open container, so the limit keeps the time linear in the text.
pub(super) const DEEPEST: usize = 50;

/// A block that holds other blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Quote,
    Item(ListItem),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ListItem {
    /// The columns by which the content is indented.
    indent: usize,
    /// The last byte of the marker. It is the same for all items of one list.
    marker: u8,
    list: usize,
    is_empty: bool,
}

impl Container {
    /// Reads the container that begins in the line, up to the container's content.
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
        Some(Self::Item(ListItem {
            indent: before + length + inside,
            marker,
            list: 0,
            is_empty: true,
        }))
    }

    fn item(&mut self) -> Option<&mut ListItem> {
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
    /// The first container in which the last line was blank, if the last line was blank. A blank line of a
    /// quotation is blank only in the containers inside the quotation.
    blank_from: Option<usize>,
    /// For each list by number, true if a blank line lies between two items, or between two blocks of one
    /// item.
    is_loose: Vec<bool>,
}

impl Containers {
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Passes the markers and indents of the containers that continue in this line, and returns their number.
    pub(super) fn that_go_on(&mut self, line: &mut Cursor<'_>) -> usize {
        for (at, container) in self.open.iter_mut().enumerate() {
            match container {
                Container::Quote if is_quote(line) => pass_quote(line),
                Container::Item(item) if line.is_blank() => {
                    // CommonMark: "A list item can begin with at most one blank line." No later line has
                    // this indent, so the item ends.
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

    /// Opens a container in the innermost of the first `matched` containers, and closes the others.
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

    /// Begins a block in the innermost of the first `matched` containers, and closes the others.
    pub(super) fn begin_block(&mut self, matched: usize) {
        self.open.truncate(matched);
        let Some(item) = self.open.last_mut().and_then(Container::item) else {
            return;
        };
        let ListItem { list, is_empty, .. } = *item;
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

    /// Returns the list of the innermost container, if the container is a list item.
    pub(super) fn list(&self) -> Option<usize> {
        match self.open.last()? {
            Container::Item(item) => Some(item.list),
            Container::Quote => None,
        }
    }

    pub(super) fn into_loose_lists(self) -> Vec<bool> {
        self.is_loose
    }

    /// Marks a list as loose if the last line was blank in the container at this place.
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
