//! Fields that stand too far to the right, below a value that cannot hold them.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::Fault;
use crate::lenient::recover::margin::Margin;
use crate::lenient::recover::unit::{Unit, is_field, is_item};
use crate::text::span::Span;

/// Returns the faults of the units that begin with a known field, and are indented below a value that is over. The fix
/// moves the field to the indent of the field above, which is a guess.
pub(crate) fn faults(text: &str, units: &[Unit], margin: &Margin<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    // The value above, and the column of its field after the fix.
    let mut above: Option<(&Unit, usize)> = None;
    // The columns from and to which the fields of this block move.
    let mut moved: Option<(usize, usize)> = None;
    for unit in units {
        moved = moved.filter(|(_, to)| unit.indent > *to);
        let Some(key) = unit.key.filter(|_| !is_item(text, unit)) else {
            above = above.map(|(_, column)| (unit, column));
            continue;
        };
        let line = Span::new(unit.line_start, unit.value.end.max(key.end + 1));
        let to = match (above, moved) {
            (_, Some((from, to))) if from == unit.indent => Some(to),
            (Some((owner, column)), _) if is_field(text, owner, line, margin) => Some(column),
            _ => None,
        };
        above = Some((unit, to.unwrap_or(unit.indent)));
        let Some(to) = to else { continue };
        moved = Some((unit.indent, to));
        let indent = Span::new(unit.line_start, key.start);
        faults.push(Fault {
            span: key,
            message: format!(
                "`{}` is indented below a value, and is no field there",
                key.of(text)
            ),
            help: match to {
                0 => "remove the indentation".to_owned(),
                _ => format!("indent it by {to} spaces, as the field above"),
            },
            edits: vec![Edit::replace(indent, " ".repeat(to))],
            is_safe: false,
        });
    }
    faults
}
