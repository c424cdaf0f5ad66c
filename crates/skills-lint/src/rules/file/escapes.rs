//! Reads the characters of double-quoted YAML, with escapes resolved and each character at its place.

use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Style, Value};

/// Returns the places of the double-quoted texts with escapes in a node, keys included.
pub(super) fn scalars(text: &str, node: &Node) -> Vec<Span> {
    let mut found = Vec::new();
    gather(text, node, &mut found);
    found
}

/// Collects the places. The recursion is bounded, since the parser limits the nesting.
fn gather(text: &str, node: &Node, found: &mut Vec<Span>) {
    match &node.value {
        Value::Scalar(scalar) => {
            let written = node.span.of(text).as_bytes();
            if scalar.style == Style::DoubleQuoted && memchr::memchr(b'\\', written).is_some() {
                found.push(node.span);
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| gather(text, item, found)),
        Value::Mapping(entries) => {
            for (key, value) in entries {
                gather(text, key, found);
                gather(text, value, found);
            }
        }
    }
}

/// Returns the characters of a double-quoted text, in order. The place of an escape begins with its
/// backslash.
pub(super) fn read(text: &str, scalar: Span) -> Vec<(Span, char)> {
    let mut characters = Vec::new();
    let mut written = scalar.of(text).char_indices();
    while let Some((at, c)) = written.next() {
        let start = scalar.start + at;
        if c != '\\' {
            characters.push((Span::new(start, start + c.len_utf8()), c));
            continue;
        }
        let Some((_, kind)) = written.next() else {
            break;
        };
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let rest = written.as_str();
        let number = rest.get(..digits).filter(|_| digits > 0);
        let c = match number {
            Some(number) => {
                written = skipped(written, digits);
                let code = u32::from_str_radix(number, 16).ok();
                code.and_then(char::from_u32)
            }
            None => Some(named(kind)),
        };
        let end = scalar.end - written.as_str().len();
        characters.extend(c.map(|c| (Span::new(start, end), c)));
    }
    characters
}

fn skipped(mut characters: std::str::CharIndices<'_>, count: usize) -> std::str::CharIndices<'_> {
    for _ in 0..count {
        characters.next();
    }
    characters
}

/// Returns the character of an escape of one letter, if it is a control character other than white space.
fn named(letter: char) -> char {
    match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'v' => '\u{B}',
        'f' => '\u{C}',
        'e' => '\u{1B}',
        'N' => '\u{85}',
        c => c,
    }
}
