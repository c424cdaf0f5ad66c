//! Manual pages as a person reads them on a terminal: the few requests of roff that the pages have.

use crate::output::Output;
use crate::output::fit::wrapped;
use crate::output::style::STRONG;
use std::io::{self, Write as _};
use unicode_width::UnicodeWidthStr as _;

/// The columns of the text below a heading, and of the text below an option.
const TEXT: usize = 7;
const BELOW: usize = 14;
/// The widest lines: longer lines are hard to read.
const WIDEST: usize = 100;

/// The state of a page while it is printed.
struct Printed<'o> {
    output: &'o mut Output,
    width: usize,
    indent: usize,
    /// The words of the present paragraph.
    words: String,
    /// What stands before the first line of the paragraph.
    mark: String,
    /// True if the next line is the heading of a paragraph.
    is_head: bool,
    /// True if lines are not filled: examples.
    is_plain: bool,
    /// True if the last line is empty.
    is_apart: bool,
}

/// Prints a manual page.
pub(crate) fn print(page: &str, output: &mut Output) -> io::Result<()> {
    let width = output.width().unwrap_or(WIDEST).min(WIDEST);
    let mut printed = Printed {
        output,
        width,
        indent: TEXT,
        words: String::new(),
        mark: String::new(),
        is_head: false,
        is_plain: false,
        is_apart: true,
    };
    for line in page.lines() {
        printed.line(line)?;
    }
    printed.end()
}

impl Printed<'_> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        let (request, rest) = line.split_once(' ').unwrap_or((line, ""));
        match request {
            ".SH" => {
                self.end()?;
                self.apart()?;
                let heading = match rest {
                    "EXTRA" => "EXAMPLES",
                    rest => rest.trim_matches('"'),
                };
                let heading = self.output.strong(heading).to_string();
                writeln!(self.output, "{heading}")?;
                self.is_apart = true;
                self.indent = TEXT;
                self.is_plain = rest == "EXTRA";
            }
            ".TP" => {
                self.end()?;
                self.apart()?;
                self.indent = TEXT;
                self.is_head = true;
            }
            ".RS" => {
                self.end()?;
                self.indent = BELOW;
            }
            ".RE" => {
                self.end()?;
                self.indent = TEXT;
            }
            ".IP" => {
                self.end()?;
                self.mark.push_str("- ");
            }
            ".PP" => {
                self.end()?;
                self.apart()?;
            }
            ".br" => self.end()?,
            ".ie" | ".el" | ".TH" => {}
            _ if self.is_head => {
                self.is_head = false;
                let text = self.styled(line);
                writeln!(self.output, "{:TEXT$}{text}", "")?;
                self.is_apart = false;
                self.indent = BELOW;
            }
            // The heading says so already.
            _ if self.is_plain && line == "Examples:" => {}
            _ if self.is_plain => {
                let text = plain(line);
                writeln!(self.output, "{:TEXT$}{text}", "")?;
                self.is_apart = text.is_empty();
            }
            _ if line.is_empty() => {
                self.end()?;
                self.apart()?;
            }
            _ => {
                if !self.words.is_empty() {
                    self.words.push(' ');
                }
                self.words.push_str(&plain(line));
            }
        }
        Ok(())
    }

    /// Prints the present paragraph, broken at words.
    fn end(&mut self) -> io::Result<()> {
        let words = std::mem::take(&mut self.words);
        let mark = std::mem::take(&mut self.mark);
        if words.is_empty() {
            return Ok(());
        }
        let before = self.indent + mark.width();
        let room = self.width.saturating_sub(before);
        let mut lead = mark;
        for part in wrapped(&words, Some(room)) {
            let indent = before - lead.width();
            writeln!(self.output, "{:indent$}{lead}{part}", "")?;
            lead.clear();
        }
        self.is_apart = false;
        Ok(())
    }

    /// Prints an empty line, unless the last line is empty.
    fn apart(&mut self) -> io::Result<()> {
        if !self.is_apart {
            writeln!(self.output)?;
            self.is_apart = true;
        }
        Ok(())
    }

    /// Formats the name of an option: bold and italic text is emphasized.
    fn styled(&self, line: &str) -> String {
        let mut text = String::new();
        let mut parts = line.split("\\f");
        text.push_str(&plain(parts.next().unwrap_or_default()));
        for part in parts {
            let mut letters = part.chars();
            let font = letters.next();
            let part = plain(letters.as_str());
            if font == Some('B') && self.output.has_colour() {
                text.push_str(&self.output.styled(STRONG, part).to_string());
            } else {
                text.push_str(&part);
            }
        }
        text
    }
}

/// Returns the text of a line without the escapes of roff.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        text.push_str(rest.get(..at).unwrap_or_default());
        let escape = rest.get(at + 1..).unwrap_or_default();
        let (shown, length) = if escape.starts_with("*(Aq") {
            ("'", 4)
        } else if escape.starts_with("(aq") {
            ("'", 3)
        } else if escape.starts_with('f') {
            ("", 2)
        } else if escape.starts_with('e') {
            ("\\", 1)
        } else if escape.starts_with('&') {
            ("", 1)
        } else {
            // `\-`, `\.`: the character itself follows.
            ("", 0)
        };
        text.push_str(shown);
        rest = escape.get(length..).unwrap_or_default();
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn escapes() {
        assert_eq!(
            plain(r"\fB\-\-to\fR \fI<TO>\fR it\*(Aqs \e"),
            r"--to <TO> it's \"
        );
        assert_eq!(plain(r"\&.br a\(aqb"), ".br a'b");
    }
}
