//! Text shortened or broken to the width of a terminal. A character can take two cells.

use std::borrow::Cow;
use std::ops::ControlFlow;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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
                _ => self::line(rest, width),
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

/// Breaks an indented line with styles of a terminal at words. Further lines are indented by two more cells.
pub(crate) fn indented(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - text.len());
    if without_styles(text).width() + indent.len() <= width {
        return vec![line.to_owned()];
    }
    let room = width.saturating_sub(indent.len());
    let lines = styled(text, room).into_iter();
    lines.map(|line| format!("{indent}{line}")).collect()
}

/// Breaks a line with styles of a terminal at words. Further lines are indented like the text of the first
/// line. A line of an excerpt stays whole.
pub(crate) fn styled(line: &str, width: usize) -> Vec<String> {
    let bare = without_styles(line);
    let is_excerpt = bare
        .trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == '|');
    let is_note = ["= help: ", "= note: "].iter().find_map(|label| {
        let at = bare.find(label)?;
        Some(at + label.len())
    });
    let label = below_label(&bare, width);
    if bare.width() <= width || is_excerpt && is_note.is_none() && label.is_none() {
        return vec![line.to_owned()];
    }
    let indent = label.unwrap_or_else(|| " ".repeat(is_note.unwrap_or(2)));
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let cells = without_styles(word).trim_end().width();
        let is_full = used > indent.len() && used + cells > width;
        if let (true, Some(last)) = (is_full, lines.last_mut()) {
            last.truncate(last.trim_end().len());
            lines.push(indent.clone());
            used = indent.len();
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(word);
        }
        used += without_styles(word).width();
    }
    lines
}

/// Returns the indent below the marks of `| ^^^ label`, for further lines of the label. Returns `None` for
/// any other line, or when the label has too little room.
fn below_label(bare: &str, width: usize) -> Option<String> {
    let (marks, _) = bare.split_once("^ ")?;
    let bar = marks.find('|')?;
    let before = marks.len() + "^ ".len() - (bar + 1);
    let is_marks = marks.chars().all(|c| " |_^".contains(c));
    let has_room = marks.len() * 2 < width;
    (is_marks && has_room).then(|| format!("{}|{}", " ".repeat(bar), " ".repeat(before)))
}

fn without_styles(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Returns the number of rows that a line takes on a screen. Styles take no room.
pub(crate) fn rows(line: &str, width: usize) -> usize {
    without_styles(line).width().div_ceil(width.max(1)).max(1)
}

/// Breaks text into lines of `width` cells. Every line but the first is indented.
pub(crate) fn hanging(text: &str, width: Option<usize>) -> Vec<String> {
    const INDENT: &str = "    ";
    let mut lines = wrapped(text, width).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = text.get(first.len()..).unwrap_or_default().trim_start();
    let mut hung = vec![first.to_owned()];
    if lines.next().is_some() {
        let room = width.map(|width| width.saturating_sub(INDENT.len()));
        let rest = wrapped(rest, room);
        hung.extend(rest.into_iter().map(|line| format!("{INDENT}{line}")));
    }
    hung
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

/// Returns the characters that fit on a line. The next line does not begin with a mark that belongs to the
/// text before the mark.
fn line(text: &str, room: usize) -> &str {
    /// The marks of East Asian scripts that must not begin a line.
    const MARKS: &str = "、。，．：；！？）］｝」』】〉》ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
    let fits = characters(text, room);
    let rest = text.strip_prefix(fits).unwrap_or_default();
    let mut ends = fits.char_indices().rev();
    let whole = ends.try_fold(rest.chars().next(), |next, (at, c)| match next {
        Some(next) if MARKS.contains(next) => ControlFlow::Continue(Some(c)),
        _ => ControlFlow::Break(at + c.len_utf8()),
    });
    match whole {
        ControlFlow::Break(end) => fits.get(..end).unwrap_or(fits),
        ControlFlow::Continue(_) => fits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_styles_is_broken_at_words() {
        assert_eq!(
            styled("\u{1b}[1merror[x]\u{1b}[0m: the skill is long", 20),
            ["\u{1b}[1merror[x]\u{1b}[0m: the skill", "  is long"]
        );
        assert_eq!(
            styled("  = help: write `a` or `b`", 20),
            ["  = help: write `a`", "          or `b`"]
        );
        assert_eq!(
            styled("  | ^^^ write `a` or `b`", 20),
            ["  | ^^^ write `a` or", "  |     `b`"]
        );
        let excerpt = "2 | name: a very long name of a skill";
        assert_eq!(styled(excerpt, 20), [excerpt]);
    }

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
            ("検査、する。", 6, &["検査、", "する。"]),
            ("検査、する。", 4, &["検", "査、", "す", "る。"]),
            ("検査する。」", 8, &["検査す", "る。」"]),
            ("。。。。", 4, &["。。", "。。"]),
            ("", 9, &[""]),
        ] {
            assert_eq!(wrapped(text, Some(width)), lines, "{text} in {width}");
        }
        assert_eq!(wrapped("as it is", None), ["as it is"]);
    }
}
