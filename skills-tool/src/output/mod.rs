//! Standard output and standard error: results on one, everything else on the other.

pub(crate) mod table;

use crate::outcome::Failure;
use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use serde::Serialize;
use skills_format::picture;
use skills_format::text::control;
use skills_runtime::Diagnostic;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};

/// Where a command writes. What is written through [`Write`] arrives byte for byte.
pub(crate) struct Output {
    out: BufWriter<Box<dyn Write>>,
    err: Box<dyn Write>,
    colour: bool,
    terminal: bool,
}

/// Headings and names that lead a line.
const STRONG: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: version 1 of the documents in docs/json.md
    Json,
}

impl Output {
    /// The streams of this process.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let choice = match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let colour = choice == anstream::ColorChoice::Always
            || choice == anstream::ColorChoice::Auto
                && AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        // A stream that takes colour away would take it from the skills' bytes too.
        let out: Box<dyn Write> = if colour {
            Box::new(AutoStream::always(stdout))
        } else {
            Box::new(stdout)
        };
        Self {
            out: BufWriter::new(out),
            err: Box::new(AutoStream::new(io::stderr(), choice)),
            colour,
            terminal,
        }
    }

    /// A document for programs.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.out, document).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(())
    }

    /// A text emphasised, where colour is wanted.
    pub(crate) fn strong<T: fmt::Display>(&self, text: T) -> Styled<T> {
        let style = if self.colour { STRONG } else { Style::new() };
        Styled { style, text }
    }

    /// Whether text may hold colour.
    pub(crate) fn has_colour(&self) -> bool {
        self.colour
    }

    /// How many columns a line may have; `None` when no terminal shows it.
    pub(crate) fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        self.terminal.then_some(width.into())
    }

    /// A text of several lines from a skill: as it is, but on a terminal without the characters that
    /// would steer it.
    pub(crate) fn foreign(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            self.out.write_all(printable(text, "\n\t").as_bytes())
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    /// A line of a unified difference.
    pub(crate) fn difference(&mut self, line: &str) -> io::Result<()> {
        let style = match line.as_bytes().first() {
            _ if !self.colour => Style::new(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let text = if self.terminal {
            printable(line, "\t")
        } else {
            line.to_owned()
        };
        writeln!(self, "    {}", Styled { style, text })
    }

    /// Something odd that stops nothing.
    pub(crate) fn warning(&mut self, warning: impl fmt::Display) {
        let label = Styled {
            style: WARNING,
            text: "warning:",
        };
        self.say(format_args!("{label} {}", one_line(&warning.to_string())));
    }

    /// Something that is lost, while the rest goes on.
    pub(crate) fn error(&mut self, error: impl fmt::Display) {
        let label = Styled {
            style: ERROR,
            text: "error:",
        };
        self.say(format_args!("{label} {}", one_line(&error.to_string())));
    }

    /// What was wrong with a file that was written.
    pub(crate) fn told(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.warning(format_args!("{}: {}", diagnostic.path, diagnostic.message));
        }
    }

    /// Something to know meanwhile.
    pub(crate) fn note(&mut self, note: &str) {
        self.say(format_args!("{note}"));
    }

    /// Why the command failed.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        if let Some(message) = failure.message() {
            let error = Styled {
                style: ERROR,
                text: "error:",
            };
            let help = Styled {
                style: HELP,
                text: "help:",
            };
            self.say(format_args!("{error} {}", printable(&message.fact, "\n")));
            self.say(format_args!(" {help} {}", printable(&message.help, "\n")));
        }
    }

    /// A line on standard error. Nobody is there to hear that it cannot be written.
    fn say(&mut self, line: fmt::Arguments<'_>) {
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{line}");
    }

    /// Writes what is still held.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A text with a style around it, padded as a `{:width$}` asks.
pub(crate) struct Styled<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.style.fmt(f)?;
        self.text.fmt(f)?;
        write!(f, "{:#}", self.style)
    }
}

/// `1 skill`, `2 skills`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// A text from a skill as one line: white space is one space, nothing steers a terminal.
pub(crate) fn one_line(text: &str) -> String {
    control::one_line(text, |c| Some(shown(c))).into_owned()
}

/// Puts a picture in place of every control character that is not `kept`.
fn printable(text: &str, kept: &str) -> String {
    let as_shown = |c| if kept.contains(c) { c } else { shown(c) };
    text.chars().map(as_shown).collect()
}

/// A character that neither steers a terminal nor turns the direction of text.
fn shown(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => picture(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(one_line("a\n\tb\u{1b}[31m\u{202e}c"), "a b␛[31m\u{fffd}c");
        assert_eq!(printable("a\r\nb\u{7f}\u{9b}", "\n"), "a␍\nb␡\u{fffd}");
    }
}
