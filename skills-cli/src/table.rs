//! Columns for people. Widths are the cells of a terminal, of which a character can take two.

use crate::failure::Failure;
use crate::output::Output;
use std::borrow::Cow;
use std::io::Write as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// Rows of single lines under a head.
pub(crate) struct Table<const N: usize> {
    heads: [&'static str; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(heads: [&'static str; N]) -> Self {
        let rows = Vec::new();
        Self { heads, rows }
    }

    pub(crate) fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Prints it. On a terminal the last column is cut so that a row fits; elsewhere a program
    /// reads it, which wants it whole.
    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let widths = self.widths();
        let before: usize = widths.iter().rev().skip(1).map(|width| width + 2).sum();
        let rest = output.width().map(|width| width.saturating_sub(before));
        let heads = self.heads.map(str::to_owned);
        let head = line(&heads, &widths, rest);
        writeln!(output, "{}", output.strong(head))?;
        for row in &self.rows {
            writeln!(output, "{}", line(row, &widths, rest))?;
        }
        Ok(())
    }

    fn widths(&self) -> [usize; N] {
        let mut widths = self.heads.map(UnicodeWidthStr::width);
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        widths
    }
}

fn line(cells: &[String], widths: &[usize], rest: Option<usize>) -> String {
    let mut line = String::new();
    let Some((last, cells)) = cells.split_last() else {
        return line;
    };
    for (cell, width) in cells.iter().zip(widths) {
        let missing = width.saturating_sub(cell.width());
        line.push_str(cell);
        line.push_str(&" ".repeat(missing + 2));
    }
    line.push_str(&shortened(last, rest));
    line.truncate(line.trim_end().len());
    line
}

/// The text in at most `width` cells, cut at the end of a word.
fn shortened(text: &str, width: Option<usize>) -> Cow<'_, str> {
    match width {
        Some(width) if text.width() > width => {
            // The last cell is that of `…`.
            let Some(room) = width.checked_sub(1) else {
                return "".into();
            };
            let words = whole_words(text, room);
            // Scripts without blanks are one long word.
            let kept = if words.width() * 2 < room {
                characters(text, room)
            } else {
                words
            };
            format!("{}…", kept.trim_end()).into()
        }
        _ => text.into(),
    }
}

/// As many words as have room.
fn whole_words(text: &str, room: usize) -> &str {
    let mut end = 0;
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end();
        if used + bare.width() > room {
            break;
        }
        used += word.width();
        end += word.len();
    }
    text.get(..end).unwrap_or(text)
}

/// As many characters as have room.
fn characters(text: &str, room: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        used += c.width().unwrap_or(0);
        (used > room).then_some(at)
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_end_of_a_word() {
        for (text, width, cut) in [
            ("Greets a guest.", 15, "Greets a guest."),
            ("Greets a guest.", 14, "Greets a…"),
            ("Greets a guest.", 9, "Greets a…"),
            ("Greets a guest.", 8, "Greets…"),
            ("Greets a guest.", 5, "Gree…"),
            ("A greeting-for-guests", 12, "A greeting-…"),
            ("Greets", 1, "…"),
            ("Greets", 0, ""),
            ("", 0, ""),
            ("検査する", 8, "検査する"),
            ("検査する", 7, "検査す…"),
            ("検査する", 6, "検査…"),
            ("検査 する人", 8, "検査…"),
        ] {
            let came = shortened(text, Some(width));
            assert_eq!(came, cut, "{text} in {width}");
            assert!(came.width() <= width);
        }
        assert_eq!(shortened("as it is", None), "as it is");
    }

    #[test]
    fn cells_are_aligned_by_what_they_take_on_a_terminal() {
        let cells = ["検査".to_owned(), "x".to_owned(), "last".to_owned()];
        assert_eq!(line(&cells, &[5, 2, 4], None), "検査   x   last");
        assert_eq!(line(&cells, &[5, 2, 4], Some(0)), "検査   x");
    }
}
