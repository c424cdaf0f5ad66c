//! The arguments that a skill declares, and the words after `$` in its body.

use crate::view::skill::SkillView;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};

/// An argument of the field `arguments`.
pub(in crate::rules) struct Declared<'v> {
    pub(in crate::rules) name: &'v str,
    pub(in crate::rules) span: Span,
}

impl Declared<'_> {
    /// Returns whether `$` and the name can be a placeholder: the name begins with a letter, holds no space, and is not
    /// the name of all arguments.
    pub(in crate::rules) fn is_usable(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        self.name
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
            && self.name.chars().all(is_part)
            && self.name != "ARGUMENTS"
    }
}

/// Returns the declared arguments.
pub(in crate::rules) fn declared<'v>(view: &'v SkillView<'_>) -> Vec<Declared<'v>> {
    let Some((_, value)) = view
        .field("arguments")
        .filter(|(_, value)| !value.is_null())
    else {
        return Vec::new();
    };
    let of = |node: &'v Node, name: &'v str| Declared {
        name: name.strip_prefix('$').unwrap_or(name),
        span: node.span,
    };
    match &value.value {
        Value::Sequence(items) => {
            let items = items.iter();
            items
                .filter_map(|item| Some(of(item, item.as_str()?.trim())))
                .collect()
        }
        Value::Scalar(scalar) => {
            let words = scalar.text.split_whitespace();
            words.map(|word| of(value, word)).collect()
        }
        Value::Mapping(_) => Vec::new(),
    }
}

/// Returns the words after a `$` in the body, each with its place. A word has letters, digits, `_` and hyphens inside.
pub(in crate::rules) fn words<'v>(view: &'v SkillView<'_>) -> Vec<(&'v str, Span)> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    words_in(document.text, document.body, is_part)
}

/// Returns the words after a `$` in a part of a text, each with its place. A hyphen never ends a word.
pub(in crate::rules) fn words_in(
    text: &str,
    part: Span,
    is_part: impl Fn(char) -> bool,
) -> Vec<(&str, Span)> {
    let part_text = part.of(text);
    let mut found = Vec::new();
    for at in memchr::memchr_iter(b'$', part_text.as_bytes()) {
        let rest = part_text.get(at + 1..).unwrap_or_default();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default().trim_end_matches('-');
        let before = part_text.get(..at);
        let is_escaped = before.is_some_and(|before| before.ends_with('\\'));
        if !word.is_empty() && !is_escaped {
            let start = part.start + at;
            found.push((word, Span::new(start, start + 1 + word.len())));
        }
    }
    found
}

/// Returns whether a word after `$` begins with a name: `$issue-list` holds `$issue`.
pub(in crate::rules) fn begins_with(word: &str, name: &str) -> bool {
    word.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
