//! Tables for people. Widths are counted in cells of a terminal; a character can take two cells.

use crate::outcome::Failure;
use crate::output::text::{shortened, wrapped};
use crate::output::{Ctx, one_line};
use clap::builder::styling::Style;
use std::io::Write as _;
use unicode_width::UnicodeWidthStr;

/// The gap between two columns, in cells.
const GAP: usize = 2;
/// The minimum width of the last column, in cells.
const LAST: usize = 16;
/// The minimum width to which a column between the first and the last is cut, in cells: `claude-code`, `ineligible`.
const LEAST: usize = 11;
/// The minimum width to which the first column is cut, in cells: a person types its text.
const FIRST: usize = 20;

/// The maximum width of a last column of one line where no terminal has a width, in cells.
const LINE: usize = 100;

/// Rows under a heading. On a terminal, the last column is broken at words, and columns between are cut, so that rows fit.
/// The first column stays whole as long as the others can be cut: a person types its text. Elsewhere a row is one line.
pub(crate) struct Table<const N: usize> {
    heads: [&'static str; N],
    rows: Vec<[String; N]>,
    style: Option<(usize, CellStyle)>,
    /// The styles of the first cells, by row.
    first: Vec<Option<Style>>,
    most: usize,
}

/// The style of a cell by its text.
type CellStyle = fn(&str) -> Style;

impl<const N: usize> Table<N> {
    pub(crate) fn new(heads: [&'static str; N]) -> Self {
        Self {
            heads,
            rows: Vec::new(),
            style: None,
            first: Vec::new(),
            most: usize::MAX,
        }
    }

    /// Styles the cells of a column by their text.
    pub(crate) fn styled(mut self, column: usize, style: CellStyle) -> Self {
        self.style = Some((column, style));
        self
    }

    /// Sets the maximum number of lines of the last column on a terminal. The last line ends in `…` if text is left.
    pub(crate) fn most_lines(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    pub(crate) fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
        self.first.push(None);
    }

    /// Styles the first cell of the last row.
    pub(crate) fn style_first(&mut self, style: Style) {
        if let Some(last) = self.first.last_mut() {
            *last = Some(style);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Prints the headings and the rows. Empty headings are not printed.
    pub(crate) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let widths = self.widths(cx.width());
        if self.heads.iter().any(|head| !head.is_empty()) {
            let heads = self.heads.map(str::to_owned);
            for line in self.lines(&heads, widths, |_, piece| piece) {
                writeln!(cx, "{}", cx.strong(line))?;
            }
        }
        for (row, first) in self.rows.iter().zip(&self.first) {
            let painted = |column: usize, piece: String| match (self.style, first) {
                (_, Some(style)) if column == 0 => cx.styled(*style, piece).to_string(),
                (Some((styled, style)), _) if styled == column => {
                    cx.styled(style(&row[column]), piece).to_string()
                }
                _ => piece,
            };
            for line in self.lines(row, widths, painted) {
                writeln!(cx, "{line}")?;
            }
        }
        Ok(())
    }

    /// Returns the widths of the columns; `None` for cells that are not broken.
    fn widths(&self, room: Option<usize>) -> ([usize; N], bool) {
        let mut widths = self.heads.map(UnicodeWidthStr::width);
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().max(*width);
            }
        }
        let Some(room) = room else {
            return (widths, false);
        };
        let free = room.saturating_sub((N - 1) * GAP);
        let last = widths[N - 1];
        // The widest column between is cut first, so that one long cell does not narrow the others.
        while widths[..N - 1].iter().sum::<usize>() + last.min(LAST) > free {
            let between = widths[..N - 1].iter_mut().skip(1);
            match between.max().filter(|width| **width > LEAST) {
                Some(widest) => *widest -= 1,
                None => break,
            }
        }
        let others: usize = widths[..N - 1].iter().sum();
        // A name that leaves no room is cut last.
        let excess = (others + last.min(LAST)).saturating_sub(free);
        widths[0] = widths[0].saturating_sub(excess).max(widths[0].min(FIRST));
        let others: usize = widths[..N - 1].iter().sum();
        widths[N - 1] = last.min(free.saturating_sub(others).max(LAST));
        (widths, true)
    }

    fn lines(
        &self,
        row: &[String; N],
        (widths, is_broken): ([usize; N], bool),
        painted: impl Fn(usize, String) -> String,
    ) -> Vec<String> {
        let mut last = vec![row[N - 1].as_str()];
        let cut = shortened(&row[N - 1], Some(LINE));
        if is_broken {
            last = wrapped(&row[N - 1], Some(widths[N - 1]));
        } else if self.most == 1 {
            last = vec![&cut];
        }
        let mut first = String::new();
        for (column, cell) in row[..N - 1].iter().enumerate() {
            let mut cell = cell.clone();
            if is_broken {
                cell = shortened(&cell, Some(widths[column])).into_owned();
            }
            let space = " ".repeat(widths[column].saturating_sub(cell.width()));
            let cell = painted(column, cell);
            first.extend([&*cell, &space, "  "]);
        }
        let indent: usize = widths[..N - 1].iter().map(|width| width + GAP).sum();
        let more = last.len() > self.most;
        last.truncate(self.most);
        let count = last.len();
        let lines = last.into_iter().enumerate().map(|(at, piece)| {
            let mut piece = piece.to_owned();
            if more && at + 1 == count {
                piece = shortened(&format!("{piece}…"), Some(widths[N - 1])).into_owned();
            }
            let piece = painted(N - 1, piece);
            let line = if at == 0 {
                format!("{first}{piece}")
            } else {
                format!("{:indent$}{piece}", "")
            };
            line.trim_end().to_owned()
        });
        lines.collect()
    }
}

/// Prints a field. `cells` is the width of the labels. Further lines of the value are aligned with the
/// first line.
pub(crate) fn print_field(
    cells: usize,
    label: &str,
    value: &str,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    print_fields(cells, label, &[value.to_owned()], cx)
}

/// Prints a field with several values, each on a line of its own. Further lines of a value are indented.
pub(crate) fn print_fields(
    cells: usize,
    label: &str,
    values: &[String],
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let label = one_line(label);
    // Two cells before a label, and at least one cell after the label.
    let before = cells + 3;
    let hang = if values.len() > 1 { "  " } else { "" };
    let taken = before + hang.len();
    let room = cx.width().map(|width| width.saturating_sub(taken));
    let space = " ".repeat(cells.saturating_sub(label.width()));
    for (number, value) in values.iter().enumerate() {
        for (at, part) in wrapped(&one_line(value), room).into_iter().enumerate() {
            match at {
                0 if number == 0 && !label.is_empty() => writeln!(cx, "  {label}{space} {part}")?,
                0 => writeln!(cx, "{:before$}{part}", "")?,
                _ => writeln!(cx, "{:before$}{hang}{part}", "")?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn<const N: usize>(table: &Table<N>, room: Option<usize>) -> Vec<String> {
        let widths = table.widths(room);
        let rows = table.rows.iter();
        rows.flat_map(|row| table.lines(row, widths, |_, piece| piece))
            .collect()
    }

    #[test]
    fn cells_are_aligned_and_broken_by_the_cells_of_a_terminal() {
        let mut table = Table::new(["SKILL", "N", "TEXT"]);
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
        let table = table.most_lines(1);
        assert_eq!(drawn(&table, Some(26)), ["検査   7  See the rules…"]);
    }

    #[test]
    fn a_name_stays_whole_and_columns_between_are_cut() {
        let mut table = Table::new(["SKILL", "CLIENTS", "DESCRIPTION"]).most_lines(1);
        table.push([
            "claude-code-review".to_owned(),
            "claude-code, codex, opencode, goose".to_owned(),
            "Go on. ".repeat(9),
        ]);
        assert_eq!(
            drawn(&table, Some(60)),
            ["claude-code-review  claude-code, codex,…    Go on. Go on.…"]
        );
    }
}
