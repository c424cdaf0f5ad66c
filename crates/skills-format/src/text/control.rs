//! Shows foreign text so that the text cannot control a terminal or end a line.

use std::borrow::Cow;

/// Replaces each control character by its picture, line ends included, and each mark that turns the direction of text
/// by U+FFFD: see [`shown`].
pub fn pictured(text: &str) -> Cow<'_, str> {
    replaced(text, shown)
}

/// Replaces characters as [`pictured`] does, except line feeds.
pub fn pictured_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| if c == '\n' { c } else { shown(c) })
}

fn replaced(text: &str, by: fn(char) -> char) -> Cow<'_, str> {
    if text.chars().any(|c| by(c) != c) {
        text.chars().map(by).collect::<String>().into()
    } else {
        text.into()
    }
}

/// Returns the picture of a control character. Any other character is returned unchanged.
///
/// ```
/// assert_eq!(skills_format::picture('\n'), '␊');
/// assert_eq!(skills_format::picture('n'), 'n');
/// ```
pub fn picture(c: char) -> char {
    match c {
        '\u{7F}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}'),
        c if c.is_control() => '\u{FFFD}',
        c => c,
    }
}

/// Returns a character that can be shown without an effect on the text around it: the picture of a control
/// character, and U+FFFD for a mark that turns the direction of text.
///
/// ```
/// use skills_format::text::control::shown;
///
/// assert_eq!(shown('\u{1b}'), '␛');
/// assert_eq!(shown('\u{202e}'), '\u{fffd}');
/// assert_eq!(shown('n'), 'n');
/// ```
pub fn shown(c: char) -> char {
    match c {
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        c => picture(c),
    }
}

/// Joins a text into one line: every run of white space becomes one space, and none is left at the ends.
/// Every other character is replaced by the result of `shown`; `None` leaves the character out. `shown` must
/// keep printable ASCII, since a text of printable ASCII is borrowed unchanged.
///
/// ```
/// use skills_format::picture;
/// use skills_format::text::control::one_line;
///
/// assert_eq!(one_line(" a\n\tb\u{1b} ", |c| Some(picture(c))), "a b␛");
/// ```
pub fn one_line(text: &str, shown: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if is_one_line(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space = true;
        } else if let Some(c) = shown(c) {
            if space && !line.is_empty() {
                line.push(' ');
            }
            space = false;
            line.push(c);
        }
    }
    Cow::Owned(line)
}

/// Returns whether a text is printable ASCII with single spaces inside.
fn is_one_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = bytes.first() != Some(&b' ') && bytes.last() != Some(&b' ');
    let mut before = 0;
    ends && bytes.iter().all(|&byte| {
        let fine = (b' '..0x7f).contains(&byte) && !(byte == b' ' && before == b' ');
        before = byte;
        fine
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures() {
        assert_eq!(pictured("a\tb\n"), "a␉b␊");
        assert_eq!(pictured("\u{7f}\u{9b}"), "␡\u{FFFD}");
        assert_eq!(pictured("a\u{202e}b"), "a\u{FFFD}b");
        assert_eq!(pictured_lines("a\n\u{2067}b"), "a\n\u{FFFD}b");
        assert!(matches!(pictured("ä b"), Cow::Borrowed(_)));
        assert_eq!(pictured_lines("a b\n\u{1b}[m\r\n"), "a b\n␛[m␍\n");
        assert_eq!(pictured_lines("\n é\u{7f}\u{9b}"), "\n é\u{2421}\u{fffd}");
        let plain = pictured_lines("two\nlines");
        assert!(matches!(plain, Cow::Borrowed("two\nlines")));
        assert_eq!(pictured("a b\n\t"), "a b␊␉");
        let turned = [
            '\u{61c}', '\u{200e}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{1b}', ' ',
        ];
        assert_eq!(
            turned.map(shown),
            [
                '\u{fffd}', '\u{fffd}', '\u{fffd}', '\u{fffd}', '\u{fffd}', '␛', ' '
            ]
        );
    }

    #[test]
    fn lines() {
        let shown = |c: char| (!c.is_control()).then_some(c);
        assert!(matches!(one_line("a b", shown), Cow::Borrowed("a b")));
        assert_eq!(one_line("  a\r\n\tb\u{2028}c\u{a0}d  ", shown), "a b c d");
        assert_eq!(one_line("a\u{1b}[0m", shown), "a[0m");
        assert_eq!(one_line("日本語  です", shown), "日本語 です");
        assert_eq!(one_line("\n \t", shown), "");
    }
}
