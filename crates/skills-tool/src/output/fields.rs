//! Printed fields: a label and a value on a line, broken at words on a terminal.

use crate::outcome::Failure;
use crate::output::text::wrapped;
use crate::output::{Ctx, one_line};
use std::io::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// Prints a field. `cells` is the width of the labels. Further lines of the value are aligned with the
/// first line.
pub(crate) fn print(cells: usize, label: &str, value: &str, cx: &mut Ctx) -> Result<(), Failure> {
    print_several(cells, label, &[value.to_owned()], cx)
}

/// Prints a field with several values, each on a line of its own. Further lines of a value are indented.
pub(crate) fn print_several(
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
