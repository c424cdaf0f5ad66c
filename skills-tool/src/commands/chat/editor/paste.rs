//! Pasted texts. A long text stands in the line as a short mark, and is sent whole.

use crate::output::typed;
use std::sync::{Arc, Mutex, PoisonError};

/// The most lines and bytes of a pasted text that stands in the line as it is.
const MAX_LINES: usize = 40;
const MAX_BYTES: usize = 4 * 1024;

/// The long texts that were pasted, each behind its mark.
#[derive(Clone, Default)]
pub(crate) struct Pastes {
    texts: Arc<Mutex<Vec<(String, String)>>>,
}

impl Pastes {
    /// Makes what stands in the line for a pasted text: the text, or a mark if it is long. Line ends
    /// become line feeds, and other control characters become pictures.
    pub(crate) fn fold(&self, text: &str) -> String {
        let text = typed(&text.replace("\r\n", "\n").replace('\r', "\n"));
        let lines = text.lines().count();
        if lines <= MAX_LINES && text.len() <= MAX_BYTES {
            return text;
        }
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let number = texts.len() + 1;
        let mark = format!(
            "[pasted text {number}: {lines} lines, {} bytes]",
            text.len()
        );
        texts.push((mark.clone(), text));
        mark
    }

    /// Puts the pasted texts in place of their marks.
    pub(crate) fn unfold(&self, line: &str) -> String {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = line;
        let mut whole = String::with_capacity(line.len());
        while let Some(at) = rest.find("[pasted text ") {
            let (before, from) = rest.split_at(at);
            whole.push_str(before);
            let found = texts.iter().find(|(mark, _)| from.starts_with(&**mark));
            let (length, text) = match found {
                Some((mark, text)) => (mark.len(), text.as_str()),
                None => (1, "["),
            };
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
    }
}
