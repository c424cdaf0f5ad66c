//! Lines and white space of front matter, read without parsing it.

use crate::text::span::Span;

/// Returns whether a line is a conflict marker of git.
pub(crate) fn is_conflict_mark(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Returns whether a line is made of hyphens and other dashes: at least three, and more than the `---` that closes front
/// matter, or with a comment after it. `...` is such a line too: YAML ends a document there.
pub(crate) fn is_dashes(line: &str) -> bool {
    let rest = line.trim_start_matches(['-', '\u{2013}', '\u{2014}', '\u{2212}']);
    let dashes = line.len() - rest.len();
    let is_comment = rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#');
    let is_one = line.lines().count() == 1 && (rest.is_empty() || is_comment);
    dashes >= "---".len() && is_one || line == "..."
}

/// Returns the line around a place, trimmed.
pub(crate) fn line_around(text: &str, at: usize, chunk: Span) -> Span {
    let at = at.clamp(chunk.start, chunk.end.saturating_sub(1).max(chunk.start));
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    first_line(text, Span::new(start.max(chunk.start), text.len()))
}

pub(crate) fn first_line(text: &str, span: Span) -> Span {
    let line = span.of(text).split('\n').next().unwrap_or_default();
    let trimmed = line.trim_start();
    let start = span.start + (line.len() - trimmed.len());
    Span::new(start, start + trimmed.trim_end().len())
}

/// Returns the first byte of a span that is not white space.
pub(crate) fn first_text(text: &str, span: Span) -> usize {
    let written = span.of(text);
    span.start + (written.len() - written.trim_start().len())
}

/// Returns the length of the key of `key: value`, quotes included.
pub(crate) fn key_length(line: &str) -> Option<usize> {
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
