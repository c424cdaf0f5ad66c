//! A stream that the runner of GitHub Actions reads.
//!
//! The runner takes commands from every line of a step's standard output and standard error: `::error …`
//! after white space at the beginning of a line, and the older `##[error]` anywhere in a line. A carriage
//! return ends a line too. A folder could be called `::add-mask::e`, and a skill's text can contain any
//! line. So no text that is printed in a workflow forms a command, except the annotations of
//! `check --format github`.

use skills_format::text::control::shown;
use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

/// A writer to the log of a workflow. A space splits what would be a command: `: :error` and `## [error]`.
pub(super) struct Workflow<W> {
    to: W,
    line: LineState,
    /// The beginning of a character, until the rest arrives.
    held: Vec<u8>,
    /// True while the program writes its own commands.
    has_commands: Rc<Cell<bool>>,
}

/// The state of a line after the last character. Characters that the runner does not see change nothing.
#[derive(Clone, Copy, Default)]
struct LineState {
    /// True if the line has text, so that no command can begin.
    has_text: bool,
    /// True if a single colon begins the line.
    has_colon: bool,
    /// The number of `#` before the next character, at most two.
    signs: u8,
}

impl<W: Write> Workflow<W> {
    pub(super) fn new(to: W, has_commands: Rc<Cell<bool>>) -> Self {
        Self {
            to,
            line: LineState::default(),
            held: Vec::new(),
            has_commands,
        }
    }

    /// Writes the held bytes. At the end (`is_end`), an incomplete character is written too.
    fn pass(&mut self, is_end: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.held);
        let mut out = Vec::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            for c in chunk.valid().chars() {
                if self.line.is_command_with(c) {
                    out.push(b' ');
                }
                // Marks that turn the direction of text, and controls without a picture. Colours pass.
                let c = match shown(c) {
                    char::REPLACEMENT_CHARACTER => char::REPLACEMENT_CHARACTER,
                    _ => c,
                };
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            let invalid = chunk.invalid();
            let is_cut =
                std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if !invalid.is_empty() && is_cut && !is_end && chunks.peek().is_none() {
                self.held.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                // An invalid byte counts as text of the line.
                self.line.is_command_with(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(invalid);
            }
        }
        self.to.write_all(&out)
    }
}

impl<W: Write> Write for Workflow<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_commands.get() {
            // Commands of the program end with a line feed.
            self.line = LineState::default();
            return self.to.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        self.pass(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(true)?;
        self.to.flush()
    }
}

impl LineState {
    /// Reads the next character. Returns whether the character completes the beginning of a command.
    fn is_command_with(&mut self, c: char) -> bool {
        if matches!(c, '\n' | '\r') {
            *self = Self::default();
            return false;
        }
        let signs = self.signs;
        self.signs = match c {
            '#' => (signs + 1).min(2),
            c if is_unseen(c) => signs,
            _ => 0,
        };
        // Also the bracket of a colour.
        if signs == 2 && c == '[' {
            self.has_text = true;
            return true;
        }
        if is_unseen(c) {
            return false;
        }
        let had_colon = self.has_colon;
        self.has_colon = !self.has_text && !had_colon && c == ':';
        self.has_text |= had_colon || !self.has_colon && !c.is_whitespace();
        had_colon && c == ':'
    }
}

/// Returns whether a culture-sensitive comparison ignores a character. The runner compares in this way.
fn is_unseen(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Escapes `##[`, a command of the runner, so that the value is the same: outside of strings JSON has no `#`.
pub(super) fn escaped(json: &str) -> String {
    json.replace("##[", "##\\u005b")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output for a text that is written in pieces of `length` bytes.
    fn arrives(text: &[u8], length: usize) -> String {
        let mut stream = Workflow::new(Vec::new(), Rc::default());
        for piece in text.chunks(length) {
            stream.write_all(piece).expect("a vector takes everything");
        }
        stream.flush().expect("a vector takes everything");
        String::from_utf8_lossy(&stream.to).into_owned()
    }

    #[test]
    fn nothing_forms_a_command() {
        for (text, expected) in [
            ("::error::x\n", ": :error::x\n"),
            ("a\n  ::add-mask::e\n", "a\n  : :add-mask::e\n"),
            ("a\r::error::x", "a\r: :error::x"),
            ("a\u{a0}::b\n\u{3000}::b", "a\u{a0}::b\n\u{3000}: :b"),
            ("\u{b}\u{c}\u{85}::b", "\u{b}\u{c}\u{fffd}: :b"),
            // Not a command: the runner does not know colours.
            ("\u{1b}[1m::b", "\u{1b}[1m::b"),
            ("\u{200d}:\u{ad}:b", "\u{200d}:\u{ad} :b"),
            ("a ##[error]b", "a ## [error]b"),
            ("###[error]b", "### [error]b"),
            ("#\u{200b}#\u{7}[b", "#\u{200b}#\u{7} [b"),
            ("##\u{1b}[1mb", "##\u{1b} [1mb"),
            (
                "std::fmt a:: b ## [c] #[d]\n: :e",
                "std::fmt a:: b ## [c] #[d]\n: :e",
            ),
            (":\n:a", ":\n:a"),
            ("a\u{202e}b", "a\u{fffd}b"),
            ("é::a 字##[b", "é::a 字## [b"),
        ] {
            for length in 1..=text.len() {
                assert_eq!(
                    arrives(text.as_bytes(), length),
                    expected,
                    "{text:?} by {length}"
                );
            }
        }
        assert_eq!(arrives(b"\xff::a\n\xe2\x82", 1), "\u{fffd}::a\n\u{fffd}");
    }

    #[test]
    fn commands_of_the_program_pass() {
        let has_commands = Rc::new(Cell::new(false));
        let mut stream = Workflow::new(Vec::new(), Rc::clone(&has_commands));
        for (is_own, text) in [(true, "::error::a\n"), (false, "::error::b\n")] {
            has_commands.set(is_own);
            stream
                .write_all(text.as_bytes())
                .expect("a vector takes everything");
        }
        assert_eq!(stream.to, b"::error::a\n: :error::b\n");
    }

    #[test]
    fn documents_keep_their_value() {
        let text = "{\n\"a\": \"##[b]\",\n\"::c\": []}";
        assert_eq!(escaped(text), "{\n\"a\": \"##\\u005bb]\",\n\"::c\": []}");
    }
}
