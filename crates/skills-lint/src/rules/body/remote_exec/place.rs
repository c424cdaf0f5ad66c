//! Where a command stands, and what the text around it says about it.

use crate::rules::body::remote_exec::printing::is_printed;
use crate::rules::body::remote_exec::prohibition::{forbids, is_prohibition};
use crate::view::markdown::Markdown;
use skills_format::text::lines::line_around;
use skills_format::text::span::Span;
use std::borrow::Cow;
use std::cell::OnceCell;

/// How much of a line before and after a command is looked at, in bytes.
pub(super) const NEAR: usize = 600;

/// A text, and its Markdown, which is parsed once a command is found in it.
pub(super) struct Text<'t> {
    pub(super) source: &'t str,
    parse: Option<&'t dyn Fn() -> Cow<'t, Markdown>>,
    markdown: OnceCell<Cow<'t, Markdown>>,
    /// By heading, whether it forbids what stands below it.
    forbidding: OnceCell<Vec<bool>>,
}

/// What the text around a command says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing: the command is to be run.
    Runs,
    /// Its clause forbids it.
    Forbidden,
    /// A heading above it forbids it.
    BelowProhibition,
    /// A command prints it.
    Printed,
}

impl<'t> Text<'t> {
    pub(super) fn markdown(source: &'t str, parse: &'t dyn Fn() -> Cow<'t, Markdown>) -> Self {
        Self {
            source,
            parse: Some(parse),
            markdown: OnceCell::new(),
            forbidding: OnceCell::new(),
        }
    }

    /// The text of a file, which is Markdown by its name.
    pub(super) fn of_file(
        path: &str,
        source: &'t str,
        parse: &'t dyn Fn() -> Cow<'t, Markdown>,
    ) -> Self {
        const ENDS: [&str; 4] = ["md", "mdx", "markdown", "txt"];
        let end = path.rsplit_once('.').map_or("", |(_, end)| end);
        let is_markdown = ENDS.iter().any(|known| end.eq_ignore_ascii_case(known));
        Self {
            source,
            parse: is_markdown.then_some(parse),
            markdown: OnceCell::new(),
            forbidding: OnceCell::new(),
        }
    }

    /// The place of a command.
    pub(super) fn place(&self, command: Span) -> Place {
        let markdown = self
            .parse
            .map(|parse| self.markdown.get_or_init(parse).as_ref());
        let line = line_around(self.source, command, NEAR);
        let before = Span::new(line.start, command.start).of(self.source);
        let after = Span::new(command.end, line.end).of(self.source);
        let is_code = markdown.is_none_or(|markdown| markdown.is_in_block(command.start));
        let is_forbidden = if is_code {
            forbids_in_code(before, after)
        } else {
            let around = self.paragraph(line);
            let before = Span::new(around.start, command.start).of(self.source);
            forbids(before, Span::new(command.end, around.end).of(self.source))
        };
        if is_forbidden {
            Place::Forbidden
        } else if is_printed(if is_code { before } else { code_span(before) }, after) {
            Place::Printed
        } else if markdown.is_some_and(|markdown| self.is_below_prohibition(markdown, command)) {
            Place::BelowProhibition
        } else {
            Place::Runs
        }
    }

    /// The lines around a line that a reader sees as one text with it, at most [`NEAR`] bytes of them on
    /// either side.
    fn paragraph(&self, line: Span) -> Span {
        let mut around = line;
        while !begins_block(line_at_start(self.source, around)) && around.start > 0 {
            let above = line_around(self.source, Span::at(around.start - 1), NEAR);
            let text = above.of(self.source);
            let is_far = line.start - above.start > NEAR;
            if is_far || text.trim().is_empty() || is_alone(text) {
                break;
            }
            around.start = above.start;
        }
        while around.end < self.source.len() {
            let below = line_around(self.source, Span::at(around.end + 1), NEAR);
            let text = below.of(self.source);
            let is_far = below.end - line.end > NEAR;
            if is_far || text.trim().is_empty() || begins_block(text) {
                break;
            }
            around.end = below.end;
        }
        around
    }

    /// Whether one of the headings above a command forbids it: the nearest one, or one above that.
    fn is_below_prohibition(&self, markdown: &Markdown, command: Span) -> bool {
        let forbidding = self
            .forbidding
            .get_or_init(|| forbidding(self.source, &markdown.headings));
        let is_above = |heading: &Span| heading.end <= command.start;
        let nearest = markdown.headings.partition_point(is_above).checked_sub(1);
        nearest.is_some_and(|nearest| forbidding.get(nearest) == Some(&true))
    }
}

/// By heading, whether it forbids what stands below it, or a heading above it does. Computed once a text, since
/// both the headings and the commands of a text can be many.
fn forbidding(source: &str, headings: &[Span]) -> Vec<bool> {
    let mut open: Vec<(usize, bool)> = Vec::new();
    let forbidding = headings.iter().map(|heading| {
        let heading = heading.of(source).trim();
        let level = level(heading);
        while open.last().is_some_and(|(above, _)| *above >= level) {
            open.pop();
        }
        let text = heading.trim_matches('#').trim_end_matches(['=', '-']);
        let is_above = open.last().is_some_and(|(_, forbids)| *forbids);
        let forbids = is_above || is_prohibition(text);
        open.push((level, forbids));
        forbids
    });
    forbidding.collect()
}

/// Whether a comment forbids a command. Code itself forbids nothing: `never run "$(curl …)"` runs it.
fn forbids_in_code(before: &str, after: &str) -> bool {
    const COMMENTS: [&str; 7] = ["#", "//", "--", "/*", "*", "<!--", "rem "];
    let line = before.trim_start();
    let is_comment = COMMENTS.iter().any(|mark| {
        let start = line.get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark))
    });
    let runs_inside = before.contains(['`', '$', '<']) && !is_comment;
    !runs_inside && forbids(before, after)
}

/// The inside of the code span that is open at the end of a text; the text itself if there is none.
fn code_span(before: &str) -> &str {
    let is_open = before.matches('`').count() % 2 == 1;
    match before.rsplit_once('`') {
        Some((_, inside)) if is_open => inside,
        _ => before,
    }
}

fn line_at_start(text: &str, around: Span) -> &str {
    let rest = text.get(around.start..around.end).unwrap_or_default();
    rest.split('\n').next().unwrap_or_default()
}

/// Whether a line begins a list item, a quotation, a row of a table, a heading or a fence.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['-', '+', '>', '|', '#', '<'])
        || line.starts_with("* ")
        || line.starts_with("```")
        || line.starts_with("~~~")
        || number.len() < line.len() && number.starts_with(['.', ')'])
}

/// Whether the line after a line is no part of it.
fn is_alone(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['|', '#']) || line.starts_with("```") || line.starts_with("~~~")
}

fn level(heading: &str) -> usize {
    match heading.len() - heading.trim_start_matches('#').len() {
        // Its underline says it.
        0 if heading.ends_with('=') => 1,
        0 => 2,
        level => level,
    }
}
