//! Reads the markers at the beginning of a line. Each function takes the line from its first byte that is
//! not white space.

use std::ops::Range;

/// The opening line of fenced code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    byte: u8,
    length: usize,
}

impl Fence {
    pub(super) fn opened_by(line: &[u8]) -> Option<Self> {
        let byte = *line.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = run(line, byte);
        let info = line.get(length..).unwrap_or_default();
        // "```a```" on one line is a code span, so a fence of backticks has no backtick after it.
        let is_open = length >= 3 && (byte == b'~' || memchr::memchr(b'`', info).is_none());
        is_open.then_some(Self { byte, length })
    }

    pub(super) fn is_closed_by(self, line: &[u8]) -> bool {
        let length = run(line, self.byte);
        length >= self.length && is_white(line.get(length..).unwrap_or_default())
    }
}

/// Returns the level of a heading that begins with `#`.
pub(super) fn heading(line: &[u8]) -> Option<usize> {
    let level = run(line, b'#');
    ((1..=6).contains(&level) && ends_marker(line.get(level))).then_some(level)
}

/// Returns the bytes of the text of a heading of this level, without closing `#` marks.
pub(super) fn heading_text(line: &[u8], level: usize) -> Range<usize> {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t');
    let end_of = |line: &[u8]| {
        line.iter()
            .rposition(|byte| !is_white(byte))
            .map_or(0, |last| last + 1)
    };
    let end = end_of(line);
    let text = line.get(..end).unwrap_or_default();
    let marks = text.iter().rev().take_while(|byte| **byte == b'#').count();
    let before = end - marks;
    let is_closed = before > level && text.get(before - 1).is_some_and(is_white);
    let end = if is_closed {
        end_of(line.get(..before).unwrap_or_default())
    } else {
        end
    };
    let rest = line.get(level..end).unwrap_or_default();
    let start = level + rest.iter().take_while(|byte| is_white(byte)).count();
    start..end.max(start)
}

/// Returns the level of the heading if a line is a heading's underline below a paragraph.
pub(super) fn underline(line: &[u8]) -> Option<usize> {
    let byte = *line.first().filter(|byte| matches!(byte, b'=' | b'-'))?;
    let rest = line.get(run(line, byte)..).unwrap_or_default();
    is_white(rest).then_some(if byte == b'=' { 1 } else { 2 })
}

/// Returns whether a line is a thematic break.
pub(super) fn is_thematic_break(line: &[u8]) -> bool {
    let Some(byte) = line.first().filter(|byte| b"*-_".contains(byte)) else {
        return false;
    };
    let mut marks = 0;
    for other in line {
        match other {
            other if other == byte => marks += 1,
            b' ' | b'\t' => {}
            _ => return false,
        }
    }
    marks >= 3
}

/// Returns the length of the marker of a list item. An item can interrupt a paragraph only if it has content
/// and its number is 1.
pub(super) fn item(line: &[u8], interrupts: bool) -> Option<usize> {
    let length = match line.first()? {
        b'-' | b'+' | b'*' => 1,
        b'0'..=b'9' => {
            let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // CommonMark allows 9 digits: more can overflow the integers of browsers.
            let is_number = digits <= 9 && matches!(line.get(digits), Some(b'.' | b')'));
            let is_first = || line.get(..digits).is_some_and(is_one);
            if !is_number || (interrupts && !is_first()) {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let rest = line.get(length..).unwrap_or_default();
    (ends_marker(rest.first()) && !(interrupts && is_white(rest))).then_some(length)
}

/// Returns whether the digits are the number 1.
fn is_one(digits: &[u8]) -> bool {
    matches!(digits, [zeros @ .., b'1'] if zeros.iter().all(|digit| *digit == b'0'))
}

fn ends_marker(next: Option<&u8>) -> bool {
    next.is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

fn run(line: &[u8], byte: u8) -> usize {
    line.iter().take_while(|other| **other == byte).count()
}

fn is_white(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}
