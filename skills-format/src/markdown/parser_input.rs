//! The text as the parser gets it.

use crate::markdown::titles::of_long_titles;
use memchr::memchr2_iter;

/// Deeper nesting of quotations, lists and footnotes is not read: two columns of white space count as one
/// level, as a list needs them. pulldown-cmark looks at every open container in every line.
const DEEPEST: usize = 50;

/// The same text, every byte at its place, without what pulldown-cmark 0.13 reads otherwise than
/// `CommonMark` does (line ends other than a line feed, tabs after a closing fence), and without
/// what takes it more than linear time (nesting and titles without bounds).
pub(crate) fn parser_input(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut start = 0;
    for end in memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]) {
        if let Some(line) = bytes.get_mut(start..end) {
            without_tabs_after_a_fence(line);
            without_deep_markers(line);
        }
        if bytes.get(end) == Some(&b'\r') {
            let lone = bytes.get(end + 1) != Some(&b'\n');
            put(&mut bytes, end, if lone { b'\n' } else { b' ' });
        }
        start = end + 1;
    }
    for link in of_long_titles(&bytes) {
        put(&mut bytes, link, b'^');
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn without_tabs_after_a_fence(line: &mut [u8]) {
    if line.last() != Some(&b'\t') && line.last() != Some(&b' ') {
        return;
    }
    let end = line.iter().rposition(|byte| !is_blank(*byte));
    let (content, blank) = line.split_at_mut(end.map_or(0, |end| end + 1));
    if matches!(content.last(), Some(b'`' | b'~')) {
        blank.fill(b' ');
    }
}

/// Makes the first marker that stands too deep a letter, which makes the rest of the line text.
fn without_deep_markers(line: &mut [u8]) {
    let (mut at, mut columns, mut markers) = (0, 0, 0);
    while let Some(byte) = line.get(at) {
        if is_blank(*byte) {
            columns += if *byte == b'\t' { 4 } else { 1 };
            at += 1;
            continue;
        }
        let length = marker(line.get(at..).unwrap_or_default());
        if length == 0 {
            return;
        }
        markers += 1;
        if markers + columns / 2 > DEEPEST {
            return put(line, at, b'x');
        }
        at += length;
    }
}

/// Length of the marker of a quotation, of a list item or of a footnote with which the line begins.
fn marker(line: &[u8]) -> usize {
    if line.first() == Some(&b'>') {
        return 1;
    }
    if line.starts_with(b"[^") {
        return footnote(line);
    }
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let last = if digits == 0 { b"-+*" } else { b".)." };
    let is_item = line.get(digits).is_some_and(|byte| last.contains(byte))
        && line.get(digits + 1).is_none_or(|byte| is_blank(*byte));
    if is_item { digits + 1 } else { 0 }
}

/// Length of `[^label]:`.
fn footnote(line: &[u8]) -> usize {
    let end = line.iter().position(|byte| *byte == b']').unwrap_or(0);
    let is_definition = end > 0 && line.get(end + 1) == Some(&b':');
    if is_definition { end + 2 } else { 0 }
}

fn put(bytes: &mut [u8], at: usize, byte: u8) {
    if let Some(place) = bytes.get_mut(at) {
        *place = byte;
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
