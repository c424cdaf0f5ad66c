//! Prepares a text for pulldown-cmark.

mod titles;

use crate::view::parser_input::titles::of_long_titles;
use memchr::{memchr_iter, memchr2, memchr2_iter};
use std::borrow::Cow;

/// The maximum nesting of quotations, lists and footnotes that is parsed. Two columns of white space count as
/// one level, since a list item needs at least two. pulldown-cmark visits every open container in every line.
const DEEPEST: usize = 50;

/// Returns a text of the same length for pulldown-cmark 0.13, with every kept byte at its place.
///
/// Replaces the forms that pulldown-cmark reads otherwise than `CommonMark` (line ends other than a line
/// feed, tabs after a closing fence), and the forms that take pulldown-cmark more than linear time (deep
/// nesting, long titles).
pub(crate) fn parser_input(text: &str) -> Cow<'_, str> {
    // Titles come second: they are counted in line feeds, which the first edits make of `\r`.
    let text = edits(text.as_bytes()).made(text);
    let mut edits = Edits::default();
    let links = of_long_titles(text.as_bytes());
    edits.0.extend(links.into_iter().map(|link| (link, b'^')));
    match text {
        Cow::Borrowed(text) => edits.made(text),
        Cow::Owned(text) => Cow::Owned(edits.made(&text).into_owned()),
    }
}

/// Returns the edits that depend on single lines.
fn edits(text: &[u8]) -> Edits {
    let mut edits = Edits::default();
    if memchr2(b'\r', b'\t', text).is_none() {
        // Most texts: without `\r` and tabs, only deep nesting needs an edit.
        if !may_nest_deeply(text) {
            return edits;
        }
        let mut start = 0;
        for end in memchr_iter(b'\n', text).chain([text.len()]) {
            if end - start > DEEPEST {
                let line = text.get(start..end).unwrap_or_default();
                edits.deep_marker(line, start);
            }
            start = end + 1;
        }
        return edits;
    }
    let mut start = 0;
    for end in memchr2_iter(b'\n', b'\r', text).chain([text.len()]) {
        let line = text.get(start..end).unwrap_or_default();
        tabs_after_a_fence(line, start, &mut edits);
        edits.deep_marker(line, start);
        if text.get(end) == Some(&b'\r') {
            let is_pair = text.get(end + 1) == Some(&b'\n');
            edits.0.push((end, if is_pair { b' ' } else { b'\n' }));
        }
        start = end + 1;
    }
    edits
}

/// The bytes to replace, each with its place. Old and new bytes are ASCII, so the text stays UTF-8.
#[derive(Default)]
struct Edits(Vec<(usize, u8)>);

impl Edits {
    fn deep_marker(&mut self, line: &[u8], start: usize) {
        if let Some(at) = deep_marker(line) {
            self.0.push((start + at, b'x'));
        }
    }

    fn made(self, text: &str) -> Cow<'_, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut bytes = text.as_bytes().to_vec();
        for (at, byte) in self.0 {
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
        }
        String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
    }
}

fn tabs_after_a_fence(line: &[u8], start: usize, edits: &mut Edits) {
    if !line.last().copied().is_some_and(is_blank) {
        return;
    }
    let end = line.iter().rposition(|byte| !is_blank(*byte));
    let end = end.map_or(0, |end| end + 1);
    let (content, blank) = line.split_at(end);
    if matches!(content.last(), Some(b'`' | b'~')) {
        let tabs = memchr_iter(b'\t', blank);
        edits.0.extend(tabs.map(|at| (start + end + at, b' ')));
    }
}

/// Returns whether a line can begin with markers that are too deep: a footnote, or a run of as many bytes of
/// markers and white space as [`DEEPEST`]. Windows of this length are read from their end, so that most of a
/// text is skipped.
fn may_nest_deeply(text: &[u8]) -> bool {
    let is_of_marker = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'>' | b'-' | b'+' | b'*' | b'.' | b')' | b'0'..=b'9'
        )
    };
    let mut start = 0;
    while let Some(window) = text.get(start..start + DEEPEST) {
        match window.iter().rposition(|byte| !is_of_marker(byte)) {
            Some(other) => start += other + 1,
            None => return true,
        }
    }
    let mut carets = memchr_iter(b'^', text);
    carets.any(|at| {
        at.checked_sub(1)
            .is_some_and(|before| text.get(before) == Some(&b'['))
    })
}

/// Returns the place of the first marker that is too deep. A letter in its place makes the rest of the
/// line text.
fn deep_marker(line: &[u8]) -> Option<usize> {
    // Most lines begin with a letter, or are too short for so many markers.
    let first = line.first().copied()?;
    if first.is_ascii_alphabetic() || line.len() <= DEEPEST / 2 {
        return None;
    }
    let (mut at, mut columns, mut markers) = (0, 0, 0);
    while let Some(byte) = line.get(at) {
        if is_blank(*byte) {
            columns += if *byte == b'\t' { 4 } else { 1 };
            at += 1;
            continue;
        }
        let length = marker(line.get(at..).unwrap_or_default());
        if length == 0 {
            return None;
        }
        markers += 1;
        if markers + columns / 2 > DEEPEST {
            return Some(at);
        }
        at += length;
    }
    None
}

/// Returns the length of the marker of a quotation, list item or footnote at the beginning of a line; 0 if no
/// marker begins the line.
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

/// Returns the length of `[^label]:`; 0 if the line does not begin with a definition of a footnote.
fn footnote(line: &[u8]) -> usize {
    let end = line.iter().position(|byte| *byte == b']').unwrap_or(0);
    let is_definition = end > 0 && line.get(end + 1) == Some(&b':');
    if is_definition { end + 2 } else { 0 }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests;
