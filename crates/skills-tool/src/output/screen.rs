//! The terminal: a stream that passes no control sequence of foreign text, styles, lines drawn in place, and progress.

use crate::output::text::{self, one_line};
use clap::builder::styling::{AnsiColor, Style};
use skills_format::text::control::shown;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::io::{IsTerminal as _, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

// Results go to standard output byte for byte. Output for a terminal passes this writer: control
// characters become pictures, marks that turn the direction of text are replaced, and only line feeds,
// tabs and the program's own colours pass. The program's own colours carry a number that differs in each
// process (`output/style.rs`); the writer removes the number. JSON holds escapes instead. In a workflow
// of GitHub Actions everything but a redirected file passes `output/workflow.rs`, so that no line is a
// command for the runner. Warnings go to standard error.

/// The maximum number of bytes that are held until their meaning is known. The mark of own colours has up
/// to 20.
const MAX_HELD: usize = 64;

/// A writer to a terminal. All output of the program on a terminal passes through this writer.
///
/// Control characters become pictures, and marks that turn the direction of text are replaced. Line feeds,
/// tabs and the colours with the mark of this program pass. Foreign colours do not pass: they could hide
/// text, or imitate the output of the program. A carriage return before a line feed is removed, and bytes
/// that are not UTF-8 are replaced.
pub(crate) struct Screen<W> {
    to: W,
    /// The beginning of a character, of a colour, or of CR LF, until the rest arrives.
    held: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(to: W) -> Self {
        Self {
            to,
            held: Vec::new(),
        }
    }

    #[cfg(feature = "agent")]
    pub(crate) fn into_inner(self) -> W {
        self.to
    }

    /// Writes the held bytes. At the end (`is_end`), incomplete sequences are written too.
    fn pass(&mut self, is_end: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.held);
        let mut out = String::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let invalid = chunk.invalid();
            let is_open = !is_end && chunks.peek().is_none();
            let rest = show(chunk.valid(), is_open && invalid.is_empty(), &mut out);
            self.held.extend_from_slice(rest.as_bytes());
            let is_cut = str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if is_open && is_cut {
                self.held.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                out.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.to.write_all(out.as_bytes())
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        self.pass(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(true)?;
        self.to.flush()
    }
}

/// Appends text in the form that passes. Returns the end of the text if more text could change its
/// meaning.
fn show<'t>(text: &'t str, is_open: bool, out: &mut String) -> &'t str {
    let (mut rest, own) = (text, mark());
    loop {
        let plain = rest.find(steers).unwrap_or(rest.len());
        out.push_str(rest.get(..plain).unwrap_or_default());
        rest = rest.get(plain..).unwrap_or_default();
        let Some(first) = rest.chars().next() else {
            return rest;
        };
        let mut length = first.len_utf8();
        let is_begun = rest.len() < MAX_HELD && (rest.starts_with(own) || own.starts_with(rest));
        match (first, colour(rest)) {
            (_, Some(numbers)) => {
                length = own.len() + numbers.len() + 1;
                out.extend(["\u{1b}[", numbers, "m"]);
            }
            // A line feed may follow, and CR LF passes as a line feed.
            ('\r', _) if is_open && rest.len() == length => return rest,
            ('\r', _) if rest.starts_with("\r\n") => {}
            _ if is_open && is_begun => return rest,
            _ => out.push(shown(first)),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// Returns whether a character does not pass unchanged.
fn steers(c: char) -> bool {
    !matches!(c, '\n' | '\t') && shown(c) != c
}

/// Returns the numbers of a colour of this program. The mark is random: no foreign text has it.
fn colour(text: &str) -> Option<&str> {
    let (numbers, _) = text.strip_prefix(mark())?.split_once('m')?;
    let is_number = |c: char| c.is_ascii_digit() || c == ';';
    numbers.chars().all(is_number).then_some(numbers)
}

/// Escapes every character of JSON that steers a terminal. The value is the same: outside of strings, JSON
/// contains none of these characters but line feeds.
pub(super) fn escaped(json: &str) -> Cow<'_, str> {
    if !json.chars().any(steers) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) && !matches!(c, '\r') {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

/// Clears the line of the cursor.
const NO_LINE: &str = "\r\u{1b}[2K";

/// The line of progress. Without a terminal nothing is written.
pub(crate) struct Progress {
    is_terminal: bool,
    is_drawn: AtomicBool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            is_drawn: AtomicBool::new(false),
        }
    }

    /// Returns whether the line is visible.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_terminal
    }

    /// Shows a line in place of the previous line. A line that cannot be written is left out.
    pub(crate) fn show(&self, line: &str) {
        if !self.is_terminal {
            return;
        }
        let size = terminal_size::terminal_size_of(io::stderr());
        // In the last column the cursor would move to the next row.
        let width = size.map(|(width, _)| usize::from(width.0).saturating_sub(1));
        let line = one_line(line);
        let text = text::shortened(&line, width);
        let mut out = io::stderr().lock();
        let _ = write!(out, "{NO_LINE}{text}").and_then(|()| out.flush());
        self.is_drawn.store(true, Ordering::Relaxed);
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&self) {
        if self.is_drawn.swap(false, Ordering::Relaxed) {
            let mut out = io::stderr().lock();
            let _ = write!(out, "{NO_LINE}").and_then(|()| out.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The beginning of a colour with a number that foreign text cannot contain, because the number differs in each process.
/// The number is the first parameter of each colour that this program writes to a terminal. The terminal's writer removes
/// the number, and passes no other colour.
static MARK: LazyLock<String> =
    LazyLock::new(|| format!("\u{1b}[{};", RandomState::new().hash_one("colour")));

/// Returns the mark of the colours of this program.
fn mark() -> &'static str {
    &MARK
}

/// Marks the colours in text as the program's own. The text must not contain a foreign escape sequence.
pub(crate) fn marked(text: &str) -> String {
    text.replace("\u{1b}[", mark())
}

/// Headings and names that lead a line.
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The state of a skill that can be started.
pub(crate) const STATE_GOOD: Style = AnsiColor::Green.on_default();
/// Commands that run a scheduled skill.
pub(crate) const CAREFUL: Style = AnsiColor::Magenta.on_default().bold();
pub(crate) const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// Secondary text: descriptions, disabled skills.
pub(crate) const FAINT: Style = Style::new().dimmed();

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output for a text that is written in pieces of `length` bytes.
    fn arrives(text: &[u8], length: usize) -> String {
        let mut screen = Screen::new(Vec::new());
        for piece in text.chunks(length) {
            screen.write_all(piece).expect("a vector takes everything");
        }
        screen.flush().expect("a vector takes everything");
        String::from_utf8(screen.to).expect("text")
    }

    #[test]
    fn nothing_steers_it() {
        for (text, expected) in [
            (&b"a\tb\r\nc\n"[..], "a\tb\nc\n"),
            (b"a\rb", "a␍b"),
            (
                "\u{7f}\u{9b}31m\u{202e}ä".as_bytes(),
                "␡\u{fffd}31m\u{fffd}ä",
            ),
            (b"\x1b[1;30mx\x1b[0m\x1b[m", "␛[1;30mx␛[0m␛[m"),
            (b"\x1b[1;2;31mx", "␛[1;2;31mx"),
            (
                marked("\u{1b}[1m\u{1b}[38;5;12mx\u{1b}[0m").as_bytes(),
                "\u{1b}[1m\u{1b}[38;5;12mx\u{1b}[0m",
            ),
            (b"\x1b[2J\x1b[8mx\x1b]0;t\x07", "␛[2J␛[8mx␛]0;t␇"),
            (b"a\xffb\xe2\x82", "a\u{fffd}b\u{fffd}"),
            (b"\x1b[38;2;1;2;3m\x1b[31", "␛[38;2;1;2;3m␛[31"),
            (b"\x1b", "␛"),
        ] {
            for length in 1..=text.len() {
                assert_eq!(arrives(text, length), expected, "{text:?} by {length}");
            }
        }
        let long = format!("\u{1b}[{}", "1;".repeat(100));
        assert_eq!(arrives(long.as_bytes(), 1).chars().next(), Some('␛'));
    }

    #[test]
    fn documents_keep_their_value() {
        let text = "{\n\"a\": \"\u{7f}\u{9b}\u{202e}ä\"}";
        assert_eq!(escaped(text), "{\n\"a\": \"\\u007f\\u009b\\u202eä\"}");
    }
}
