//! The assignments of a script, by name.

use crate::powers::code::skeleton::{Skeleton, Text};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The maximum number of assignments to one name that are kept. The calls with a name read all its assignments: without a
/// maximum, a script with as many calls as assignments would take quadratic time.
const MAX_VALUES: usize = 16;
/// The maximum number of bytes of a type between a name and its `=`: `url: str = "…"`.
const MAX_TYPE: usize = 40;
/// The maximum number of bytes of a text that many calls may read: each call with the name reads the text again.
const MAX_TEXT: usize = 4000;

/// The values that a script assigns to its names. One pass over the code finds all of them.
pub(super) struct Assigned<'s>(BTreeMap<&'s str, Values<'s>>);

/// The values of one name.
#[derive(Default)]
pub(super) struct Values<'s> {
    /// The code after each `=`, at most [`MAX_VALUES`] times.
    pub(super) code: Vec<&'s str>,
    /// The first text.
    text: Option<&'s Text>,
    /// The number of calls that have read the values.
    pub(super) calls: Cell<usize>,
    /// Values were left out, so the name can have a value that is not read.
    pub(super) has_more: bool,
}

impl<'s> Assigned<'s> {
    pub(super) fn of(skeleton: &'s Skeleton) -> Self {
        let code = skeleton.code.as_str();
        let mut all: BTreeMap<&str, Values<'_>> = BTreeMap::new();
        let mut at = 0;
        while let Some(start) = code.get(at..).and_then(|rest| rest.find(is_part)) {
            let name = code.get(at + start..).unwrap_or_default();
            let name = name.get(..name.find(|c| !is_part(c)).unwrap_or(name.len()));
            let name = name.unwrap_or_default();
            at += start + name.len();
            let value = code.get(at..).and_then(value);
            let Some(value) = value.filter(|_| is_name(name)) else {
                continue;
            };
            let values = all.entry(name).or_default();
            if values.text.is_none() {
                values.text = skeleton.text_at(value).map(|(text, _)| text);
            }
            if values.code.len() < MAX_VALUES {
                values.code.push(value);
            } else {
                values.has_more = true;
            }
        }
        Self(all)
    }

    /// Returns the values of a name, which can have the `*` or `...` of an argument.
    pub(super) fn get(&self, name: &str) -> Option<&Values<'s>> {
        let name = name.trim().trim_start_matches('*');
        self.0.get(name.trim_start_matches("..."))
    }

    /// Returns the first text that a name is set to, if the text is short enough to be read by each call.
    pub(super) fn text(&self, name: &str) -> Option<&'s Text> {
        let text = self.get(name)?.text?;
        (text.value.len() <= MAX_TEXT).then_some(text)
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

fn is_name(name: &str) -> bool {
    !name.chars().all(|c| c.is_ascii_digit())
}

/// Returns the code after the `=` that follows a name: `url = "…"`, `url: str = "…"`, `url := "…"`.
fn value(after: &str) -> Option<&str> {
    let rest = after.trim_start();
    let rest = match rest.strip_prefix(':') {
        Some(rest) if !rest.starts_with('=') => {
            let end = rest.bytes().take(MAX_TYPE).position(|byte| byte == b'=')?;
            rest.get(end..)?
        }
        Some(rest) => rest,
        None => rest,
    };
    let value = rest.strip_prefix('=')?;
    (!value.starts_with('='))
        .then(|| value.trim_start_matches([' ', '\t', '(', '\n', 'r', 'f', 'b']))
}
