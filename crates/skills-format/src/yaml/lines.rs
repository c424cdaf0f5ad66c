//! Reads the form of most front matter without the parser: one `key: value` a line.

use crate::text::span::Span;
use crate::yaml::node::{Node, Style, Value};

/// The maximum length of a key, in bytes. The parser looks as far for a key's colon, and farther.
const MAX_KEY: usize = 128;

/// Returns the mapping of a text whose every line is one entry with a value of plain or quoted ASCII, the same as the
/// parser would. Returns `None` for any other text, also for one that is no YAML: the parser reads it then.
pub(super) fn mapping(text: &str, base: usize) -> Option<Node> {
    let mut entries = Vec::new();
    let mut start = 0;
    let lines = text.strip_suffix('\n').unwrap_or(text);
    for line in lines.split('\n') {
        entries.push(entry(line, base + start)?);
        start += line.len() + 1;
    }
    let end = entries.last()?.1.span.end;
    Some(Node {
        span: Span::new(base, end),
        value: Value::Mapping(entries),
    })
}

/// Returns the key and the value of a line that begins at `start`.
fn entry(line: &str, start: usize) -> Option<(Node, Node)> {
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let bytes = line.as_bytes();
    let length = bytes.iter().take_while(|byte| is_of_key(byte)).count();
    let (key, rest) = line.split_at_checked(length)?;
    let value = rest.strip_prefix(": ")?;
    if !key.starts_with(|c: char| c.is_ascii_alphabetic()) || length > MAX_KEY {
        return None;
    }
    let (text, style) = quoted(value).or_else(|| plain(value))?;
    let at = start + length + 2;
    Some((
        Node::scalar(Span::new(start, start + length), Style::Plain, key),
        Node::scalar(Span::new(at, at + value.len()), style, text),
    ))
}

/// Returns a value that needs no quotes, and could not be read as anything else: no comment, no key, no indicator.
fn plain(value: &str) -> Option<(&str, Style)> {
    let begins = value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !begins || value.ends_with([' ', ':']) {
        return None;
    }
    let mut before = b' ';
    let fits = value.bytes().all(|byte| {
        let is_indicator = matches!((before, byte), (b' ', b'#') | (b':', b' '));
        before = byte;
        is_printable(byte) && !is_indicator
    });
    fits.then_some((value, Style::Plain))
}

/// Returns a value between quotes that escapes nothing.
fn quoted(value: &str) -> Option<(&str, Style)> {
    let (quote, style) = match value.as_bytes().first()? {
        b'"' => ('"', Style::DoubleQuoted),
        b'\'' => ('\'', Style::SingleQuoted),
        _ => return None,
    };
    let inside = value.strip_prefix(quote)?.strip_suffix(quote)?;
    let fits = |byte: u8| is_printable(byte) && byte != b'\\' && char::from(byte) != quote;
    inside.bytes().all(fits).then_some((inside, style))
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}
