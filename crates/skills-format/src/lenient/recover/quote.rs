//! Puts values in quotes, so that a YAML reader reads them as literal text.

use crate::diagnostic::Edit;
use crate::lenient::recover::lines::key_length;
use crate::skill::known_fields::begins_field;
use crate::text::lines::line_at;
use crate::text::span::Span;
use crate::text::work;

/// Returns the edits that make `value` of `text` a quoted scalar of the same text. Line ends stay: a
/// YAML reader joins the lines by spaces, as in plain text.
pub(crate) fn literally(text: &str, value: Span) -> Vec<Edit> {
    let written = value.of(text);
    if written.contains(['"', '\\']) {
        around(text, value, '\'', |c| c == '\'', "''")
    } else {
        around(text, value, '"', |_| false, "")
    }
}

/// Returns whether quotes around a value without quotes can take in more than its text: a comment, or a line that begins
/// with a key, which can be meant as a field of its own.
pub(crate) fn takes_in_more(text: &str, value: Span) -> bool {
    let written = value.of(text);
    let before = text.get(..value.start).unwrap_or_default();
    let line = before
        .rfind('\n')
        .map_or(before, |newline| before.get(newline..).unwrap_or_default());
    let is_nested = line.trim_start_matches('\n').starts_with([' ', '\t']);
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    // `Note: text` at the margin's level is prose. No known field begins with a capital letter.
    let is_key = |line: &str| {
        let key = key_length(line).and_then(|length| line.get(..length));
        key.is_some_and(|key| {
            key.chars().all(is_of_key)
                && (is_nested || key.starts_with(|c: char| c.is_ascii_lowercase()))
        })
    };
    let later = || written.lines().skip(1).map(str::trim_start);
    comment(written).is_some() || later().any(|line| line.starts_with('#') || is_key(line))
}

/// Returns the start of the white space before the first comment that YAML would see in a value without quotes.
fn comment(written: &str) -> Option<usize> {
    let mut hashes = written
        .match_indices('#')
        .map(|(at, _)| written.get(..at).unwrap_or_default());
    let before = hashes.find(|before| before.ends_with([' ', '\t']))?;
    Some(before.trim_end().len())
}

/// Returns a value of one line without the comment after its last sentence, as in `Does it. # a note`. A `#` in the middle
/// of a sentence was probably meant as text.
pub(crate) fn without_note(text: &str, value: Span) -> Span {
    let written = value.of(text);
    let end = comment(written)
        .filter(|_| !written.contains('\n'))
        .filter(|end| {
            let (sentence, note) = written.split_at_checked(*end).unwrap_or_default();
            let note = note.trim_start().trim_start_matches('#');
            sentence.ends_with(['.', '!', '?', '\u{3002}']) && note.starts_with([' ', '\t'])
        });
    end.map_or(value, |end| Span::new(value.start, value.start + end))
}

/// Returns the edits that escape the quotes between the outer quotes of `value`.
pub(crate) fn inside(text: &str, value: Span, quote: char) -> Vec<Edit> {
    let inner = Span::new(value.start + 1, value.end.saturating_sub(1));
    let escaped = if quote == '"' { "\\\"" } else { "''" };
    let mut edits = Vec::new();
    let mut is_escaped = false;
    let mut chars = inner.of(text).char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        if c == quote && !is_escaped {
            // Two apostrophes are already an escaped apostrophe.
            if quote == '\'' && chars.next_if(|(_, next)| *next == quote).is_some() {
                continue;
            }
            let at = inner.start + i;
            edits.push(Edit::replace(Span::new(at, at + 1), escaped));
        }
        is_escaped = quote == '"' && c == '\\' && !is_escaped;
    }
    edits
}

fn around(
    text: &str,
    value: Span,
    quote: char,
    is_doubled: impl Fn(char) -> bool,
    doubled: &str,
) -> Vec<Edit> {
    let mut edits = vec![Edit::replace(Span::at(value.start), quote)];
    for (i, c) in value.of(text).char_indices() {
        if is_doubled(c) {
            let at = value.start + i;
            edits.push(Edit::replace(Span::new(at, at + c.len_utf8()), doubled));
        }
    }
    edits.push(Edit::replace(Span::at(value.end), quote));
    merged(edits)
}

/// Merges edits that touch. No two edits of a fix may begin at one place: `Piece::is_edited` and the linter's `apply`
/// compare edits by their starts.
fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match merged.last_mut() {
            Some(last) if last.end == edit.start => {
                last.end = edit.end;
                last.text.push_str(&edit.text);
            }
            _ => merged.push(edit),
        }
    }
    merged
}

/// Returns the byte of the quote that closes the quote at the beginning of `written`.
pub(crate) fn closing(written: &str) -> Option<usize> {
    let quote = written.chars().next()?;
    let mut chars = written.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        work::done(1);
        match c {
            '\\' if quote == '"' => {
                chars.next();
            }
            c if c == quote => match chars.peek() {
                Some((_, next)) if quote == '\'' && *next == quote => {
                    chars.next();
                }
                _ => return Some(i),
            },
            _ => {}
        }
    }
    None
}

/// Returns whether the first and the last quote of `written` were meant as a pair, with further quotes
/// inside: `"say "hello" first"`, but not `"a" or "b"`.
pub(crate) fn encloses(written: &str) -> bool {
    let Some(quote) = written.chars().next() else {
        return false;
    };
    let ends = written.len() > 1 && written.ends_with(quote);
    let Some(close) = closing(written).filter(|_| ends) else {
        return false;
    };
    let before = written
        .get(..close)
        .and_then(|text| text.chars().next_back());
    let after = written
        .get(close + 1..)
        .and_then(|text| text.chars().next());
    let opens = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '{' | '/' | ',');
    let is_inner = |c: char| c.is_alphanumeric();
    // An apostrophe stands within a word. A double quote can also close directly before a word.
    let ends_inner = quote == '"' || before.is_some_and(is_inner);
    before.is_some_and(opens) || close > 1 && ends_inner && after.is_some_and(is_inner)
}

/// Returns the byte after the closing quote, if the quoted value that begins at `start` is closed on a
/// later line before `end`.
///
/// Returns `None` if the value is closed on its first line, or if more than a comment follows the quote.
/// Also returns `None` if a known field begins a line in between: the closing quote was then forgotten.
pub(crate) fn end_over_lines(text: &str, start: usize, end: usize) -> Option<usize> {
    let value = Span::new(start, end);
    if !value.of(text).starts_with(['"', '\'']) {
        return None;
    }
    let first = line_at(text, start);
    let close = start + closing(value.of(text))?;
    if close < first.end {
        return None;
    }
    let after = Span::new(close + 1, line_at(text, close).end.min(end)).of(text);
    let comment = after.trim_start();
    let is_end = comment.is_empty() || comment.starts_with('#') && comment.len() < after.len();
    let mut later = Span::new(first.end, close).of(text).lines();
    (is_end && !later.any(begins_field)).then_some(close + 1)
}

/// Returns whether a text begins with a quote that is never closed.
pub(crate) fn is_unclosed(written: &str) -> bool {
    written.starts_with(['"', '\'']) && closing(written).is_none()
}

/// Returns whether every quote between the outer quotes stands within a word: `'don't'`.
pub(crate) fn has_only_apostrophes(written: &str) -> bool {
    let inner = written.get(1..written.len().saturating_sub(1));
    let pieces: Vec<&str> = inner.unwrap_or_default().split('\'').collect();
    pieces.windows(2).all(|pair| match pair {
        [before, after] => {
            before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
        }
        _ => true,
    })
}

/// Returns the escapes in the double-quoted text that begins `written`, each with its place. With `all`,
/// escapes after the closing quote are returned too. The halves of a surrogate pair are one escape.
pub(crate) fn escapes(written: &str, all: bool) -> Vec<(usize, &str)> {
    let mut escapes = Vec::new();
    let mut at = 1;
    while let Some(rest) = written.get(at..) {
        let Some(found) = rest.find(['"', '\\']) else {
            break;
        };
        at += found;
        let rest = written.get(at..).unwrap_or_default();
        if rest.starts_with('"') {
            if !all {
                break;
            }
            at += 1;
            continue;
        }
        let length = escape_length(rest);
        let escape = rest.get(..length).unwrap_or_default();
        let next = rest.get(length..).unwrap_or_default();
        let next = next.get(..escape_length(next)).unwrap_or_default();
        let length = match (surrogate(escape), surrogate(next)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => length + next.len(),
            _ => length,
        };
        escapes.push((at, rest.get(..length).unwrap_or_default()));
        at += length.max(1);
    }
    escapes
}

/// Returns the length of the escape that begins `text`: the backslash, a character, and its digits.
fn escape_length(text: &str) -> usize {
    let mut chars = text.chars();
    let (Some('\\'), Some(kind)) = (chars.next(), chars.next()) else {
        return 0;
    };
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    let hex = chars.take(digits).take_while(char::is_ascii_hexdigit);
    1 + kind.len_utf8() + hex.count()
}

/// Returns the surrogate that an escape encodes: half of a character.
fn surrogate(escape: &str) -> Option<u32> {
    let digits = escape
        .strip_prefix("\\u")
        .or_else(|| escape.strip_prefix("\\U"))?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    (0xD800..=0xDFFF).contains(&code).then_some(code)
}

/// Returns whether an escape encodes a surrogate alone. A pair, as [`escapes`] returns it, is longer than
/// one code and does not count.
pub(crate) fn is_surrogate(escape: &str) -> bool {
    surrogate(escape).is_some()
}

/// Returns whether the character after the backslash is an ASCII letter.
pub(crate) fn is_letter(escape: &str) -> bool {
    escape
        .chars()
        .nth(1)
        .is_some_and(|kind| kind.is_ascii_alphabetic())
}

/// Returns whether an escape is valid in YAML 1.2.
pub(crate) fn is_escape(escape: &str) -> bool {
    let mut chars = escape.chars().skip(1);
    let is_code = |digits: usize| {
        let code = u32::from_str_radix(escape.get(2..).unwrap_or_default(), 16);
        escape.len() == digits + 2 && code.is_ok_and(|code| char::from_u32(code).is_some())
    };
    match chars.next() {
        Some('x') => is_code(2),
        // Twelve bytes are a surrogate pair: `\ud83d\udcdd`.
        Some('u') => is_code(4) || escape.len() == 12,
        Some('U') => is_code(8),
        Some(kind) => "0abt\tnvfre \"/\\N_LP\n\r".contains(kind),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::patch::Patch;
    use crate::yaml;

    #[test]
    fn quoted_text_reads_as_it_stands() {
        for written in [
            "a: b",
            "*x* \"y\"",
            "it's \\ \"z\"",
            "'",
            "\"",
            "a'",
            "a:\n  b",
            "@",
        ] {
            let text = format!("k: {written}");
            let edits = literally(&text, Span::new(3, text.len()));
            let patched = Patch::new(&text, &edits).text;
            let node = yaml::parse(&patched).expect(&patched).expect("a node");
            let read = node
                .get("k")
                .and_then(|node| node.as_str())
                .map(str::to_owned);
            assert_eq!(read, Some(written.replace("\n  ", " ")), "{patched}");
        }
    }

    #[test]
    fn outer_quotes() {
        assert!(encloses("\"say \"hello\" first\""));
        assert!(!encloses("\"a\" or \"b\""));
        assert!(!encloses("\"a\" b"));
        assert_eq!(closing("'it''s' x"), Some(6));
        assert_eq!(closing("\"a\\\"b"), None);
    }
}
