//! Draws a finding as rustc draws its errors: one mark in one excerpt.
//!
//! `annotate-snippets` draws the same, and the test compares with it. As a dependency it took a CPU second of the first
//! build of every program, for this one shape.

use crate::render::excerpt::Excerpt;
use skills_format::diagnostic::Severity;
use skills_format::text::control::shown;
use skills_format::text::span::Position;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthChar as _;

const BOLD: &str = "\u{1b}[1m";
const BLUE: &str = "\u{1b}[1m\u{1b}[94m";
const RED: &str = "\u{1b}[1m\u{1b}[91m";
const YELLOW: &str = "\u{1b}[1m\u{1b}[33m";
const RESET: &str = "\u{1b}[0m";

/// A tab is as wide as rustc shows a tab.
const TAB: &str = "    ";

/// The use of terminal colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// No colours.
    #[default]
    Never,
    /// ANSI escape sequences.
    Always,
}

/// The lines of one finding, drawn so far.
pub(crate) struct Drawing {
    /// The text, without a line feed at the end.
    pub(crate) text: String,
    color: Color,
    /// The colour of the level and of the mark.
    mark: &'static str,
    /// Spaces as wide as the numbers of the lines.
    margin: String,
}

impl Drawing {
    pub(crate) fn new(color: Color, severity: Severity, excerpt: Option<&Excerpt>) -> Self {
        let width = excerpt.map_or(0, |excerpt| excerpt.last_line().to_string().len());
        Self {
            text: String::new(),
            color,
            mark: match severity {
                Severity::Error => RED,
                Severity::Warning => YELLOW,
                Severity::Info => BLUE,
            },
            margin: " ".repeat(width),
        }
    }

    /// Draws `error[RULE]: MESSAGE`.
    pub(crate) fn title(&mut self, level: &str, message: &str) {
        self.paint(self.mark, level);
        self.paint(BOLD, &format!(": {message}"));
    }

    /// Draws the path, and the place if lines of the file follow.
    pub(crate) fn place(&mut self, path: &str, start: Position) {
        self.new_line("");
        self.paint(BLUE, "--> ");
        self.text.push_str(path);
        if !self.margin.is_empty() {
            let _ = write!(self.text, ":{}:{}", start.line, start.column);
        }
    }

    /// Draws the lines with their mark, and the label beside the mark.
    pub(crate) fn excerpt(&mut self, excerpt: &Excerpt, label: &str) {
        let before = excerpt.text.get(..excerpt.start).unwrap_or_default();
        let marked = excerpt.marked();
        self.bar();
        if !marked.contains('\n') {
            self.source(excerpt.line, "", &excerpt.text);
            self.bar();
            let mark = "^".repeat(width(marked).max(1));
            self.text.push(' ');
            self.text.push_str(&" ".repeat(width(before)));
            self.paint(self.mark, &mark);
            if !label.is_empty() {
                self.text.push(' ');
                self.paint(self.mark, label);
            }
            return;
        }
        let starts_the_line = before.trim_start().is_empty();
        for (i, line) in excerpt.text.split('\n').enumerate() {
            match i {
                0 if starts_the_line => self.source(excerpt.line, "/", line),
                0 => {
                    self.source(excerpt.line, " ", line);
                    self.bar();
                    self.text.push(' ');
                    let run = "_".repeat(width(before) + 1);
                    self.paint(self.mark, &format!(" {run}^"));
                }
                i => self.source(excerpt.line + i, "|", line),
            }
        }
        let last = marked.rsplit('\n').next().unwrap_or_default();
        self.bar();
        self.text.push(' ');
        let run = "_".repeat(width(last).max(1));
        self.paint(self.mark, &format!("|{run}^"));
    }

    /// Draws `= help: TEXT`.
    pub(crate) fn note(&mut self, level: &str, text: &str) {
        let margin = format!("{} ", self.margin);
        self.new_line(" ");
        self.paint(BLUE, "= ");
        self.paint(BOLD, level);
        let indent = " ".repeat(margin.len() + "= ".len() + level.len() + ": ".len());
        self.text.push_str(": ");
        self.text
            .push_str(&text.replace('\n', &format!("\n{indent}")));
    }

    /// Draws a line of the file after its number, and the mark of several lines between the two.
    fn source(&mut self, number: usize, mark: &str, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let margin = self.margin.len();
        self.paint(BLUE, &format!("{number:>margin$}"));
        self.text.push(' ');
        self.paint(BLUE, "|");
        match mark {
            "" => {}
            " " => self.text.push_str("  "),
            mark => {
                self.text.push(' ');
                self.paint(self.mark, mark);
            }
        }
        if !line.is_empty() {
            self.text.push(' ');
        }
        for c in line.chars() {
            match c {
                '\t' => self.text.push_str(TAB),
                c => self.text.push(shown(c)),
            }
        }
    }

    /// Begins a line of the frame.
    fn bar(&mut self) {
        self.new_line(" ");
        self.paint(BLUE, "|");
    }

    fn new_line(&mut self, indent: &str) {
        self.text.push('\n');
        self.text.push_str(&self.margin);
        self.text.push_str(indent);
    }

    fn paint(&mut self, style: &str, text: &str) {
        match self.color {
            Color::Never => self.text.push_str(text),
            Color::Always => self.text.extend([style, text, RESET]),
        }
    }
}

/// Returns the number of cells that a text takes as it is drawn.
fn width(text: &str) -> usize {
    text.chars()
        .map(|c| match c {
            '\t' => TAB.len(),
            c => shown(c).width().unwrap_or(0),
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
    use proptest::prelude::*;

    /// The same by the library, for the same excerpt.
    fn by_library(color: Color, severity: Severity, excerpt: &Excerpt, label: &str) -> String {
        let level = match severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let mut mark = AnnotationKind::Primary.span(excerpt.start..excerpt.end);
        if !label.is_empty() {
            mark = mark.label(label);
        }
        let elements: [Element<'_>; 2] = [
            Origin::path("a/SKILL.md").line(7).char_column(3).into(),
            Snippet::source(&*excerpt.text)
                .line_start(excerpt.line)
                .annotation(mark)
                .into(),
        ];
        let report = level.primary_title("message").id("rule").elements(elements);
        let renderer = match color {
            Color::Always => Renderer::styled(),
            Color::Never => Renderer::plain(),
        };
        // Lines of white space alone are not tried: the library leaves them out. The library also names a second place, without a path.
        let text = renderer.render(&[report]);
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains(":::")).collect();
        lines.join("\n")
    }

    fn drawn(color: Color, severity: Severity, excerpt: &Excerpt, label: &str) -> String {
        let mut drawing = Drawing::new(color, severity, Some(excerpt));
        drawing.title(&format!("{severity}[rule]"), "message");
        let start = Position {
            offset: 0,
            line: 7,
            column: 3,
        };
        drawing.place("a/SKILL.md", start);
        drawing.excerpt(excerpt, label);
        drawing.text
    }

    proptest! {
        #[test]
        #[cfg_attr(windows, ignore = "the library has other colours on Windows")]
        fn as_the_library_draws(
            before in "[ \t\\-a漢]{0,6}",
            marked in "[a-c漢 ]{1,4}(\n[ \t]?[a-c漢][ a-c漢\t]{0,5}){0,4}",
            after in "[ a漢\t]{0,6}",
            line in prop_oneof![1_usize..4, 6_usize..12, 96_usize..102],
            label in prop_oneof![Just(""), Just("write `a`")],
            severity in prop_oneof![Just(Severity::Error), Just(Severity::Warning), Just(Severity::Info)],
            color in prop_oneof![Just(Color::Never), Just(Color::Always)],
        ) {
            let label = if marked.contains('\n') { "" } else { label };
            let excerpt = Excerpt {
                line,
                start: before.len(),
                end: before.len() + marked.len(),
                text: format!("{before}{marked}{after}"),
            };
            prop_assert_eq!(
                drawn(color, severity, &excerpt, label),
                by_library(color, severity, &excerpt, label)
            );
        }
    }
}
