//! Tables for people. Widths are counted in cells of a terminal; a character can take two cells.

use crate::outcome::Failure;
use crate::output::Output;
use crate::output::fit::{broken, shortened, wrapped};
use clap::builder::styling::Style;
use std::borrow::Cow;
use std::io::Write as _;
use unicode_width::UnicodeWidthStr;

/// The gap between two columns.
const GAP: &str = "  ";
/// The minimum width of the last column beside the others, in cells. With less room, the last column is
/// below the others.
const LAST: usize = 16;
/// The share of the terminal for the last column, if the other columns can be broken: a third.
const SHARE: usize = 3;
/// The minimum width to which another column is broken, in cells.
const LEAST: usize = 8;
/// The minimum width to which the first column is broken, in cells: a person types its text.
const FIRST: usize = 20;
/// The indent of a last column below the others.
const INDENT: &str = "    ";

/// Rows under a heading. On a terminal, cells are broken at words so that rows fit. Elsewhere a row is one
/// line with whole cells, for programs.
pub(crate) struct Table<const N: usize> {
    heads: [&'static str; N],
    rows: Vec<[String; N]>,
    style: Option<(usize, CellStyle)>,
    /// The styles of the first cells, by row.
    first: Vec<Option<Style>>,
    right: &'static [usize],
    most: usize,
}

/// The style of a cell by its text.
type CellStyle = fn(&str) -> Style;

/// The widths of the columns on a terminal.
#[derive(Debug, PartialEq, Eq)]
struct Fit<const N: usize> {
    widths: [usize; N],
    /// True when the last column is below the others.
    is_below: bool,
    /// True when cells are broken into lines.
    is_broken: bool,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(heads: [&'static str; N]) -> Self {
        Self {
            heads,
            rows: Vec::new(),
            style: None,
            first: Vec::new(),
            right: &[],
            most: usize::MAX,
        }
    }

    /// Styles the cells of a column by their text.
    pub(crate) fn styled(mut self, column: usize, style: CellStyle) -> Self {
        self.style = Some((column, style));
        self
    }

    /// Aligns columns of numbers to the right.
    pub(crate) fn right(mut self, columns: &'static [usize]) -> Self {
        self.right = columns;
        self
    }

    /// Sets the maximum number of lines of the last column on a terminal. The last line ends in `…` if text is
    /// left.
    pub(crate) fn most_lines(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    pub(crate) fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Styles the first cell of the last row.
    pub(crate) fn style_first(&mut self, style: Style) {
        self.first.resize(self.rows.len(), None);
        if let Some(last) = self.first.last_mut() {
            *last = Some(style);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Prints the headings and the rows. Empty headings are not printed.
    pub(crate) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let fit = fitted(self.widths(), output.width());
        let plain = |_: usize, piece: &str| piece.to_owned();
        if self.heads.iter().any(|head| !head.is_empty()) {
            for line in self.lines(&self.heads.map(str::to_owned), &fit, plain) {
                writeln!(output, "{}", output.strong(line))?;
            }
        }
        for (at, row) in self.rows.iter().enumerate() {
            let first = self.first.get(at).copied().flatten();
            let painted = |column: usize, piece: &str| match self.style {
                _ if column == 0 && first.is_some() => {
                    output.styled(first.unwrap_or_default(), piece).to_string()
                }
                Some((styled, style)) if styled == column => {
                    let style = row.get(column).map(|cell| style(cell)).unwrap_or_default();
                    output.styled(style, piece).to_string()
                }
                _ => piece.to_owned(),
            };
            for line in self.lines(row, &fit, painted) {
                writeln!(output, "{line}")?;
            }
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

    /// Returns the lines of a row. `painted` styles a piece of the cell of a column.
    fn lines(
        &self,
        row: &[String; N],
        fit: &Fit<N>,
        painted: impl Fn(usize, &str) -> String,
    ) -> Vec<String> {
        let cells: Vec<Vec<Cow<'_, str>>> =
            (0..N).map(|column| self.pieces(row, fit, column)).collect();
        let beside = if fit.is_below { N.saturating_sub(1) } else { N };
        let (beside, below) = cells.split_at(beside);
        let height = beside.iter().map(Vec::len).max().unwrap_or_default();
        let mut lines: Vec<String> = Vec::new();
        for at in 0..height {
            let mut line = String::new();
            for (column, (cell, width)) in beside.iter().zip(fit.widths).enumerate() {
                let piece = cell.get(at).map(AsRef::as_ref).unwrap_or_default();
                let space = " ".repeat(width.saturating_sub(piece.width()));
                let (before, after) = if self.right.contains(&column) {
                    (&*space, "")
                } else {
                    ("", &*space)
                };
                let piece = match piece {
                    "" => String::new(),
                    piece => painted(column, piece),
                };
                line.extend([before, &piece, after, GAP]);
            }
            lines.push(line.trim_end().to_owned());
        }
        let below = below.iter().flatten().filter(|piece| !piece.is_empty());
        lines.extend(below.map(|piece| format!("{INDENT}{}", painted(N.saturating_sub(1), piece))));
        lines
    }

    /// Returns the lines of one cell.
    fn pieces<'r>(&self, row: &'r [String; N], fit: &Fit<N>, column: usize) -> Vec<Cow<'r, str>> {
        let (Some(cell), Some(&width)) = (row.get(column), fit.widths.get(column)) else {
            return Vec::new();
        };
        if !fit.is_broken {
            return vec![Cow::Borrowed(cell)];
        }
        if column + 1 < N {
            return broken(cell, width).into_iter().map(Cow::Borrowed).collect();
        }
        let mut lines: Vec<Cow<'_, str>> = wrapped(cell, Some(width))
            .into_iter()
            .map(Cow::Borrowed)
            .collect();
        if lines.len() > self.most {
            lines.truncate(self.most);
            if let Some(last) = lines.last_mut() {
                *last = shortened(&format!("{last}…"), Some(width))
                    .into_owned()
                    .into();
            }
        }
        lines
    }
}

/// Computes widths at which a row fits. The widest columns are narrowed first, so that one long cell does
/// not narrow other columns. The last column gets the rest.
fn fitted<const N: usize>(mut widths: [usize; N], room: Option<usize>) -> Fit<N> {
    let Some(room) = room else {
        return Fit {
            widths,
            is_below: false,
            is_broken: false,
        };
    };
    let Some((last, others)) = widths.split_last_mut() else {
        return Fit {
            widths,
            is_below: false,
            is_broken: true,
        };
    };
    let free = room.saturating_sub(others.len() * GAP.len());
    let (wanted, needed) = ((*last).min(room / SHARE), (*last).min(LAST));
    let narrowed = |number: usize, width: usize, most: usize| {
        width.min(if number == 0 { most.max(FIRST) } else { most })
    };
    let sum = |most: usize| {
        let others = others.iter().enumerate();
        others
            .map(|(number, width)| narrowed(number, *width, most))
            .sum::<usize>()
    };
    let widest = others.iter().copied().max().unwrap_or_default().max(LEAST);
    let fits = |needed: usize| {
        (LEAST..=widest)
            .rev()
            .find(|most| sum(*most) + needed <= free)
    };
    // A third of the terminal for the last column if possible, else its minimum.
    let beside = fits(wanted.max(needed)).or_else(|| fits(needed));
    // Below the other columns, the last column takes no room beside them.
    let most = beside.or_else(|| fits(0)).unwrap_or(LEAST);
    *last = match beside {
        Some(most) => free.saturating_sub(sum(most)).min((*last).max(1)),
        None => room.saturating_sub(INDENT.len()),
    };
    for (number, width) in others.iter_mut().enumerate() {
        *width = narrowed(number, *width, most);
    }
    Fit {
        widths,
        is_below: beside.is_none(),
        is_broken: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn<const N: usize>(table: &Table<N>, room: Option<usize>) -> Vec<String> {
        let fit = fitted(table.widths(), room);
        let rows = table.rows.iter();
        rows.flat_map(|row| table.lines(row, &fit, |_, piece| piece.to_owned()))
            .collect()
    }

    #[test]
    fn cells_are_aligned_and_broken_by_the_cells_of_a_terminal() {
        let mut table = Table::new(["SKILL", "N", "TEXT"]).right(&[1]);
        table.push([
            "検査".to_owned(),
            "7".to_owned(),
            "See the rules of the house.".to_owned(),
        ]);
        assert_eq!(
            drawn(&table, None),
            ["検査   7  See the rules of the house."]
        );
        assert_eq!(
            drawn(&table, Some(26)),
            ["検査   7  See the rules of", "          the house."]
        );
        assert_eq!(
            drawn(&table, Some(24)),
            ["検査   7", "    See the rules of the", "    house."]
        );
        let table = table.most_lines(1);
        assert_eq!(drawn(&table, Some(26)), ["検査   7  See the rules…"]);
    }

    #[test]
    fn the_widest_columns_are_narrowed_before_the_last() {
        for (widths, room, fit, is_below) in [
            ([10, 8, 7, 300], None, [10, 8, 7, 300], false),
            ([10, 8, 7, 300], Some(80), [10, 8, 7, 49], false),
            ([10, 8, 7, 3], Some(80), [10, 8, 7, 3], false),
            ([70, 8, 7, 300], Some(80), [33, 8, 7, 26], false),
            ([70, 8, 40, 300], Some(80), [20, 8, 20, 26], false),
            ([70, 8, 40, 3], Some(80), [31, 8, 31, 3], false),
            ([70, 8, 40, 300], Some(50), [20, 8, 16, 46], true),
            ([70, 8, 40, 300], Some(20), [20, 8, 8, 16], true),
        ] {
            let came = fitted(widths, room);
            assert_eq!(
                (came.widths, came.is_below),
                (fit, is_below),
                "{widths:?} in {room:?}"
            );
        }
        let mut table = Table::new(["SKILL", "SOURCE", "STATE", "DESCRIPTION"]);
        table.push([
            "a-name-that-never-ends-".repeat(4),
            "user".to_owned(),
            "shadowed by x, user only".to_owned(),
            "Go on. ".repeat(90),
        ]);
        for room in [42, 50, 60, 80, 120, 200] {
            let lines = drawn(&table, Some(room));
            assert!(
                lines.iter().all(|line| line.width() <= room),
                "{room}: {lines:#?}"
            );
        }
    }
}
