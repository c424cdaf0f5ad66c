//! Foreign text on a line of its own.

use std::borrow::Cow;

/// The text with a picture in the place of each control character, so that it neither ends the line
/// nor steers a terminal.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        text.chars().map(picture).collect::<String>().into()
    } else {
        text.into()
    }
}

/// What is shown in the place of a character that would steer a terminal; any other as it is.
pub fn picture(c: char) -> char {
    match c {
        '\u{7F}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}'),
        c if c.is_control() => '\u{FFFD}',
        c => c,
    }
}
