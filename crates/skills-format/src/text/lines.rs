//! Lines of a text.

use crate::text::span::Span;

/// Returns the line that begins at `at`, without its line feed.
pub fn line_at(text: &str, at: usize) -> Span {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    Span::new(at, at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()))
}

/// Returns the lines of a part of a text, without their line feeds.
pub fn lines_in(text: &str, part: Span) -> impl Iterator<Item = Span> + '_ {
    let mut at = part.start;
    std::iter::from_fn(move || {
        let line = (at < part.end).then(|| line_at(text, at))?;
        at = line.end + 1;
        Some(Span::new(line.start, line.end.min(part.end)))
    })
}

/// Returns the start of the line after a line; at most the end of the text.
pub fn line_after(text: &str, line: Span) -> usize {
    (line.end + 1).min(text.len())
}

/// Returns the line around a span, with at most `reach` bytes on either side of the span.
pub fn line_around(text: &str, span: Span, reach: usize) -> Span {
    let bytes = text.as_bytes();
    let mut start = span.start.saturating_sub(reach);
    let before = bytes.get(start..span.start).unwrap_or_default();
    start += memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let mut end = (span.end + reach).min(text.len());
    let after = bytes.get(span.end..end).unwrap_or_default();
    end = memchr::memchr(b'\n', after).map_or(end, |newline| span.end + newline);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Span::new(start, end)
}
