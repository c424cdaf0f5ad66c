//! The place of a command, and whether the text around the command forbids it.

use crate::rules::body::remote_exec::printing::{is_item, is_printed};
use crate::rules::body::remote_exec::prohibition::{forbids, is_prohibition};
use crate::view::finding::Finding;
use crate::view::markdown::Markdown;
use crate::view::skill::SkillView;
use skills_format::text::lines::line_around;
use skills_format::text::span::Span;
use std::borrow::Cow;
use std::cell::OnceCell;

/// The maximum number of bytes of a line that are read before and after a command. Without a limit, a long line
/// with many commands takes quadratic time.
pub(crate) const NEAR: usize = 600;

/// A text, and its Markdown, which is parsed only if the text holds a command.
pub(crate) struct Text<'t> {
    pub(crate) source: &'t str,
    /// The path, unless the text is that of a `SKILL.md`.
    path: Option<&'t str>,
    parse: &'t dyn Fn() -> Cow<'t, Markdown>,
    markdown: OnceCell<Cow<'t, Markdown>>,
    /// For each heading, true if the heading forbids the commands below.
    forbidding: OnceCell<Vec<bool>>,
}

/// The meaning of the text around a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// The command is to be run.
    Runs,
    /// The clause of the command forbids it.
    Forbidden,
    /// A heading above the command forbids it.
    BelowProhibition,
    /// Another command prints the command.
    Printed,
    /// The command stands in a string that a test reads.
    OfTest,
}

/// Returns the findings of all texts of a skill. `find` gets a text, the part that is searched, and the path of the file.
pub(crate) fn of_texts(
    view: &SkillView<'_>,
    find: impl Fn(&Text<'_>, Span, &str) -> Vec<Finding>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(document) = view.document().filter(|_| view.is_readable()) {
        let parse = || Cow::Borrowed(view.markdown());
        let text = Text::markdown(document.text, &parse);
        found.extend(find(&text, document.body, view.skill.entry));
    }
    for (file, text) in view.other_texts() {
        let body = Span::new(0, text.len());
        let parse = || Cow::Owned(Markdown::parse(text, body));
        let text = Text::of_file(&file.path, text, &parse);
        found.extend(find(&text, body, &file.path));
    }
    found
}

impl<'t> Text<'t> {
    fn markdown(source: &'t str, parse: &'t dyn Fn() -> Cow<'t, Markdown>) -> Self {
        Self {
            source,
            path: None,
            parse,
            markdown: OnceCell::new(),
            forbidding: OnceCell::new(),
        }
    }

    /// Creates the text of a file. The extension decides whether the text is Markdown.
    fn of_file(path: &'t str, source: &'t str, parse: &'t dyn Fn() -> Cow<'t, Markdown>) -> Self {
        Self {
            path: Some(path),
            ..Self::markdown(source, parse)
        }
    }

    fn is_markdown(&self) -> bool {
        const ENDS: [&str; 4] = ["md", "mdx", "markdown", "txt"];
        self.path.is_none_or(|path| {
            let end = path.rsplit_once('.').map_or("", |(_, end)| end);
            ENDS.iter().any(|known| end.eq_ignore_ascii_case(known))
        })
    }

    /// Returns whether the file is below a folder of tests.
    fn is_of_test(&self) -> bool {
        const TESTS: [&str; 4] = ["test", "tests", "fixtures", "test-fixtures"];
        let mut folders = self.path.unwrap_or_default().rsplit('/').skip(1);
        folders.any(|folder| TESTS.contains(&folder))
    }

    /// Returns the place of a command.
    pub(crate) fn place(&self, command: Span) -> Context {
        let markdown = self
            .is_markdown()
            .then(|| self.markdown.get_or_init(self.parse).as_ref());
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
            Context::Forbidden
        } else if is_printed(if is_code { before } else { code_span(before) }, after) {
            Context::Printed
        } else if self.is_of_test() && is_item(before) {
            Context::OfTest
        } else if markdown.is_some_and(|markdown| self.is_below_prohibition(markdown, command)) {
            Context::BelowProhibition
        } else {
            Context::Runs
        }
    }

    /// Returns the lines that a reader sees as one text with a line, with at most [`NEAR`] bytes on either side.
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

    /// Returns whether the nearest heading above a command forbids it, or a heading above that heading does.
    fn is_below_prohibition(&self, markdown: &Markdown, command: Span) -> bool {
        let forbidding = self
            .forbidding
            .get_or_init(|| forbidding(self.source, &markdown.headings));
        let is_above = |heading: &Span| heading.end <= command.start;
        let nearest = markdown.headings.partition_point(is_above).checked_sub(1);
        nearest.is_some_and(|nearest| forbidding.get(nearest) == Some(&true))
    }
}

/// Returns for each heading whether the heading, or a heading above, forbids the commands below. Computed once for a
/// text: for each command, a text of many headings and commands would take quadratic time.
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

/// Returns whether words in a code block forbid a command. Code itself forbids nothing: a shell that reads
/// `never run "$(curl …)"` runs the command.
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

/// Returns the inside of the code span that is open at the end of a text; the whole text if no code span is open.
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

/// Returns whether a line begins a list item, a quotation, a row of a table, a heading or a fence.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['-', '+', '>', '|', '#', '<'])
        || line.starts_with("* ")
        || line.starts_with("```")
        || line.starts_with("~~~")
        || number.len() < line.len() && number.starts_with(['.', ')'])
}

/// Returns whether the next line is not a continuation of a line.
fn is_alone(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['|', '#']) || line.starts_with("```") || line.starts_with("~~~")
}

fn level(heading: &str) -> usize {
    match heading.len() - heading.trim_start_matches('#').len() {
        // A heading with an underline.
        0 if heading.ends_with('=') => 1,
        0 => 2,
        level => level,
    }
}
