//! The usual causes of front matter that does not parse, each with its edits.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::{Fault, QUOTE_IT, quoting};
use crate::lenient::recover::lines::first_line;
use crate::lenient::recover::unit::Unit;
use crate::lenient::recover::{flow, quoted};
use crate::text::span::Span;

/// Returns the possible faults of a unit, the most likely first.
pub(crate) fn causes(text: &str, unit: &Unit) -> Vec<Fault> {
    let value = unit.value.of(text);
    let mut faults = Vec::new();
    match value.chars().next() {
        None => {}
        Some('"' | '\'') => quoted::causes(text, unit, &mut faults),
        Some('[' | '{') => flow::in_brackets(text, unit, &mut faults),
        Some('*') => faults.extend(alias(text, unit.value)),
        // An explicit key of YAML: quotes around the line would hide the key.
        Some('?') if unit.key.is_none() && value.starts_with("? ") => {}
        Some(mark @ ('@' | '`' | '%' | '&' | '!' | '|' | '>' | ']' | '}' | ',' | '?' | '-')) => {
            let place = first_line(text, unit.value);
            let message = format!("a value without quotes cannot begin with `{mark}`");
            let mut fault = quoting(text, unit.value, place, message, QUOTE_IT);
            // An anchor, a tag or a block can be meant: quotes are a guess.
            fault.is_safe &= !matches!(mark, '&' | '!' | '|' | '>');
            faults.push(fault);
        }
        Some(_) => plain(text, unit, &mut faults),
    }
    faults.extend(missing_space(text, unit));
    faults
}

/// Returns the fault of a value that begins as an alias. `*bold*` and `*.rs` are text; `*base` can be a real alias, so
/// quotes around it are a guess. An alias whose anchor is there is an alias: quotes would replace its value.
fn alias(text: &str, value: Span) -> Option<Fault> {
    let written = value.of(text);
    let word = written
        .get(1..)
        .and_then(|rest| rest.split_whitespace().next());
    let is_of_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let name = word.filter(|word| word.chars().all(is_of_name) && written.len() == word.len() + 1);
    let is_real = word.is_some_and(|word| word.chars().all(is_of_name));
    if name.is_some_and(|name| has_anchor(text.get(..value.start).unwrap_or_default(), name)) {
        return None;
    }
    let message = "`*` begins an alias, and no anchor above has its name".to_owned();
    let mut fault = quoting(text, value, first_line(text, value), message, QUOTE_IT);
    fault.is_safe &= !is_real;
    Some(fault)
}

/// Returns whether a text has the anchor of a name.
fn has_anchor(text: &str, name: &str) -> bool {
    let anchor = format!("&{name}");
    let mut found = text.match_indices(&anchor);
    found.any(|(at, _)| {
        let after = text.get(at + anchor.len()..).unwrap_or_default();
        after.is_empty() || after.starts_with(char::is_whitespace)
    })
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
    let place = Span::new(value.start + colon, value.start + colon + 1);
    let message = "a colon and a space begin another key in a value without quotes".to_owned();
    faults.push(quoting(text, value, place, message, QUOTE_IT));
}

/// Returns the fault of `name:x`.
fn missing_space(text: &str, unit: &Unit) -> Option<Fault> {
    let line = first_line(text, Span::new(unit.value.start, text.len()));
    let (key, after) = line.of(text).split_once(':')?;
    let is_key = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if unit.key.is_some() || !is_key || after.starts_with("//") {
        return None;
    }
    let colon = line.start + key.len();
    let span = Span::new(colon, colon + 1);
    Some(Fault {
        span,
        message: format!("a space is missing after `{key}:`"),
        help: format!("write `{key}: {}`", after.trim()),
        edits: vec![Edit::replace(span, ": ")],
        is_safe: false,
    })
}
