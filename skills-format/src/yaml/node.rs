//! The values of YAML, each with its place.

use crate::text::span::Span;
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// From the first to the last byte of the value, quotes included.
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
    /// How it was written.
    pub style: Style,
}

/// How a scalar is written.
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
    /// A mapping with no entry, at a place.
    pub fn empty_mapping(at: usize) -> Self {
        Self {
            span: Span::at(at),
            value: Value::Mapping(Vec::new()),
        }
    }

    /// The text of a scalar, as it was written between its quotes: `1.10` stays `1.10`.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key. Of a repeated key the last one, as most YAML readers have it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// A key and its value, by the key.
    pub fn entry(&self, key: &str) -> Option<(&Node, &Node)> {
        self.entries()
            .iter()
            .rev()
            .find(|(k, _)| k.as_str() == Some(key))
            .map(|(k, v)| (k, v))
    }

    /// Whether it is null: nothing, `~` or `null` in plain style.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.resolve() == Core::Null)
    }

    /// A truth value of YAML 1.2: `true` or `false`, in three spellings each.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Bool(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it is, for a message: `a list`.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => "empty",
                Core::Bool(_) => "a truth value",
                Core::Int(_) | Core::Float(_) => "a number",
                Core::Text => "text",
            },
        }
    }

    /// The value as JSON, scalars by YAML 1.2's core schema, keys in the order written.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What a scalar means by YAML 1.2's core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Core {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text,
}

impl Scalar {
    fn resolve(&self) -> Core {
        if self.style != Style::Plain {
            return Core::Text;
        }
        match self.text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => return Core::Null,
            "true" | "True" | "TRUE" => return Core::Bool(true),
            "false" | "False" | "FALSE" => return Core::Bool(false),
            _ => {}
        }
        if !self
            .text
            .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
        {
            return Core::Text;
        }
        self.integer()
            .map(Core::Int)
            .or_else(|| self.float().map(Core::Float))
            .unwrap_or(Core::Text)
    }

    fn integer(&self) -> Option<i128> {
        let text = &self.text;
        if let Some(octal) = text.strip_prefix("0o") {
            return digits(octal, |b| matches!(b, b'0'..=b'7'))
                .and_then(|d| i128::from_str_radix(d, 8).ok());
        }
        if let Some(hex) = text.strip_prefix("0x") {
            return digits(hex, u8::is_ascii_hexdigit)
                .and_then(|d| i128::from_str_radix(d, 16).ok());
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        digits(unsigned, u8::is_ascii_digit).and_then(|_| text.parse().ok())
    }

    /// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
    fn float(&self) -> Option<f64> {
        let unsigned = self.text.strip_prefix(['-', '+']).unwrap_or(&self.text);
        let (mantissa, exponent) = unsigned
            .split_once(['e', 'E'])
            .map_or((unsigned, None), |(m, e)| (m, Some(e)));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let exponent_is_right = exponent.is_none_or(|e| {
            digits(e.strip_prefix(['-', '+']).unwrap_or(e), u8::is_ascii_digit).is_some()
        });
        let right = all_digits(whole) && all_digits(part) && !(whole.is_empty() && part.is_empty());
        (right && exponent_is_right)
            .then(|| self.text.parse().ok())
            .flatten()
    }
}

fn digits(text: &str, is_digit: impl Fn(&u8) -> bool) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| is_digit(&b))).then_some(text)
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => serializer.serialize_unit(),
                Core::Bool(value) => serializer.serialize_bool(value),
                Core::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
                    (Ok(value), _) => serializer.serialize_i64(value),
                    (_, Ok(value)) => serializer.serialize_u64(value),
                    #[expect(clippy::cast_precision_loss, reason = "JSON has no larger integers")]
                    _ => serializer.serialize_f64(value as f64),
                },
                Core::Float(value) if value.is_finite() => serializer.serialize_f64(value),
                Core::Float(_) | Core::Text => serializer.serialize_str(&scalar.text),
            },
            Value::Sequence(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items
                    .iter()
                    .try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Value::Mapping(entries) => {
                let mut map = serializer.serialize_map(None)?;
                if has_few_different_keys(entries) {
                    for (key, value) in entries {
                        map.serialize_entry(key.as_str().unwrap_or_default(), value)?;
                    }
                    return map.end();
                }
                let last: BTreeMap<_, _> = entries
                    .iter()
                    .enumerate()
                    .map(|(i, (key, _))| (key_text(key), i))
                    .collect();
                for (i, (key, value)) in entries.iter().enumerate() {
                    let text = key_text(key);
                    if last.get(&text) == Some(&i) {
                        map.serialize_entry(text.as_ref(), value)?;
                    }
                }
                map.end()
            }
        }
    }
}

/// Whether all keys are texts, none of them stands twice, and they are few. Then no set of them is needed:
/// it would cost more than it saves.
pub(crate) fn has_few_different_keys(entries: &[(Node, Node)]) -> bool {
    const FEW: usize = 16;
    let stands_before = |at, key| {
        let before = entries.iter().take(at);
        before.into_iter().any(|(before, _)| before.as_str() == key)
    };
    let mut keys = entries.iter().map(|(key, _)| key.as_str()).enumerate();
    entries.len() <= FEW && keys.all(|(at, key)| key.is_some() && !stands_before(at, key))
}

/// A JSON key is text. A key of another kind is written as its JSON.
fn key_text(key: &Node) -> Cow<'_, str> {
    key.as_str()
        .map_or_else(|| key.to_json().into(), Into::into)
}
