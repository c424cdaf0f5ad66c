//! Pasted text. The line shows a short mark for a long text; the whole text is sent.

use crate::output::{counted, typed};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum size of a pasted text that the line shows as it is.
const MAX_LINES: usize = 40;
const MAX_BYTES: usize = 4 * 1024;

/// The beginning of the mark of a pasted text.
const MARK: &str = "[pasted text ";

/// The long pasted strings, each with its mark.
#[derive(Clone, Default)]
pub(crate) struct Pastes {
    texts: Arc<Mutex<Vec<(String, String)>>>,
}

impl Pastes {
    /// Returns the text that the line shows for a pasted text: the text itself, or a mark for a long text.
    /// Line ends become line feeds, and other control characters become pictures.
    pub(crate) fn fold(&self, text: &str) -> String {
        let text = typed(&text.replace("\r\n", "\n").replace('\r', "\n"));
        let lines = text.lines().count();
        if lines <= MAX_LINES && text.len() <= MAX_BYTES {
            return text;
        }
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let number = texts.len() + 1;
        let lines = counted(lines, "line");
        let mark = format!("{MARK}{number}: {lines}, {} bytes]", text.len());
        texts.push((mark.clone(), text));
        mark
    }

    /// Returns whether a line holds a mark without pasted text: the mark was changed, or is of an earlier session.
    pub(crate) fn is_stale(&self, line: &str) -> bool {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        line.match_indices(MARK).any(|(at, _)| {
            let from = line.get(at..).unwrap_or_default();
            let number = from.get(MARK.len()..).unwrap_or_default();
            let is_mark = number.starts_with(|c: char| c.is_ascii_digit())
                && number
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .starts_with(": ");
            is_mark && !texts.iter().any(|(mark, _)| from.starts_with(&**mark))
        })
    }

    /// Replaces the marks by the pasted text.
    pub(crate) fn unfold(&self, line: &str) -> String {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = line;
        let mut whole = String::with_capacity(line.len());
        while let Some(at) = rest.find(MARK) {
            let (before, from) = rest.split_at(at);
            whole.push_str(before);
            let found = texts.iter().find(|(mark, _)| from.starts_with(&**mark));
            // Of an unknown mark only the bracket is consumed: the rest is copied as it is.
            let (length, text) = match found {
                Some((mark, text)) => (mark.len(), text.as_str()),
                None => (1, "["),
            };
            // The inserted text is not searched: a pasted text can itself contain a mark.
            whole.push_str(text);
            rest = from.get(length..).unwrap_or_default();
        }
        whole.push_str(rest);
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_a_mark_and_comes_back() {
        let pastes = Pastes::default();
        assert_eq!(pastes.fold("a\r\nb\tc\u{1b}[2J\rd"), "a\nb\tc␛[2J\nd");
        let long = "x\n".repeat(1_000_000);
        let mark = pastes.fold(&long);
        assert_eq!(mark, "[pasted text 1: 1000000 lines, 2000000 bytes]");
        let second = pastes.fold(&"[pasted text 1: ".repeat(1_000));
        let line = format!("{second} and {mark}{mark}, [pasted text 3]");
        let whole = pastes.unfold(&line);
        let expected = format!(
            "{} and {long}{long}, [pasted text 3]",
            "[pasted text 1: ".repeat(1_000)
        );
        assert!(whole == expected);
        let cut = mark.trim_end_matches(']');
        for (line, is_stale) in [
            (&*mark, false),
            (cut, true),
            ("[pasted text 7: 1 line, 9 bytes]", true),
            ("see [pasted text 3] and [pasted text x: y]", false),
        ] {
            assert_eq!(pastes.is_stale(line), is_stale, "{line}");
        }
    }
}
