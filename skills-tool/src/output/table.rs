//! Tables for people. Widths are counted in cells of a terminal; a character can take two cells.

use crate::outcome::Failure;
use crate::output::Output;
use crate::output::fit::shortened;
use std::io::Write as _;
use unicode_width::UnicodeWidthStr;

/// Cells between two columns.
const GAP: usize = 2;
/// The smallest width of the last column, in cells, if its text is that long.
const LAST: usize = 20;
/// The fewest cells to which another column is cut, and in which the last column is worth reading.
const LEAST: usize = 8;
/// The fewest cells to which the first column is cut: it holds what a person types.
const FIRST: usize = 20;

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
/// not hide another column. The last column gets the rest, or is left out.
fn fitted<const N: usize>(mut widths: [usize; N], room: Option<usize>) -> [usize; N] {
    let Some((last, others)) = widths.split_last_mut() else {
        return widths;
    };
    let Some(room) = room.map(|room| room.saturating_sub(others.len() * GAP)) else {
        return widths;
    };
    let needed = (*last).min(LAST);
    let cut = |number: usize, width: usize, most: usize| {
        width.min(if number == 0 { most.max(FIRST) } else { most })
    };
    let at = |most: usize| {
        let others = others.iter().enumerate();
        let others = others.map(|(number, width)| cut(number, *width, most));
        others.sum::<usize>()
    };
    let widest = others.iter().copied().max().unwrap_or_default();
    let most = (LEAST..widest).rev().chain([LEAST]);
    let mut most = std::iter::once(widest).chain(most);
    let most = most
        .find(|most| at(*most) + needed <= room)
        .unwrap_or(LEAST);
    *last = room.saturating_sub(at(most));
    if *last < needed.min(LEAST) {
        *last = 0;
    }
    for (number, width) in others.iter_mut().enumerate() {
        *width = cut(number, *width, most);
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ([70, 8, 40, 300], Some(20), [20, 8, 8, 0]),
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
