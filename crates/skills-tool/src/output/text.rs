//! Text for people: nouns with numbers, one line, and the width of a terminal.

use skills_format::text::control::{self, shown};
use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Formats a number with its noun: `1 skill`, `2 skills`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Joins the first texts, and counts the others: `a, b and 3 more`.
pub(crate) fn some_of<T: AsRef<str>>(texts: &[T], most: usize) -> String {
    let first: Vec<&str> = texts.iter().take(most).map(AsRef::as_ref).collect();
    match texts.len().saturating_sub(most) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Puts text of a skill on one line: white space becomes one space, and control characters become
/// pictures.
pub(crate) fn one_line(text: &str) -> String {
    control::one_line(text, |c| Some(shown(c))).into_owned()
}

/// Replaces every control character that is not in `kept` by a picture.
pub(crate) fn printable(text: &str, kept: &str) -> String {
    let as_shown = |c| if kept.contains(c) { c } else { shown(c) };
    text.chars().map(as_shown).collect()
}

/// Shortens text to `width` cells, at the end of a word.
pub(crate) fn shortened(text: &str, width: Option<usize>) -> Cow<'_, str> {
    match width {
        Some(width) if text.width() > width => {
            // The last cell holds `…`.
            let Some(room) = width.checked_sub(1) else {
                return "".into();
            };
            let words = whole_words(text, room);
            // A script without spaces is one long word, which is cut inside.
            let kept = if words.width() * 2 < room {
                characters(text, room)
            } else {
                words
            };
            format!("{}…", kept.trim_end()).into()
        }
        _ => text.into(),
    }
}

/// Breaks text into lines of `width` cells, at the ends of words. A longer word stays whole, so that
/// digests and paths can be copied. A script without spaces is broken anywhere.
pub(crate) fn wrapped(text: &str, width: Option<usize>) -> Vec<&str> {
    let Some(width) = width.filter(|width| *width > 0) else {
        return vec![text];
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > width {
        let words = whole_words(rest, width);
        let line = match words {
            "" => match rest.split_inclusive(' ').next() {
                Some(word) if word.is_ascii() => word,
                _ => characters(rest, width),
            },
            words => words,
        };
        // The next character is wider than a line: the loop would not end.
        if line.is_empty() {
            break;
        }
        lines.push(line.trim_end());
        rest = rest.get(line.len()..).unwrap_or_default();
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest);
    }
    lines
}

/// Breaks an indented line at words. Further lines are indented by two more cells.
pub(crate) fn indented(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - text.len());
    let room = width.saturating_sub(indent.len());
    let first = wrapped(text, Some(room))
        .first()
        .map_or(0, |first| first.len());
    let (first, rest) = text.split_at(first);
    let mut lines = vec![format!("{indent}{first}")];
    let rest = rest.trim_start();
    if !rest.is_empty() {
        let rest = wrapped(rest, Some(room.saturating_sub(2)));
        lines.extend(rest.iter().map(|line| format!("{indent}  {line}")));
    }
    lines
}

fn without_styles(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Returns the number of rows that a line takes on a screen. Styles take no room.
pub(crate) fn rows(line: &str, width: usize) -> usize {
    without_styles(line).width().div_ceil(width.max(1)).max(1)
}

/// Returns the words that fit.
fn whole_words(text: &str, room: usize) -> &str {
    let mut end = 0;
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end();
        if used + bare.width() > room {
            break;
        }
        used += word.width();
        end += word.len();
    }
    text.get(..end).unwrap_or(text)
}

/// Returns the characters that fit.
fn characters(text: &str, room: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        used += c.width().unwrap_or(0);
        (used > room).then_some(at)
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
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

#[cfg(test)]
mod fit_tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_end_of_a_word() {
        for (text, width, cut) in [
            ("Greets a guest.", 15, "Greets a guest."),
            ("Greets a guest.", 14, "Greets a…"),
            ("Greets a guest.", 9, "Greets a…"),
            ("Greets a guest.", 8, "Greets…"),
            ("Greets a guest.", 5, "Gree…"),
            ("A greeting-for-guests", 12, "A greeting-…"),
            ("Greets", 1, "…"),
            ("Greets", 0, ""),
            ("", 0, ""),
            ("検査する", 8, "検査する"),
            ("検査する", 7, "検査す…"),
            ("検査する", 6, "検査…"),
            ("検査 する人", 8, "検査…"),
        ] {
            let came = shortened(text, Some(width));
            assert_eq!(came, cut, "{text} in {width}");
            assert!(came.width() <= width);
        }
        assert_eq!(shortened("as it is", None), "as it is");
    }

    #[test]
    fn a_line_of_a_plan_is_broken_at_words_below_its_indent() {
        let line = "    left out: linked.md: it is a link";
        assert_eq!(
            super::indented(line, 26),
            ["    left out: linked.md:", "      it is a link"]
        );
        assert_eq!(super::indented(line, 80), [line]);
    }

    #[test]
    fn a_text_is_broken_at_words() {
        for (text, width, lines) in [
            ("Greets a guest.", 15, &["Greets a guest."][..]),
            ("Greets a guest.", 9, &["Greets a", "guest."]),
            ("Greets", 4, &["Greets"]),
            ("Greets a guest.", 4, &["Greets", "a", "guest."]),
            ("検査する", 5, &["検査", "する"]),
            ("検", 1, &["検"]),
            ("", 9, &[""]),
        ] {
            assert_eq!(wrapped(text, Some(width)), lines, "{text} in {width}");
        }
        assert_eq!(wrapped("as it is", None), ["as it is"]);
    }
}
