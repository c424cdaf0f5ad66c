//! White space that YAML does not accept, and characters that do not belong in text.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::Fault;
use crate::lenient::recover::lines::line_around;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// A tab, or another space than U+0020, at the start of a line.
pub(crate) fn indents(text: &str, chunk: Span, failed_at: usize) -> Option<Fault> {
    let failed_line = line_around(text, failed_at, chunk).start;
    let mut edits = Vec::new();
    let mut first: Option<Span> = None;
    let mut at = chunk.start;
    while at < chunk.end {
        let line = line_at(text, at);
        at = line_after(text, line).max(at + 1);
        let content = line.of(text);
        let dashes = |c: char| c.is_whitespace() || c == '-';
        let indent = content.len() - content.trim_start_matches(dashes).len();
        // A no-break space after the colon of a key hides the key.
        if let Some(i) = content.find(":\u{A0}") {
            let span = Span::new(line.start + i + 1, line.start + i + 3);
            edits.push(Edit::replace(span, " "));
            first = first.or(Some(span));
        }
        if indent == content.len() {
            continue;
        }
        for (i, c) in content.get(..indent).unwrap_or_default().char_indices() {
            if c != ' ' && c != '-' {
                let spaces = if c == '\t' { "  " } else { " " };
                let span = Span::new(line.start + i, line.start + i + c.len_utf8());
                edits.push(Edit::replace(span, spaces));
                let is_nearer = line.start <= failed_line || first.is_none();
                if is_nearer && first.is_none_or(|first| first.start < line.start) {
                    first = Some(span);
                }
            }
        }
    }
    let span = first?;
    let what = match span.of(text) {
        "\t" => "a tab",
        _ => "a space of another kind",
    };
    Some(Fault {
        span,
        message: format!("{what} stands where YAML requires a plain space"),
        help: "write plain spaces".to_owned(),
        edits,
        is_safe: true,
    })
}

/// Control characters, and characters that do not belong in a text file.
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
