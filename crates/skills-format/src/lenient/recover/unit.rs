//! Front matter cut into units: a line that begins a value, with the lines that continue the value.

use crate::lenient::recover::lines::{is_conflict_mark, key_length};
use crate::lenient::recover::margin::Margin;
use crate::lenient::recover::quote;
use crate::skill::known_fields::is_spelling;
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
    /// The quote that closes a value in quotes. It can stand below the lines of the value.
    close: Option<usize>,
}

/// Cuts `chunk` into units, in order.
pub(crate) fn units(text: &str, chunk: Span, margin: &Margin<'_>) -> Vec<Unit> {
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
                if (is_open && continues(text, unit, indent, trimmed)
                    || is_unclosed && is_text(trimmed))
                    && !is_field(text, unit, line, margin) =>
            {
                unit.value.end = line.start + content.len();
            }
            _ if trimmed.starts_with('#') => is_open = false,
            _ => {
                let mut unit = unit(text, line.start, indent, trimmed);
                let rest = Span::new(unit.value.start, chunk.end).of(text);
                if rest.starts_with(['"', '\'']) {
                    unit.close = quote::closing(rest).map(|at| unit.value.start + at);
                }
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

/// Returns whether a line that is indented below a value is a field of its own: the key is a known field, and the front
/// matter does not have the field elsewhere.
///
/// Quotes around the value and the line would make the field a part of the text. A restraint would be lost.
pub(crate) fn is_field(text: &str, unit: &Unit, line: Span, margin: &Margin<'_>) -> bool {
    let content = line.of(text);
    let field = content.trim_start();
    let indent = content.len() - field.len();
    let is_below = indent > unit.indent.saturating_sub(usize::from(unit.key.is_none()));
    let by_spaces = content.bytes().take(indent).all(|byte| byte == b' ');
    let Some(key) = key_length(field).and_then(|length| field.get(..length)) else {
        return false;
    };
    // The fields of an item can be fields of anything.
    let is_in_item = || unit.key.is_some() && is_item(text, unit);
    is_below
        && by_spaces
        && !is_in_item()
        && is_spelling(key)
        // Which of two fields counts is not known.
        && !margin.has(key)
        && is_over(text, unit)
}

/// Returns whether the value of a unit cannot go on in a line that begins with a key.
fn is_over(text: &str, unit: &Unit) -> bool {
    let value = unit.value.of(text);
    match value.chars().next() {
        None => false,
        Some('|' | '>') => !is_block(value),
        Some(open @ ('[' | '{')) => {
            let close = if open == '[' { ']' } else { '}' };
            value.trim_end().ends_with(close)
        }
        Some('"' | '\'') => unit.close.is_none_or(|close| close < unit.value.end),
        Some(_) => true,
    }
}

/// Returns whether a unit is an item of a list.
pub(crate) fn is_item(text: &str, unit: &Unit) -> bool {
    let line = text.get(unit.line_start..).unwrap_or_default();
    line.trim_start_matches(' ').starts_with("- ")
}

/// Returns whether a value begins as a block text: with a line that holds `|` or `>`, and its indicators.
fn is_block(value: &str) -> bool {
    let header = value.lines().next().unwrap_or_default();
    let Some(rest) = header.strip_prefix(['|', '>']) else {
        return false;
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
    rest.trim().is_empty() || rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#')
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
        close: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_what_continues_them() {
        let text = "name: x\ndescription: a\n  b: c\n\n  d\nmetadata:\n  k: [1,\n    2\n  ]\n  l:\n    - \"m\" n\n    - o: p\n";
        let found: Vec<(Option<&str>, &str)> =
            units(text, Span::new(0, text.len()), &Margin::of(text, 0))
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
