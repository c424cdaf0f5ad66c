//! Lines that can be fields of front matter.

use crate::skill::known_fields::FIELDS;
use crate::text::lines::line_after;
use crate::text::span::Span;

/// Returns whether the lines between a malformed closing line and the next `---` are fields, and one of them is a known
/// field: then the `---` closes the front matter, and the malformed line stands in its middle. A restraint after the line
/// counts.
pub(super) fn has_fields(text: &str, line: Span, close: Option<Span>) -> bool {
    let Some(close) = close else { return false };
    let rest = text.get(line_after(text, line)..close.start);
    let rest = rest.unwrap_or_default().lines();
    let mut rest = rest.filter(|line| !line.trim().is_empty()).peekable();
    let is_field = |line: &str| {
        let key = line.split_once(':').map_or("", |(key, _)| key);
        FIELDS.iter().any(|known| known.key == key)
    };
    let mut has_field = false;
    rest.peek().is_some_and(|line| is_key(line))
        && rest.all(|line| {
            has_field |= is_field(line);
            line.starts_with([' ', '\t']) || is_yaml(line)
        })
        && has_field
}

/// Returns whether a line without indent can be part of front matter.
pub(super) fn is_yaml(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '-', '}', ']', '"', '\'']) || is_key(line)
}

pub(super) fn is_key(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| !key.is_empty() && !key.contains(char::is_whitespace))
}
