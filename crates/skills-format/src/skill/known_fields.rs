//! The known fields of front matter.

use crate::text::appearance::seen;
use crate::text::distance;
use crate::yaml::node::{Node, Value};
use std::sync::LazyLock;

/// The required kind of a known field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// One text.
    Text,
    /// `true` or `false`.
    Bool,
    /// Words in one text, or a list of strings.
    Words,
    /// A mapping of keys.
    Mapping,
    /// Any value, kept as it is.
    Any,
}

/// A known field.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Known {
    /// The key in the front matter.
    pub key: &'static str,
    /// The kind of the value.
    pub kind: FieldKind,
}

const fn known(key: &'static str, kind: FieldKind) -> Known {
    Known { key, kind }
}

/// The known fields: the fields of the specification first, then fields in wide use beyond it.
pub const FIELDS: &[Known] = &[
    known("name", FieldKind::Text),
    known("description", FieldKind::Text),
    known("license", FieldKind::Text),
    known("compatibility", FieldKind::Text),
    known("metadata", FieldKind::Mapping),
    known("allowed-tools", FieldKind::Words),
    known("disallowed-tools", FieldKind::Words),
    known("user-invocable", FieldKind::Bool),
    known("disable-model-invocation", FieldKind::Bool),
    known("argument-hint", FieldKind::Any),
    known("arguments", FieldKind::Words),
    known("command-dispatch", FieldKind::Text),
    known("command-tool", FieldKind::Text),
    known("command-arg-mode", FieldKind::Text),
    known("version", FieldKind::Any),
    known("model", FieldKind::Any),
    known("context", FieldKind::Any),
    known("agent", FieldKind::Any),
    known("hooks", FieldKind::Any),
    known("paths", FieldKind::Any),
    known("when-to-use", FieldKind::Any),
    known("when_to_use", FieldKind::Any),
    known("homepage", FieldKind::Any),
    known("author", FieldKind::Any),
    known("tags", FieldKind::Any),
    known("origin", FieldKind::Any),
    known("triggers", FieldKind::Any),
    known("category", FieldKind::Any),
    known("globs", FieldKind::Any),
    known("requires", FieldKind::Any),
    known("dependencies", FieldKind::Any),
    known("emoji", FieldKind::Any),
];

impl FieldKind {
    /// Returns the expected kind and the text to write, if a value is of another kind.
    pub fn mismatch(self, value: &Node) -> Option<(&'static str, &'static str)> {
        match (self, &value.value) {
            (Self::Text, Value::Sequence(_) | Value::Mapping(_)) => Some((
                "a string",
                "write a text; put it in quotes if it begins with a bracket",
            )),
            (Self::Bool, _) if value.as_bool().is_none() => Some((
                "`true` or `false`",
                "write `true` or `false`, without quotes",
            )),
            (Self::Mapping, Value::Scalar(_) | Value::Sequence(_)) => {
                Some(("a mapping", "write `key: value` lines below it, indented"))
            }
            (Self::Words, Value::Mapping(_)) => {
                Some(("a string", "write words separated by spaces"))
            }
            (Self::Words, Value::Sequence(items))
                if items.iter().any(|item| item.as_str().is_none()) =>
            {
                Some(("a list of strings", "write words separated by spaces"))
            }
            _ => None,
        }
    }
}

/// Returns the known field that a key looks like, if the key is written with other characters: hidden
/// characters, other hyphens, letters of other scripts.
pub fn disguised(written: &str) -> Option<&'static str> {
    let seen = seen(written);
    if seen == written {
        return None;
    }
    let mut known = FIELDS.iter().map(|known| known.key);
    known.find(|key| *key == seen)
}

/// Fields that other clients read. They resemble known fields, and are not misspelt.
const OTHERS: [&str; 8] = [
    "agents", "argument", "authors", "contexts", "models", "path", "tag", "trigger",
];

/// Returns the known field that an unknown field resembles.
pub fn meant(written: &str) -> Option<&'static str> {
    let known = || FIELDS.iter().map(|known| known.key);
    if known().any(|key| key == written) || OTHERS.contains(&written) {
        return None;
    }
    let seen = seen(written);
    let written = seen.as_ref();
    if let Some(key) = known().find(|key| *key == written) {
        return Some(key);
    }
    let folded = fold(written);
    if let Some((key, _)) = FOLDED.iter().find(|(_, known)| *known == folded) {
        return Some(key);
    }
    // In a short word, two edits make another word.
    let limit = (written.chars().count() / 3).min(2);
    FOLDED
        .iter()
        .filter(|(key, _)| key.len().abs_diff(written.len()) <= limit)
        .filter_map(|(key, known)| Some((distance::of_words(&folded, known, limit)?, key)))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, key)| *key)
}

/// The known fields, each with its folded key: front matter can have thousands of keys to compare.
static FOLDED: LazyLock<Vec<(&str, String)>> =
    LazyLock::new(|| FIELDS.iter().map(|it| (it.key, fold(it.key))).collect());

/// Returns whether a key is a known field, in any case and with any of `-`, `_` and nothing between its words.
pub(crate) fn is_spelling(key: &str) -> bool {
    let folded = fold(key);
    FOLDED.iter().any(|(_, known)| *known == folded)
}

/// Folds a key for comparison: lower case, without `-` and `_`.
pub fn fold(key: &str) -> String {
    key.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the value of a field. If the field's own key is missing, a key with `_` in place of `-` counts:
/// many clients read both.
pub fn value<'n>(front_matter: &'n Node, field: &str) -> Option<&'n Node> {
    let with_underscores = || {
        let mut entries = front_matter.entries().iter().rev();
        let is_it = |key: &Node| key.as_str().is_some_and(|key| has_underscores(key, field));
        entries.find(|(key, _)| is_it(key)).map(|(_, value)| value)
    };
    front_matter.get(field).or_else(with_underscores)
}

/// Returns whether a key is the field with `_` in place of `-`.
fn has_underscores(key: &str, field: &str) -> bool {
    let underscored = |byte| if byte == b'-' { b'_' } else { byte };
    key.len() == field.len() && key.bytes().eq(field.bytes().map(underscored))
}

/// Returns whether a line begins with a known field and its colon.
pub fn begins_field(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| FIELDS.iter().any(|known| known.key == key))
}
