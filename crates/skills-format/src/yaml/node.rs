//! The values of YAML, each with its bytes.

use crate::text::number::Number;
use crate::text::span::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bytes of the value, quotes included.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, written in one of five styles.
    Scalar(Scalar),
    /// `- a` lines or `[a, b]`.
    Sequence(Vec<Node>),
    /// `key: value` lines or `{key: value}`, in the order written, repeated keys included.
    Mapping(Vec<(Node, Node)>),
}

/// A value that is one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after quotes, escapes and folds are resolved.
    pub text: String,
    /// The style in which the scalar is written.
    pub style: Style,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes. Only plain text can mean a number, a truth value or null.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl Node {
    /// Creates an empty mapping at an offset.
    pub fn empty_mapping(at: usize) -> Self {
        Self {
            span: Span::at(at),
            value: Value::Mapping(Vec::new()),
        }
    }

    /// Returns the text of a scalar, with its escapes resolved. A number stays as it is written: `1.10`. Returns
    /// `None` for a list or a mapping.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of a mapping, or nothing for any other value.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the value of a key. Of a repeated key, the last value counts, as in most YAML readers.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Returns a key and its value, by the key. Of a repeated key, the last entry counts.
    pub fn entry(&self, key: &str) -> Option<(&Node, &Node)> {
        self.entries()
            .iter()
            .rev()
            .find(|(k, _)| k.as_str() == Some(key))
            .map(|(k, v)| (k, v))
    }

    /// Returns whether the value is null: empty, `~` or `null` in plain style.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.resolve() == Core::Null)
    }

    /// Returns a truth value of YAML 1.2: `true` or `false`, in three spellings each.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Bool(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the kind of the value for a message: `a list`.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => "empty",
                Core::Bool(_) => "a truth value",
                Core::Number => "a number",
                Core::Text => "text",
            },
        }
    }
}

/// The meaning of a scalar by YAML 1.2's core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Core {
    Null,
    Bool(bool),
    Number,
    Text,
}

impl Scalar {
    pub(crate) fn resolve(&self) -> Core {
        if self.style != Style::Plain {
            return Core::Text;
        }
        match self.text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => return Core::Null,
            "true" | "True" | "TRUE" => return Core::Bool(true),
            "false" | "False" | "FALSE" => return Core::Bool(false),
            _ => {}
        }
        Number::read(&self.text).map_or(Core::Text, |_| Core::Number)
    }
}

/// Returns the entries of a mapping by their keys, which the parsers accept only as scalars. Of equal keys, only the
/// last entry is returned.
pub(crate) fn last_entries(entries: &[(Node, Node)]) -> Vec<(&str, &Node)> {
    if has_few_different_keys(entries) {
        let entries = entries.iter();
        return entries
            .filter_map(|(key, value)| Some((key.as_str()?, value)))
            .collect();
    }
    let places = entries.iter().enumerate().rev();
    let mut last: Vec<(usize, &str, &Node)> = places
        .filter_map(|(place, (key, value))| Some((place, key.as_str()?, value)))
        .collect();
    last.sort_by_key(|(_, key, _)| *key);
    last.dedup_by(|before, kept| before.1 == kept.1);
    last.sort_by_key(|(place, ..)| *place);
    last.into_iter()
        .map(|(_, key, value)| (key, value))
        .collect()
}

/// Returns whether a mapping has few entries, all keys are texts, and no key is repeated. The pairwise comparison of
/// few keys is cheaper than a sort.
pub(crate) fn has_few_different_keys(entries: &[(Node, Node)]) -> bool {
    const FEW: usize = 16;
    let stands_before = |at, key| {
        let before = entries.iter().take(at);
        before.into_iter().any(|(before, _)| before.as_str() == key)
    };
    let mut keys = entries.iter().map(|(key, _)| key.as_str()).enumerate();
    entries.len() <= FEW && keys.all(|(at, key)| key.is_some() && !stands_before(at, key))
}
