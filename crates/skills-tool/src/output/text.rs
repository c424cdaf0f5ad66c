//! Nouns with numbers, and text of skills on one line.

use skills_format::text::control::{self, shown};

/// Formats a number with its noun: `1 skill`, `2 skills`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Puts text of a skill on one line: white space becomes one space, and control characters become
/// pictures.
pub(crate) fn one_line(text: &str) -> String {
    control::one_line(text, |c| Some(shown(c))).into_owned()
}

/// Replaces control characters by pictures. Line feeds and tabs stay.
pub(crate) fn typed(text: &str) -> String {
    printable(text, "\n\t")
}

/// Replaces every control character that is not in `kept` by a picture.
pub(crate) fn printable(text: &str, kept: &str) -> String {
    let as_shown = |c| if kept.contains(c) { c } else { shown(c) };
    text.chars().map(as_shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_pictures() {
        assert_eq!(one_line("a\n\tb\u{1b}[31m\u{202e}c"), "a b␛[31m\u{fffd}c");
        assert_eq!(printable("a\r\nb\u{7f}\u{9b}", "\n"), "a␍\nb␡\u{fffd}");
    }
}
