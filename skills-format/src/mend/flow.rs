//! Lists in `[…]` and mappings in `{…}`: where they end, and what of them is missing.

use super::quote;

/// How the brackets of a flow collection stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Brackets {
    /// They close at this byte.
    Closed(usize),
    /// These closing brackets are missing.
    Open(String),
    /// They do not match.
    Crossed,
}

/// Follows the brackets from the first character of `written`, past quoted text.
pub(crate) fn brackets(written: &str) -> Brackets {
    let mut open: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(rest) = written.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(c) = rest.chars().next() else {
            break;
        };
        let before = written
            .get(..at)
            .and_then(|text| text.trim_end().chars().next_back());
        match c {
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' => {
                if open.pop() != Some(c) {
                    return Brackets::Crossed;
                }
                if open.is_empty() {
                    return Brackets::Closed(at);
                }
            }
            '"' | '\'' if matches!(before, Some('[' | '{' | ',' | ':')) => {
                if let Some(close) = quote::closing(rest) {
                    at += close;
                }
            }
            _ => {}
        }
        at += written
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8);
    }
    Brackets::Open(open.into_iter().rev().collect())
}

/// The end of the item that begins at `at`: before the next comma or closing bracket.
pub(crate) fn item_end(written: &str, at: usize) -> usize {
    let rest = written.get(at..).unwrap_or_default();
    let item = rest.split([',', ']', '}', '\n']).next().unwrap_or_default();
    at + item.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        assert_eq!(brackets("[a, \"]\"] b"), Brackets::Closed(7));
        assert_eq!(brackets("{a: [b, {c: d"), Brackets::Open("}]}".to_owned()));
        assert_eq!(brackets("{a]"), Brackets::Crossed);
        assert_eq!(brackets("{it's}'s"), Brackets::Closed(5));
        assert_eq!(item_end("[a, @if x, c]", 4), 9);
    }
}
