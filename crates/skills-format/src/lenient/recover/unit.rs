//! Front matter cut into units: a line that begins a value, with the lines that continue the value.

use crate::lenient::recover::lines::is_conflict_mark;
use crate::lenient::recover::quote;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// `key: value` or `- value`, as far as it can be recognised without parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The start of the first line.
    pub(crate) line_start: usize,
    /// The bytes before the key or value in the first line, `- ` markers included.
    pub(crate) indent: usize,
    /// The key, without its colon.
    pub(crate) key: Option<Span>,
    /// The value with its continuation lines, trimmed. Empty if the lines below are units of their own.
    pub(crate) value: Span,
}

/// Cuts `chunk` into units, in order.
pub(crate) fn units(text: &str, chunk: Span) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    // A comment that does not continue the value above ends that value.
    let mut is_open = true;
    let mut is_unclosed = false;
    let mut at = chunk.start;
    while at < chunk.end {
        let line = line_at(text, at);
        let line = Span::new(line.start, line.end.min(chunk.end));
        at = line_after(text, line).max(at + 1);
        let content = line.of(text).trim_end();
        let trimmed = content.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let indent = content.len() - trimmed.len();
        match units.last_mut() {
            Some(unit)
                if is_open && continues(text, unit, indent, trimmed)
                    || is_unclosed && is_text(trimmed) =>
            {
                unit.value.end = line.start + content.len();
            }
            _ if trimmed.starts_with('#') => is_open = false,
            _ => {
                let mut unit = unit(text, line.start, indent, trimmed);
                let end = quote::end_over_lines(text, unit.value.start, chunk.end);
                is_unclosed = end.is_none() && quote::is_unclosed(unit.value.of(text));
                if let Some(end) = end {
                    unit.value.end = end;
                    at = line_after(text, line_at(text, end)).max(end + 1);
                }
                units.push(unit);
                is_open = true;
            }
        }
    }
    units
}

/// Returns whether a line continues the value of the unit above.
fn continues(text: &str, unit: &Unit, indent: usize, line: &str) -> bool {
    if unit.value.is_empty() {
        return false;
    }
    let begins_block = unit.value.of(text).starts_with(['|', '>']);
    let is_open = unit.value.of(text).starts_with(['[', '{', '"', '\'']);
    indent > unit.indent.saturating_sub(usize::from(unit.key.is_none()))
        || is_open && line.starts_with(['}', ']'])
        || begins_block && indent > unit.indent
}

/// Returns whether a line can continue a quoted value that is never closed: the line has no key, begins no
/// comment or flow collection, and is not a conflict marker.
pub(crate) fn is_text(line: &str) -> bool {
    let line = line.trim();
    key_length(line).is_none() && !line.starts_with(['#', '[', '{']) && !is_conflict_mark(line)
}

/// Reads the unit that begins in a line after its indent.
pub(crate) fn unit(text: &str, line_start: usize, indent: usize, line: &str) -> Unit {
    let mut start = line_start + indent;
    let mut rest = line;
    while let Some(item) = rest.strip_prefix("- ") {
        let trimmed = item.trim_start();
        start += rest.len() - trimmed.len();
        rest = trimmed;
    }
    let end = line_start + indent + line.len();
    let key = key_length(rest).map(|length| Span::new(start, start + length));
    let value_start = key.map_or(start, |key| {
        let after = text.get(key.end + 1..end).unwrap_or_default();
        end - after.trim_start().len()
    });
    Unit {
        line_start,
        indent: start - line_start,
        key,
        value: Span::new(value_start.min(end), end),
    }
}

/// Returns the length of the key of `key: value`, quotes included.
fn key_length(line: &str) -> Option<usize> {
    let length = match line.chars().next()? {
        quote @ ('"' | '\'') => line.get(1..)?.find(quote)? + 2,
        '{' | '[' => return None,
        _ => line
            .match_indices(':')
            .find(|(at, _)| line.get(at + 1..).is_none_or(is_blank_start))
            .map(|(at, _)| at)?,
    };
    let after = line.get(length..)?.strip_prefix(':')?;
    let is_key = length <= 128 && is_blank_start(after);
    is_key.then_some(length)
}

fn is_blank_start(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_what_continues_them() {
        let text = "name: x\ndescription: a\n  b: c\n\n  d\nmetadata:\n  k: [1,\n    2\n  ]\n  l:\n    - \"m\" n\n    - o: p\n";
        let found: Vec<(Option<&str>, &str)> = units(text, Span::new(0, text.len()))
            .iter()
            .map(|unit| (unit.key.map(|key| key.of(text)), unit.value.of(text)))
            .collect();
        assert_eq!(
            found,
            [
                (Some("name"), "x"),
                (Some("description"), "a\n  b: c\n\n  d"),
                (Some("metadata"), ""),
                (Some("k"), "[1,\n    2\n  ]"),
                (Some("l"), ""),
                (None, "\"m\" n"),
                (Some("o"), "p"),
            ]
        );
    }
}
