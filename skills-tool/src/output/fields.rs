//! Fields of a thing: a label and a value on a line, broken at words on a terminal.

use crate::outcome::Failure;
use crate::output::fit::wrapped;
use crate::output::{Output, one_line};
use std::io::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// Prints a field. `cells` is the room of the labels. The lines of a value after the first stand under the
/// first.
pub(crate) fn print(
    cells: usize,
    label: &str,
    value: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    let (label, value) = (one_line(label), one_line(value));
    // Two cells stand before a label, and at least one after it.
    let before = cells + 3;
    let room = output.width().map(|width| width.saturating_sub(before));
    let space = " ".repeat(cells.saturating_sub(label.width()));
    for (at, part) in wrapped(&value, room).into_iter().enumerate() {
        if at == 0 && !label.is_empty() {
            writeln!(output, "  {label}{space} {part}")?;
        } else {
            writeln!(output, "{:before$}{part}", "")?;
        }
    }
    Ok(())
}
