//! Tables for people. Widths are counted in cells of a terminal; a character can take two cells.

use crate::outcome::Failure;
use crate::output::Output;
use std::borrow::Cow;
use std::io::Write as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// Cells between two columns.
const GAP: usize = 2;
/// The smallest width of the last column, in cells, if its text is that long.
const LAST: usize = 20;
/// The fewest cells to which another column is cut.
const LEAST: usize = 8;

/// Rows of one line each, under a head.
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

    /// Prints the table. On a terminal, cells are cut so that a row fits on a line. Elsewhere cells
    /// stay whole, for programs.
    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let room = output.width();
        let widths = fitted(self.widths(), room);
        let heads = self.heads.map(str::to_owned);
        let head = line(&heads, &widths, room);
        writeln!(output, "{}", output.strong(head))?;
        for row in &self.rows {
            writeln!(output, "{}", line(row, &widths, room))?;
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

/// Computes widths at which a row fits. The widest columns are cut first, so that one long cell does
/// not hide another column. The last column gets the rest.
fn fitted<const N: usize>(mut widths: [usize; N], room: Option<usize>) -> [usize; N] {
    let Some((last, others)) = widths.split_last_mut() else {
        return widths;
    };
    let Some(room) = room.map(|room| room.saturating_sub(others.len() * GAP)) else {
        return widths;
    };
    let needed = (*last).min(LAST);
    let at = |most: usize| others.iter().map(|width| (*width).min(most)).sum::<usize>();
    let widest = others.iter().copied().max().unwrap_or_default();
    let most = (LEAST..widest).rev().chain([LEAST]);
    let mut most = std::iter::once(widest).chain(most);
    let most = most
        .find(|most| at(*most) + needed <= room)
        .unwrap_or(LEAST);
    *last = room.saturating_sub(at(most));
    for width in others {
        *width = (*width).min(most);
    }
    widths
}

fn line(cells: &[String], widths: &[usize], room: Option<usize>) -> String {
    let mut line = String::new();
    let Some((last, cells)) = cells.split_last() else {
        return line;
    };
    for (cell, width) in cells.iter().zip(widths) {
        let cell = shortened(cell, Some(*width));
        let missing = width.saturating_sub(cell.width());
        line.push_str(&cell);
        line.push_str(&" ".repeat(missing + GAP));
    }
    let rest = room.and(widths.last().copied());
    line.push_str(&shortened(last, rest));
    line.truncate(line.trim_end().len());
    // Even the least widths can be too wide.
    shortened(&line, room).into_owned()
}

/// Cuts a text to `width` cells, at the end of a word.
pub(crate) fn shortened(text: &str, width: Option<usize>) -> Cow<'_, str> {
    match width {
        Some(width) if text.width() > width => {
            // The last cell holds `…`.
            let Some(room) = width.checked_sub(1) else {
                return "".into();
            };
            let words = whole_words(text, room);
            // A script without spaces is one long word.
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

/// Breaks a text into lines of `width` cells, at the ends of words. A word that is longer stays whole, so that
/// digests and paths can be copied. A script without spaces is broken anywhere.
pub(crate) fn wrapped(text: &str, width: Option<usize>) -> Vec<&str> {
    let Some(width) = width.filter(|width| *width > 0) else {
        return vec![text];
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > width {
        let words = whole_words(rest, width);
        let line = match words {
            "" => match rest.split_inclusive(' ').next() {
                Some(word) if word.is_ascii() => word,
                _ => characters(rest, width),
            },
            words => words,
        };
        if line.is_empty() {
            break;
        }
        lines.push(line.trim_end());
        rest = rest.get(line.len()..).unwrap_or_default();
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Returns the words that fit.
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

/// Returns the characters that fit.
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
    fn a_text_is_broken_at_words() {
        for (text, width, lines) in [
            ("Greets a guest.", 15, &["Greets a guest."][..]),
            ("Greets a guest.", 9, &["Greets a", "guest."]),
            ("Greets", 4, &["Greets"]),
            ("Greets a guest.", 4, &["Greets", "a", "guest."]),
            ("検査する", 5, &["検査", "する"]),
            ("検", 1, &["検"]),
            ("", 9, &[""]),
        ] {
            assert_eq!(wrapped(text, Some(width)), lines, "{text} in {width}");
        }
        assert_eq!(wrapped("as it is", None), ["as it is"]);
    }

    #[test]
    fn columns_are_aligned_by_cells() {
        let cells = ["検査".to_owned(), "x".to_owned(), "last".to_owned()];
        assert_eq!(line(&cells, &[5, 2, 4], None), "検査   x   last");
        assert_eq!(line(&cells, &[5, 2, 0], Some(15)), "検査   x");
    }

    #[test]
    fn the_widest_columns_are_cut_before_the_last() {
        for (widths, room, fit) in [
            ([10, 8, 7, 300], None, [10, 8, 7, 300]),
            ([10, 8, 7, 300], Some(80), [10, 8, 7, 49]),
            ([70, 8, 7, 300], Some(80), [39, 8, 7, 20]),
            ([70, 8, 40, 300], Some(80), [23, 8, 23, 20]),
            ([70, 8, 40, 3], Some(80), [31, 8, 31, 4]),
            ([70, 8, 40, 300], Some(20), [8, 8, 8, 0]),
        ] {
            assert_eq!(fitted(widths, room), fit, "{widths:?} in {room:?}");
        }
        let long = "a-name-that-never-ends-".repeat(4);
        let row = [
            long,
            "user".to_owned(),
            "shadowed by x, user only".to_owned(),
            "Go.".repeat(90),
        ];
        for room in [0, 1, 10, 30, 50, 80, 120] {
            let widths = fitted(row.each_ref().map(|cell| cell.width()), Some(room));
            assert!(line(&row, &widths, Some(room)).width() <= room, "{room}");
        }
    }
}
