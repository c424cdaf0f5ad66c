//! Lists in `[…]` and mappings in `{…}`: their ends, and the faults that keep them from parsing.

use crate::diagnostic::Edit;
use crate::lenient::recover::fault::{Fault, QUOTE_IT, quoting};
use crate::lenient::recover::lines::{first_line, first_text};
use crate::lenient::recover::quote;
use crate::lenient::recover::quoted::bad_escapes;
use crate::lenient::recover::unit::Unit;
use crate::text::span::Span;

/// Adds the possible faults of a value in brackets, the most likely first.
pub(crate) fn in_brackets(text: &str, unit: &Unit, faults: &mut Vec<Fault>) {
    let value = unit.value;
    let written = value.of(text);
    let key = unit.key.map_or("", |key| key.of(text));
    let is_text = matches!(
        key,
        "name" | "description" | "argument-hint" | "compatibility"
    );
    faults.extend(reserved_in_list(value.start, written));
    let quoted_texts = written.match_indices('"').map(|(at, _)| at);
    faults.extend(
        quoted_texts.filter_map(|at| bad_escapes(value.start + at, written.get(at..)?, false)),
    );
    match brackets(written) {
        Brackets::Closed(close) => {
            let rest = Span::new(value.start + close + 1, value.end);
            if !rest.of(text).trim().is_empty() {
                let place = first_line(text, Span::new(first_text(text, rest), rest.end));
                let message = "text stands after the closing bracket".to_owned();
                faults.push(quoting(text, value, place, message, QUOTE_IT));
            }
        }
        Brackets::Open(missing) if !is_text => faults.push(Fault {
            span: first_line(text, value),
            message: format!("`{missing}` is missing at the end"),
            help: format!("write `{missing}` at the end of the value"),
            edits: vec![Edit::replace(Span::at(value.end), missing)],
            is_safe: false,
        }),
        Brackets::Open(_) | Brackets::Crossed => {}
    }
    faults.extend(backslashes(value.start, written));
    // In quotes, a mapping would be a text: `metadata` would hold no keys at all.
    if key != "metadata" {
        let message = "the brackets do not hold a YAML list or mapping".to_owned();
        let place = first_line(text, value);
        faults.push(quoting(text, value, place, message, QUOTE_IT));
    }
}

/// Returns the fault of list items that begin with a character that YAML reserves.
fn reserved_in_list(start: usize, written: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut previous = ' ';
    for (i, c) in written.char_indices() {
        let is_first = matches!(previous, '[' | '{' | ',' | ':');
        if is_first && matches!(c, '@' | '`' | '%' | '*' | '&' | '\\') {
            let end = item_end(written, i);
            let span = Span::new(start + i, start + end);
            let item = written.get(i..end).unwrap_or_default();
            if !item.contains(['"', '\\']) {
                faults.push(Fault {
                    span,
                    message: format!("a value without quotes cannot begin with `{c}`"),
                    help: QUOTE_IT.to_owned(),
                    edits: vec![Edit::replace(span, format!("\"{item}\""))],
                    // `*name` and `&name` can be an alias and an anchor.
                    is_safe: !(matches!(c, '*' | '&') && item.get(1..).is_some_and(is_named)),
                });
            }
        }
        if !c.is_whitespace() {
            previous = c;
        }
    }
    // One fault with all edits: a list of such items is one mistake, with one fix.
    let Some(first) = faults.first().cloned() else {
        return faults;
    };
    vec![Fault {
        is_safe: faults.iter().all(|fault| fault.is_safe),
        edits: faults.into_iter().flat_map(|fault| fault.edits).collect(),
        ..first
    }]
}

/// Returns whether a text begins with a name and nothing else but space after it.
fn is_named(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.starts_with(is_of_name) && word.chars().all(is_of_name)
}

/// Returns the fault of brackets that are escaped as in Markdown. YAML has no such escape.
fn backslashes(start: usize, written: &str) -> Option<Fault> {
    let places: Vec<usize> = written
        .match_indices('\\')
        .map(|(at, _)| at)
        .filter(|at| {
            let next = written.get(at + 1..).unwrap_or_default();
            next.starts_with(['[', ']', '{', '}', '_'])
        })
        .collect();
    let first = start + places.first()?;
    Some(Fault {
        span: Span::new(first, first + 1),
        message: "a backslash stands before a bracket".to_owned(),
        help: "remove it".to_owned(),
        edits: places
            .iter()
            .map(|at| Edit::replace(Span::new(start + at, start + at + 1), ""))
            .collect(),
        is_safe: false,
    })
}

/// The state of the brackets of a flow collection.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Brackets {
    /// The outer bracket is closed at this byte.
    Closed(usize),
    /// These closing brackets are missing.
    Open(String),
    /// A closing bracket does not match the open bracket.
    Crossed,
}

/// Matches the brackets from the first character of `written`, and skips quoted text.
fn brackets(written: &str) -> Brackets {
    let mut open: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(rest) = written.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(c) = rest.chars().next() else {
            break;
        };
        let before = written
            .get(..at)
            .and_then(|text| text.trim_end().chars().next_back());
        match c {
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' => {
                if open.pop() != Some(c) {
                    return Brackets::Crossed;
                }
                if open.is_empty() {
                    return Brackets::Closed(at);
                }
            }
            // Only at the beginning of an item: the apostrophe in `{it's}` opens no quoted text.
            '"' | '\'' if matches!(before, Some('[' | '{' | ',' | ':')) => {
                if let Some(close) = quote::closing(rest) {
                    at += close;
                }
            }
            _ => {}
        }
        at += written
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8);
    }
    Brackets::Open(open.into_iter().rev().collect())
}

/// Returns the end of the item that begins at `at`: before the next comma, closing bracket or line end.
fn item_end(written: &str, at: usize) -> usize {
    let rest = written.get(at..).unwrap_or_default();
    let item = rest.split([',', ']', '}', '\n']).next().unwrap_or_default();
    at + item.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        assert_eq!(brackets("[a, \"]\"] b"), Brackets::Closed(7));
        assert_eq!(brackets("{a: [b, {c: d"), Brackets::Open("}]}".to_owned()));
        assert_eq!(brackets("{a]"), Brackets::Crossed);
        assert_eq!(brackets("{it's}'s"), Brackets::Closed(5));
        assert_eq!(item_end("[a, @if x, c]", 4), 9);
    }
}
