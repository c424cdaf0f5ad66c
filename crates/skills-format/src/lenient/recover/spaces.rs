//! White space that YAML does not accept, and control characters.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::Fault;
use crate::lenient::recover::lines::line_around;
use crate::lenient::recover::unit::{Unit, unit};
use crate::skill::known_fields::begins_field;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// Returns the fault of tabs and of spaces other than U+0020 in the indents of a chunk, or of no-break
/// spaces after a colon. The fix is a guess if the meaning depends on the width of a tab.
pub(crate) fn indents(text: &str, chunk: Span, failed_at: usize) -> Option<Fault> {
    let failed_line = line_around(text, failed_at, chunk).start;
    let tabs = Tabs::of(text, chunk);
    let mut edits = Vec::new();
    let mut first: Option<Span> = None;
    let mut is_safe = !tabs.are_mixed;
    let mut above: Option<Unit> = None;
    for line in lines(text, chunk) {
        let content = line.of(text);
        // With a no-break space after the colon, YAML reads the key and its value as one text.
        if let Some(i) = content.find(":\u{A0}") {
            let span = Span::new(line.start + i + 1, line.start + i + 3);
            edits.push(Edit::replace(span, " "));
            first = first.or(Some(span));
        }
        let moved = beside(text, line, above.as_ref());
        is_safe &= moved.is_none();
        let column = moved.as_ref().map(|edit| edit.text.len());
        let found = moved.map_or_else(|| tabs.plain(text, line), |edit| vec![edit]);
        if let Some(last) = found.last() {
            let span = Span::new(last.start, last.end);
            let is_nearer = line.start <= failed_line || first.is_none();
            if is_nearer && first.is_none_or(|first| first.start < line.start) {
                first = Some(span);
            }
        }
        edits.extend(found);
        if !content.trim().is_empty() {
            let trimmed = content.trim();
            let indent = content.len() - content.trim_start().len();
            let mut unit = unit(text, line.start, indent, trimmed);
            unit.indent = column.unwrap_or(unit.indent);
            above = Some(unit);
        }
    }
    let span = first?;
    let what = match span.of(text).chars().next() {
        Some('\t') => "a tab",
        _ => "a space of another kind",
    };
    Some(Fault {
        span,
        message: format!("{what} is used where YAML requires a plain space"),
        help: "write plain spaces".to_owned(),
        edits,
        is_safe,
    })
}

/// The use of tabs in the indents of a chunk.
struct Tabs {
    /// The number of spaces for a tab: the smallest indent of the lines that only spaces indent, else 2.
    width: usize,
    /// True if tabs indent some lines, and spaces indent other lines. Readers then disagree about the
    /// nesting.
    are_mixed: bool,
}

impl Tabs {
    fn of(text: &str, chunk: Span) -> Self {
        let indents: Vec<&str> = lines(text, chunk)
            .map(|line| {
                let content = line.of(text);
                let indent = content.len() - content.trim_start_matches([' ', '\t']).len();
                content.get(..indent).unwrap_or_default()
            })
            .collect();
        let by_spaces = indents.iter().filter(|indent| indent.starts_with(' '));
        let plain = by_spaces.clone().filter(|indent| !indent.contains('\t'));
        Self {
            width: plain.map(|indent| indent.len()).min().unwrap_or(2),
            are_mixed: by_spaces.count() > 0 && indents.iter().any(|indent| indent.contains('\t')),
        }
    }

    /// Returns the edits that turn the indent of a line into plain spaces.
    fn plain(&self, text: &str, line: Span) -> Vec<Edit> {
        let content = line.of(text);
        let indent = content.len() - content.trim_start_matches(dash_or_space).len();
        if indent == content.len() {
            return Vec::new();
        }
        let chars = content.get(..indent).unwrap_or_default().char_indices();
        let wrong = chars.filter(|(_, c)| !matches!(c, ' ' | '-'));
        let edit = |(i, c): (usize, char)| {
            let span = Span::new(line.start + i, line.start + i + c.len_utf8());
            let spaces = if c == '\t' { self.width } else { 1 };
            Edit::replace(span, " ".repeat(spaces))
        };
        wrong.map(edit).collect()
    }
}

/// Returns the edit that moves a known field to the indent of the field above, if that field has a value.
/// A key with a plain value cannot have fields below.
fn beside(text: &str, line: Span, above: Option<&Unit>) -> Option<Edit> {
    let above = above.filter(|above| above.key.is_some() && !above.value.is_empty())?;
    let has_lines = above
        .value
        .of(text)
        .starts_with(['|', '>', '"', '\'', '[', '{']);
    let content = line.of(text);
    let field = content.trim_start();
    let indent = content.len() - field.len();
    let is_by_tabs = content.starts_with('\t') && indent > above.indent;
    if has_lines || !is_by_tabs || !begins_field(field) {
        return None;
    }
    let span = Span::new(line.start, line.start + indent);
    Some(Edit::replace(span, " ".repeat(above.indent)))
}

fn dash_or_space(c: char) -> bool {
    c.is_whitespace() || c == '-'
}

/// Iterates over the lines of a chunk.
fn lines(text: &str, chunk: Span) -> impl Iterator<Item = Span> + '_ {
    let mut at = chunk.start;
    std::iter::from_fn(move || {
        let line = (at < chunk.end).then(|| line_at(text, at))?;
        at = line_after(text, line).max(at + 1);
        Some(line)
    })
}

/// Returns the fault of control characters and noncharacters, which YAML does not accept.
pub(crate) fn control_characters(text: &str, chunk: Span) -> Option<Fault> {
    let is_control = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    let places: Vec<Span> = chunk
        .of(text)
        .char_indices()
        .filter(|(_, c)| is_control(*c))
        .map(|(i, c)| Span::new(chunk.start + i, chunk.start + i + c.len_utf8()))
        .collect();
    let span = *places.first()?;
    let c = span.of(text).chars().next()?;
    let what = if c.is_control() {
        "control character"
    } else {
        "character"
    };
    Some(Fault {
        span,
        message: format!("the {what} U+{:04X} stands here", u32::from(c)),
        help: "remove it".to_owned(),
        edits: places
            .into_iter()
            .map(|place| Edit::replace(place, ""))
            .collect(),
        is_safe: false,
    })
}
