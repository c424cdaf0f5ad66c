//! Values that begin with a quote: their ends, and the faults that keep them from parsing.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::Fault;
use crate::lenient::recover::lines::{first_line, first_text};
use crate::lenient::recover::quote;
use crate::lenient::recover::unit::Unit;
use crate::skill::document;
use crate::skill::limits::MAX_FRONT_MATTER;
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// Adds the possible faults of a value that begins with a quote, the most likely first.
pub(crate) fn causes(text: &str, unit: &Unit, faults: &mut Vec<Fault>) {
    let value = unit.value;
    let written = value.of(text);
    let Some(mark) = written.chars().next() else {
        return;
    };
    let Some(close) = quote::closing(written) else {
        faults.extend(bad_escapes(value.start, written, false));
        faults.push(unclosed(text, unit, mark));
        return;
    };
    let rest = Span::new(value.start + close + 1, value.end);
    if rest.of(text).trim().is_empty() {
        faults.extend(unindented(text, unit));
        faults.extend(bad_escapes(value.start, written, false));
        return;
    }
    faults.extend(comment(text, unit, rest));
    let is_comment = is_comment(rest.of(text));
    if is_comment {
        faults.extend(unindented(text, unit));
    }
    let encloses = quote::encloses(written);
    let (edits, is_safe) = if encloses {
        // Once the inner quotes are escaped, the text after them is quoted too: its escapes must be valid.
        faults.extend(bad_escapes(value.start, written, true));
        let is_safe = mark == '"' || quote::has_only_apostrophes(written);
        (quote::inside(text, value, mark), is_safe)
    } else {
        (quote::literally(text, value), true)
    };
    faults.push(Fault {
        span: first_line(text, Span::new(first_text(text, rest), rest.end)),
        message: "text stands after the closing quote".to_owned(),
        help: "put all of the value in one pair of quotes".to_owned(),
        edits,
        // Other readers leave a comment out of the value.
        is_safe: is_safe && !is_comment && !quote::takes_in_more(text, value),
    });
}

/// Returns whether only comments stand after a closing quote. libyaml needs no blank before the first.
fn is_comment(rest: &str) -> bool {
    let mut lines = rest.lines().map(str::trim).filter(|line| !line.is_empty());
    rest.starts_with(|c: char| c.is_whitespace() || c == '#')
        && lines.all(|line| line.starts_with('#'))
}

/// Returns the fault of a comment directly after the closing quote. YAML requires a space before the comment. libyaml
/// and what is built on it read the comment, so quotes around it would change the value for them.
fn comment(text: &str, unit: &Unit, rest: Span) -> Option<Fault> {
    if !rest.of(text).starts_with('#') {
        return None;
    }
    let mut edits = unindented(text, unit).map_or_else(Vec::new, |fault| fault.edits);
    edits.push(Edit::replace(Span::at(rest.start), " "));
    Some(Fault {
        span: Span::new(rest.start, rest.start + 1),
        message: "no blank stands before the comment".to_owned(),
        help: "write a space before `#`".to_owned(),
        edits,
        is_safe: true,
    })
}

/// Returns the fault of a quote that is not closed before the next field.
fn unclosed(text: &str, unit: &Unit, mark: char) -> Fault {
    let value = unit.value;
    let mut edits = unindented(text, unit).map_or_else(Vec::new, |fault| fault.edits);
    edits.push(Edit::replace(Span::at(value.end), mark));
    Fault {
        span: first_line(text, value),
        message: format!("the quote `{mark}` is never closed"),
        help: format!("write `{mark}` at the end of the value"),
        edits,
        // If a later line of the front matter closes the quote, other readers read the value up to there.
        is_safe: !is_closed_later(text, value.start) && !quote::takes_in_more(text, value),
    }
}

/// Returns whether a line of the front matter closes the quote at a place. The next quote is near, and the end of the
/// front matter can be far.
fn is_closed_later(text: &str, start: usize) -> bool {
    let mut end = text.len().min(start.saturating_add(MAX_FRONT_MATTER));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let close = quote::closing(Span::new(start, end).of(text));
    let up_to = close.and_then(|close| text.get(..=start + close));
    up_to.is_some_and(|up_to| document::closing(up_to, start).is_none())
}

/// Returns the fault of lines of a quoted value that are not indented below the key. Some readers accept
/// such lines; the YAML specification does not. The white space before a line is not part of the text, so
/// the fix is safe.
fn unindented(text: &str, unit: &Unit) -> Option<Fault> {
    let (least, wanted) = match unit.key {
        Some(_) => (unit.indent + 1, unit.indent + 2),
        None => (unit.indent, unit.indent),
    };
    let mut edits = Vec::new();
    let mut first = None;
    let mut at = line_after(text, line_at(text, unit.value.start));
    while at < unit.value.end {
        let line = line_at(text, at);
        let content = line.of(text).trim_end();
        let indent = content.len() - content.trim_start().len();
        if !content.is_empty() && indent < least {
            edits.push(Edit::replace(
                Span::new(line.start, line.start + indent),
                " ".repeat(wanted),
            ));
            let end = (line.start + content.len()).min(unit.value.end);
            first.get_or_insert(Span::new(line.start + indent, end));
        }
        at = line_after(text, line).max(at + 1);
    }
    Some(Fault {
        span: first?,
        message: "a line of a quoted value is not indented".to_owned(),
        help: format!("indent it by {wanted} spaces"),
        edits,
        is_safe: true,
    })
}

/// Returns the fault of invalid escapes in a double-quoted text. With `all`, escapes after inner quotes
/// count too.
pub(crate) fn bad_escapes(start: usize, written: &str, all: bool) -> Option<Fault> {
    if !written.starts_with('"') {
        return None;
    }
    let escapes = quote::escapes(written, all);
    let bad: Vec<(usize, &str)> = escapes
        .iter()
        .copied()
        .filter(|(_, escape)| !quote::is_escape(escape))
        .collect();
    let (first, escape) = *bad.first()?;
    let is_surrogate = quote::is_surrogate(escape);
    let (message, help) = if is_surrogate {
        let message = format!("`{escape}` is half a character");
        (
            message,
            "write the character itself, or `\\\\` for a backslash",
        )
    } else {
        let message = format!("`{escape}` is not an escape of YAML");
        (message, "write `\\\\` for a backslash")
    };
    // Beside an invalid `\d`, `\n` can be a line break or the folder of `C:\new\dir`: the fix is a guess.
    let is_clear = escapes
        .iter()
        .all(|(_, escape)| !quote::is_escape(escape) || !quote::is_letter(escape));
    Some(Fault {
        span: Span::new(start + first, start + first + escape.len()),
        message,
        help: help.to_owned(),
        edits: bad
            .iter()
            .map(|(at, _)| Edit::replace(Span::at(start + at), "\\"))
            .collect(),
        is_safe: is_clear && !is_surrogate,
    })
}
