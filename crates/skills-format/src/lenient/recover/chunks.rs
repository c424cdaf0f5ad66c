//! Front matter cut into pieces that each hold one top-level key.

use crate::lenient::recover::quote::{end_over_lines, is_unclosed};
use crate::lenient::recover::unit::{is_text, unit};
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// Cuts front matter into chunks: a top-level line, the indented or empty lines after it, and all
/// lines of a quoted value.
pub(crate) fn chunks(text: &str, yaml: Span) -> Vec<Span> {
    let mut chunks: Vec<Span> = Vec::new();
    let mut in_unclosed = false;
    let mut margin = None;
    let mut at = yaml.start;
    while at < yaml.end {
        let line = line_at(text, at);
        let content = line.of(text);
        let trimmed = content.trim();
        let indent = content.len() - content.trim_start().len();
        // The margin is the indent of the outermost key so far: some files indent all keys.
        let unit = unit(text, line.start, indent, trimmed);
        let is_blank = trimmed.is_empty() || trimmed.starts_with('#');
        let margin = if is_blank {
            indent
        } else {
            let first = margin.unwrap_or(indent);
            let outer = if unit.key.is_some() { indent } else { first };
            *margin.insert(first.min(outer))
        };
        let continues = is_blank
            || indent > margin
            || trimmed.starts_with(['}', ']'])
            || trimmed.starts_with("- ")
            || trimmed.starts_with(": ")
            || in_unclosed && is_text(content);
        // The lines of a quoted value belong to one chunk, whatever their indent.
        let value = unit.value;
        let end = end_over_lines(text, value.start, yaml.end);
        let begins_unclosed = end.is_none() && is_unclosed(value.of(text));
        in_unclosed = begins_unclosed || continues && in_unclosed;
        let last = end.map_or(line, |end| line_at(text, end));
        let end = last.end.min(yaml.end);
        match chunks.last_mut() {
            Some(chunk) if continues => chunk.end = end,
            _ => chunks.push(Span::new(line.start, end)),
        }
        at = line_after(text, last).max(at + 1);
    }
    chunks
}
