//! Values put in quotes, so that a YAML reader takes them as the text that stands there.

use crate::diagnostic::Edit;
use crate::span::Span;

/// The edits that make `value` of `text` a quoted scalar of the same text. Lines stay where they
/// are: a reader joins them by blanks, as it does in plain text.
pub(crate) fn literally(text: &str, value: Span) -> Vec<Edit> {
    let written = value.of(text);
    if written.contains(['"', '\\']) {
        around(text, value, '\'', |c| c == '\'', "''")
    } else {
        around(text, value, '"', |_| false, "")
    }
}

/// The edits that make the text between the outer quotes of `value` all that is quoted.
pub(crate) fn inside(text: &str, value: Span, quote: char) -> Vec<Edit> {
    let inner = Span::new(value.start + 1, value.end.saturating_sub(1));
    let escaped = if quote == '"' { "\\\"" } else { "''" };
    let mut edits = Vec::new();
    let mut after_backslash = false;
    for (i, c) in inner.of(text).char_indices() {
        if c == quote && !after_backslash {
            let at = inner.start + i;
            edits.push(Edit::replace(Span::new(at, at + 1), escaped));
        }
        after_backslash = quote == '"' && c == '\\' && !after_backslash;
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

/// Edits that touch are one, so that none is taken for a second edit of the same place.
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

/// Where the quote that opens `written` is closed: the byte of the closing quote.
pub(crate) fn closing(written: &str) -> Option<usize> {
    let quote = written.chars().next()?;
    let mut chars = written.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
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

/// Whether the outer quotes of `written` were meant as quotes, though more of them stand inside:
/// `"say "hello" first"`, but not `"a" or "b"`.
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
    let begins = |c: char| c.is_alphanumeric();
    before.is_some_and(opens) || close > 1 && after.is_some_and(begins) && quote == '"'
}

/// The escapes in the double-quoted text that begins `written`, each with its place.
pub(crate) fn escapes(written: &str) -> Vec<(usize, &str)> {
    let mut escapes = Vec::new();
    let mut chars = written.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        if c == '"' {
            break;
        }
        if c != '\\' {
            continue;
        }
        let Some((_, kind)) = chars.next() else {
            break;
        };
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let hex = written
            .get(i + 1 + kind.len_utf8()..)
            .unwrap_or_default()
            .chars()
            .take(digits)
            .take_while(char::is_ascii_hexdigit)
            .count();
        let end = i + 1 + kind.len_utf8() + hex;
        escapes.push((i, written.get(i..end).unwrap_or_default()));
    }
    escapes
}

/// Whether YAML 1.2 knows an escape.
pub(crate) fn is_escape(escape: &str) -> bool {
    let mut chars = escape.chars().skip(1);
    match chars.next() {
        Some('x') => escape.len() == 4,
        Some('u') => escape.len() == 6,
        Some('U') => escape.len() == 10,
        Some(kind) => "0abt\tnvfre \"/\\N_LP\n\r".contains(kind),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;
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
