//! Reads the parts of links: labels, addresses and titles. Most functions take the text and the start of a
//! part, and return the end of the part.

use crate::markdown::entity;
use std::ops::Range;

/// The maximum length of a reference's label (`CommonMark`). `CommonMark` counts characters; bytes are counted
/// here.
const MAX_LABEL: usize = 999;

/// The maximum nesting of parentheses in an address. Without a limit, a text of repeated `[a](` would be
/// read to its end for each repetition.
const DEEPEST: usize = 32;

/// Returns the inside of the `[label]` of a reference that begins at `at`.
pub(super) fn label(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    bytes.get(at).filter(|byte| **byte == b'[')?;
    let mut end = at + 1;
    while end - at <= MAX_LABEL + 1 {
        match bytes.get(end)? {
            b']' => return Some(at + 1..end),
            b'[' => return None,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    None
}

/// Normalizes a label for comparison: case is folded, and white space is one space. Returns `None` if the
/// label is empty or too long.
pub(super) fn key(label: &str) -> Option<String> {
    if label.len() > MAX_LABEL {
        return None;
    }
    let mut key = String::with_capacity(label.len());
    for word in label.split(is_white).filter(|word| !word.is_empty()) {
        if !key.is_empty() {
            key.push(' ');
        }
        // Both mappings together approximate case folding: `ẞ` and `ss` are one label.
        key.extend(
            word.chars()
                .flat_map(char::to_lowercase)
                .flat_map(char::to_uppercase),
        );
    }
    (!key.is_empty()).then_some(key)
}

/// Reads the parentheses after the label of an inline link: the address, and the end of the link.
pub(super) fn resource(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    bytes.get(at).filter(|byte| **byte == b'(')?;
    let (address, end) = destination(text, white_space(text, at + 1))?;
    let next = white_space(text, end);
    let title = if next > end { title(text, next) } else { None };
    let end = title.map_or(next, |end| white_space(text, end));
    (bytes.get(end)? == &b')').then_some((address, end + 1))
}

/// Reads the definition `[label]: address "title"` at `at`: the normalized label, and the end of the
/// definition's last line.
pub(super) fn definition(text: &str, at: usize) -> Option<(String, usize)> {
    let label = label(text, at)?;
    let key = key(text.get(label.clone())?)?;
    text.as_bytes()
        .get(label.end + 1)
        .filter(|byte| **byte == b':')?;
    let start = white_space(text, label.end + 2);
    let (address, end) = destination(text, start)?;
    if address.is_empty() && end == start {
        return None;
    }
    let next = white_space(text, end);
    // Text after the title makes the title a part of the paragraph. The definition then ends with the
    // address, if the address ends its line.
    let titled = (next > end).then(|| title(text, next)).flatten();
    let end = titled
        .and_then(|end| line_end(text, end))
        .or_else(|| line_end(text, end))?;
    Some((key, end))
}

/// Resolves the backslash escapes and entities of a text.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\\', b'&', rest.as_bytes()) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        let (meant, length) = meant(special);
        out.push_str(&meant);
        rest = special.get(length..).unwrap_or_default();
    }
    out + rest
}

/// Returns the meaning of the escape or entity at the beginning of the text, and its length.
fn meant(text: &str) -> (String, usize) {
    match text.as_bytes() {
        [b'\\', escaped, ..] if escaped.is_ascii_punctuation() => (char::from(*escaped).into(), 2),
        [b'&', ..] => entity::read(text).unwrap_or_else(|| ("&".to_owned(), 1)),
        _ => ("\\".to_owned(), 1),
    }
}

/// Reads an address: its inside, and its end.
fn destination(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let is_bracketed = bytes.get(at) == Some(&b'<');
    let start = at + usize::from(is_bracketed);
    let (mut end, mut open) = (start, 0);
    loop {
        match bytes.get(end) {
            Some(b'\\') if bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            Some(b'>') if is_bracketed => return Some((start..end, end + 1)),
            Some(b'<' | b'\n') | None if is_bracketed => return None,
            Some(_) if is_bracketed => {}
            Some(b'(') if open == DEEPEST => return None,
            Some(b'(') => open += 1,
            Some(b')') if open > 0 => open -= 1,
            Some(byte) if *byte != b')' && *byte > b' ' && *byte != 0x7F => {}
            _ => return (open == 0).then_some((start..end, end)),
        }
        end += 1;
    }
}

/// Returns the end of the title that begins at `at`.
fn title(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (open, close) = match bytes.get(at)? {
        b'(' => (b'(', b')'),
        quote @ (b'"' | b'\'') => (*quote, *quote),
        _ => return None,
    };
    let mut end = at + 1;
    loop {
        match *bytes.get(end)? {
            byte if byte == close => return Some(end + 1),
            byte if byte == open => return None,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}

/// Returns the end of the line, if only white space follows `at`.
fn line_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?;
    let white = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    rest.get(white)
        .is_none_or(|byte| *byte == b'\n')
        .then_some(at + white)
}

/// Returns the end of the white space at `at`. `CommonMark` allows one line end here, and a paragraph holds no
/// blank line, so line ends need not be counted.
fn white_space(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start_matches(is_white).len()
}

fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n')
}
