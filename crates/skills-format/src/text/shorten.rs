//! Brings descriptions to one line, and shortens text at the end of a word.

use crate::text::control;
use std::borrow::Cow;

/// Brings a description to one line for a listing: each run of white space becomes one space, and white
/// space at the ends is removed. Control characters, characters that change the direction of text, and
/// Unicode tag characters are removed too: a person cannot see them, and a model reads them.
pub fn one_line(text: &str) -> Cow<'_, str> {
    control::one_line(text, |c| (!is_hidden(c)).then_some(c))
}

/// Returns the number of bytes to keep before an ellipsis, so that `text` has at most `limit` characters
/// including the ellipsis. The cut is at the end of a word. If the first word is longer than the limit,
/// the cut is inside this word. Returns `None` if the text is short enough.
///
/// `text` must be one line. Cost: one pass over the bytes to find out whether the text is ASCII, then as
/// [`cut_known`].
pub fn cut(text: &str, limit: usize) -> Option<usize> {
    let ascii = text.is_ascii();
    cut_known(text, limit, ascii)
}

/// Does the same as [`cut`] for a caller that knows whether the text is ASCII. Cost: reads the
/// characters up to the limit; of an ASCII text only the last word.
pub fn cut_known(text: &str, limit: usize, ascii: bool) -> Option<usize> {
    let room = limit.saturating_sub(1);
    let end = if ascii {
        (text.len() > limit).then_some(room)?
    } else {
        let mut rest = text.char_indices().map(|(at, _)| at).skip(room);
        let end = rest.next()?;
        rest.next()?;
        end
    };
    let head = text.get(..end)?;
    if text.get(end..)?.starts_with(' ') {
        return Some(end);
    }
    Some(
        head.rfind(' ')
            .unwrap_or_else(|| whole_character(text, end)),
    )
}

/// Shortens a text to `limit` characters. The last of them is an ellipsis if the text was cut.
pub fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match cut(text, limit).and_then(|end| text.get(..end)) {
        None => Cow::Borrowed(text),
        Some(head) => Cow::Owned(format!("{head}…")),
    }
}

/// Returns the last index at or before `end` that does not separate a character from its combining
/// marks. Returns `end` if no such index is left.
fn whole_character(text: &str, end: usize) -> usize {
    let mut at = end;
    while at > 0 {
        let (before, after) = text.split_at(at);
        let joins = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
        let last = before.chars().next_back();
        if !after.starts_with(joins) && last != Some('\u{200d}') {
            return at;
        }
        at -= last.map_or(1, char::len_utf8);
    }
    end
}

/// Returns whether a character is not shown, or changes how others are shown: controls, bidirectional marks, tags.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert!(matches!(
            one_line("plain text"),
            Cow::Borrowed("plain text")
        ));
        assert_eq!(one_line("  a\r\n\tb\u{2028}c\u{a0}d  "), "a b c d");
        assert_eq!(one_line("a\u{202e}b\u{0}c\u{1b}[0m"), "abc[0m");
        assert_eq!(one_line("日本語  です"), "日本語 です");
        assert_eq!(one_line("\n \t"), "");
    }

    #[test]
    fn cuts_at_the_end_of_a_word() {
        assert_eq!(shortened("one two three", 13), "one two three");
        assert_eq!(shortened("one two three", 12), "one two…");
        assert_eq!(shortened("one two three", 8), "one two…");
        assert_eq!(shortened("one two three", 7), "one…");
        assert_eq!(shortened("abcdefgh", 4), "abc…");
        assert_eq!(shortened("日本語のテスト", 4), "日本語…");
        assert_eq!(shortened("日本 語のテスト", 4), "日本…");
        assert_eq!(shortened("e\u{301}e\u{301}e\u{301}", 4), "e\u{301}…");
        assert_eq!(shortened("abc", 1), "…");
    }
}
