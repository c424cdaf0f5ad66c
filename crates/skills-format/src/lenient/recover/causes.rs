//! The usual causes of front matter that does not parse, each with its edits.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::{Fault, QUOTE_IT, quoting};
use crate::lenient::recover::lines::first_line;
use crate::lenient::recover::unit::Unit;
use crate::lenient::recover::{flow, quoted};
use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;

/// Returns the possible faults of a unit, the most likely first.
pub(crate) fn causes(text: &str, unit: &Unit, before: Option<&Unit>) -> Vec<Fault> {
    let value = unit.value.of(text);
    let mut faults = Vec::new();
    match value.chars().next() {
        None => {}
        Some('"' | '\'') => quoted::causes(text, unit, &mut faults),
        Some('[' | '{') => flow::in_brackets(text, unit, &mut faults),
        Some(mark @ ('|' | '>')) => faults.push(block(text, unit, mark)),
        Some(mark @ ('*' | '&')) => faults.push(alias(text, unit.value, mark)),
        // An explicit key of YAML: quotes around the line would hide the key.
        Some('?') if unit.key.is_none() && value.starts_with("? ") => {}
        Some('!') => faults.push(tag(text, unit)),
        Some(mark @ ('@' | '`' | '%' | ']' | '}' | ',' | '?' | '-')) => {
            let place = first_line(text, unit.value);
            let message = format!("a value without quotes cannot begin with `{mark}`");
            faults.push(quoting(text, unit.value, place, message, QUOTE_IT));
        }
        Some(_) => plain(text, unit, &mut faults),
    }
    faults.extend(indented_unlike(unit, before));
    faults.extend(missing_space(text, unit));
    faults.extend(more_of_the_value(text, unit, before));
    faults
}

/// Returns the fault of a value that begins as an alias or an anchor. `*bold*` and `*.rs` are text;
/// `*base` can be a real alias, so quotes around it are a guess.
fn alias(text: &str, value: Span, mark: char) -> Fault {
    let written = value.of(text);
    let name = written.get(1..).unwrap_or_default();
    let is_real = !name.is_empty()
        && name.split_whitespace().next().is_some_and(|word| {
            word.chars()
                .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        });
    let what = if mark == '*' { "an alias" } else { "an anchor" };
    let mut fault = quoting(
        text,
        value,
        first_line(text, value),
        format!("`{mark}` begins {what}, which front matter cannot have"),
        QUOTE_IT,
    );
    fault.is_safe = !is_real;
    fault
}

/// Returns the fault of a value that begins as a tag. `!important use` is text and is quoted; before a
/// quoted or nested value, the tag is removed.
fn tag(text: &str, unit: &Unit) -> Fault {
    let value = unit.value;
    let message = "`!` begins a tag, which front matter cannot have".to_owned();
    let line = first_line(text, value);
    let written = value.of(text);
    let name = written.split_whitespace().next().unwrap_or_default();
    let rest = written.get(name.len()..).unwrap_or_default();
    let is_text = !rest
        .trim_start_matches(' ')
        .starts_with(['\n', '\r', '[', '{', '"', '\'', '|', '>']);
    if is_text {
        return quoting(text, value, line, message, QUOTE_IT);
    }
    let span = Span::new(value.start, value.start + name.len());
    Fault {
        span,
        message,
        help: "remove it".to_owned(),
        edits: vec![Edit::replace(span, "")],
        is_safe: false,
    }
}

/// Returns the fault of text on the line of a block's mark (`| text`). The text of a block begins on the
/// next line.
fn block(text: &str, unit: &Unit, mark: char) -> Fault {
    let line = first_line(text, unit.value);
    let message = format!("after `{mark}` the text begins on the next line");
    let written = line.of(text);
    let is_header = |c: char| c.is_ascii_digit() || matches!(c, '|' | '>' | '+' | '-');
    let header = written.trim_start_matches(is_header);
    let content = header.trim_start();
    if header.len() == content.len() {
        let message = format!("a value without quotes cannot begin with `{mark}`");
        return quoting(text, unit.value, line, message, QUOTE_IT);
    }
    let start = line.end - content.len();
    let next = line_at(text, line_after(text, line_at(text, line.end)));
    let indent = if next.start < unit.value.end {
        next.len() - next.of(text).trim_start_matches(' ').len()
    } else {
        unit.indent + 2
    };
    let blanks = Span::new(line.end - header.len(), start);
    Fault {
        span: Span::new(start, line.end),
        message,
        help: format!("write the text below the `{mark}`, indented"),
        edits: vec![Edit::replace(
            blanks,
            format!("\n{}", " ".repeat(indent.max(unit.indent + 1))),
        )],
        // `>` and `|` can also be text: a quotation, a comparison, one of two words.
        is_safe: false,
    }
}

fn plain(text: &str, unit: &Unit, faults: &mut Vec<Fault>) {
    let value = unit.value;
    let written = value.of(text);
    let is_colon = |(at, _): &(usize, &str)| {
        let after = written.get(at + 1..).unwrap_or_default();
        after.is_empty() || after.starts_with([' ', '\t', '\n', '\r'])
    };
    let Some((colon, _)) = written.match_indices(':').find(is_colon) else {
        let message = "the value is not valid YAML without quotes".to_owned();
        let place = first_line(text, value);
        faults.push(quoting(text, value, place, message, QUOTE_IT));
        return;
    };
    faults.extend(key_too_deep(text, unit, colon));
    let place = Span::new(value.start + colon, value.start + colon + 1);
    let message = "a colon and a space begin another key in a value without quotes".to_owned();
    faults.push(quoting(text, value, place, message, QUOTE_IT));
}

/// Returns the fault of a `key: value` line that is indented below a value of one word: the line is a
/// key, not a continuation of the value.
fn key_too_deep(text: &str, unit: &Unit, colon: usize) -> Option<Fault> {
    let written = unit.value.of(text);
    let before = written.get(..colon)?;
    let line = before.rfind('\n')? + 1;
    let key = before.get(line..)?.trim_start();
    let is_key = key
        .chars()
        .all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_'));
    let value = before.get(..line)?.trim();
    if key.is_empty() || !is_key || value.contains(char::is_whitespace) {
        return None;
    }
    let start = unit.value.start + line;
    let indent = before.len() - line - key.len();
    Some(Fault {
        span: Span::new(start + indent, start + indent + key.len()),
        message: "the key is indented below a value".to_owned(),
        help: "indent it as the key above".to_owned(),
        edits: vec![Edit::replace(
            Span::new(start, start + indent),
            " ".repeat(unit.indent),
        )],
        is_safe: false,
    })
}

/// Returns the fault of a key whose indent differs from that of the unit directly above, unless the key
/// is a child of that unit.
fn indented_unlike(unit: &Unit, before: Option<&Unit>) -> Option<Fault> {
    let before = before?;
    let key = unit.key?;
    // A key without a value of its own has the deeper keys below it as its value.
    let is_child = before.value.is_empty() && unit.indent > before.indent;
    (unit.indent != before.indent && !is_child).then(|| Fault {
        span: key,
        message: "the key is indented unlike the one above".to_owned(),
        help: format!("indent it by {}", before.indent),
        edits: vec![Edit::replace(
            Span::new(unit.line_start, unit.line_start + unit.indent),
            " ".repeat(before.indent),
        )],
        is_safe: false,
    })
}

/// Returns the fault of text that continues the value above, and is not indented below that value's key.
fn more_of_the_value(text: &str, unit: &Unit, above: Option<&Unit>) -> Option<Fault> {
    let above = above.filter(|above| above.key.is_some() && !above.value.is_empty())?;
    let line = line_at(text, unit.line_start);
    let is_item = line.of(text).trim_start().starts_with("- ");
    if unit.key.is_some() || is_item || unit.indent > above.indent || above.indent == 0 {
        return None;
    }
    let wanted = " ".repeat(above.indent + 2);
    let indent = Span::new(line.start, line.start + unit.indent);
    Some(Fault {
        span: first_line(text, unit.value),
        message: "the line continues the value above and is not indented below its key".to_owned(),
        help: format!("indent it by {} spaces", wanted.len()),
        edits: vec![Edit::replace(indent, wanted)],
        is_safe: false,
    })
}

/// Returns the fault of `name:x`, or of a key before a fullwidth colon.
fn missing_space(text: &str, unit: &Unit) -> Option<Fault> {
    let line = first_line(text, Span::new(unit.value.start, text.len()));
    let written = line.of(text);
    let (at, colon) = written.match_indices([':', '：']).next()?;
    let key = written.get(..at)?;
    let is_key = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let after = written.get(at + colon.len()..)?;
    if unit.key.is_some() || !is_key || after.starts_with("//") {
        return None;
    }
    let span = Span::new(line.start + at, line.start + at + colon.len());
    let message = match colon {
        ":" => format!("a space is missing after `{key}:`"),
        other => format!("`{other}` is not a colon in YAML"),
    };
    Some(Fault {
        span,
        message,
        help: format!("write `{key}: {}`", after.trim()),
        edits: vec![Edit::replace(
            span,
            if after.starts_with(' ') { ":" } else { ": " },
        )],
        is_safe: false,
    })
}
