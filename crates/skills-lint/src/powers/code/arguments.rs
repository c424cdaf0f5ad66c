//! The arguments of a call, as code.

use crate::powers::code::script::Script;
use crate::powers::code::skeleton::{MARK, Text};
use crate::powers::reader::excerpt;
use crate::powers::word::Word;

/// The maximum number of bytes of the arguments of a call that are read. Calls in calls read the same code again.
pub(super) const MAX_ARGUMENTS: usize = 4000;

/// Returns the code up to the bracket that closes.
pub(super) fn inside(code: &str, open: char, close: char) -> &str {
    let mut depth = 1_usize;
    for (at, c) in code.char_indices().take(MAX_ARGUMENTS) {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return code.get(..at).unwrap_or_default();
            }
        }
    }
    let end = code
        .char_indices()
        .nth(MAX_ARGUMENTS)
        .map_or(code.len(), |(at, _)| at);
    code.get(..end).unwrap_or_default()
}

/// Splits arguments at the commas that no bracket holds.
pub(super) fn split(code: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(code.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(code.get(start..).unwrap_or_default());
    parts
}

/// Returns a text as a word.
pub(super) fn word(text: &Text) -> Word {
    Word {
        text: text.value.clone(),
        line: text.line,
        is_computed: text.is_computed,
        is_quoted: true,
    }
}

/// Returns a text as code of a shell, which is read also if values are put in.
pub(super) fn shell_code(text: &Text) -> Word {
    Word {
        is_computed: false,
        ..word(text)
    }
}

impl Script<'_> {
    /// Reads the elements of a list as the words of a command.
    pub(super) fn words(&self, list: &str, line: usize) -> Vec<Word> {
        let parts = split(list).into_iter().map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(|part| self.element(part, line)).collect()
    }

    fn element(&self, part: &str, line: usize) -> Word {
        if let Some((text, length)) = self.skeleton.text_at(part) {
            let word = word(text);
            return Word {
                is_computed: word.is_computed || part.len() != length,
                ..word
            };
        }
        let (text, is_computed) = if part.starts_with("sys.executable") {
            ("python3".to_owned(), false)
        } else if part.starts_with("process.execPath") {
            ("node".to_owned(), false)
        } else if let Some(text) = self.assigned.text(part) {
            return word(text);
        } else {
            (format!("${}", self.shown(part)), true)
        };
        Word {
            text,
            line,
            is_computed,
            is_quoted: true,
        }
    }

    /// Returns the text of an argument: written there, or that of a name.
    pub(super) fn text(&self, argument: &str) -> Option<&Text> {
        let argument = argument.trim();
        match self.skeleton.text_at(argument) {
            Some((text, _)) => Some(text),
            None => self.assigned.text(argument),
        }
    }

    /// Returns code with its texts, as one short line.
    pub(super) fn shown(&self, code: &str) -> String {
        let mut out = String::new();
        let mut rest = code;
        while let Some(at) = rest.find(MARK) {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            match self.skeleton.text_at(after) {
                Some((text, length)) => {
                    out.push('"');
                    out.push_str(&text.value);
                    out.push('"');
                    rest = after.get(length..).unwrap_or_default();
                }
                None => rest = after.get(1..).unwrap_or_default(),
            }
        }
        out.push_str(rest);
        excerpt(&out)
    }
}
