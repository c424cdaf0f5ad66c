//! The values of YAML 1.2's core schema, without their places.

use crate::text::escape::push_json_text;
use crate::text::number::Number;
use crate::yaml::node::{Core, Node, Value, last_entries};

/// A value without its place. A number is kept as it is written: `1.10` is not `1.1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Null,
    Bool(bool),
    Number(Box<str>),
    Text(Box<str>),
    /// A text that the owner of the tree keeps elsewhere.
    Elsewhere,
    List(Box<[Data]>),
    /// Keys in the order written. No key is repeated.
    Mapping(Box<[(Box<str>, Data)]>),
}

/// Writes a number into JSON. It is a function, not a variant of an enum: a program that writes numbers only as texts
/// does not link the printer of floats.
pub(crate) type WriteNumber = fn(&mut String, &str);

impl Data {
    /// Reads a node. Of a repeated key, the last entry counts.
    pub(crate) fn of(node: &Node) -> Self {
        match &node.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => Self::Null,
                Core::Bool(value) => Self::Bool(value),
                Core::Number => Self::Number(scalar.text.as_str().into()),
                Core::Text => Self::Text(scalar.text.as_str().into()),
            },
            Value::Sequence(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Mapping(entries) => Self::Mapping(
                last_entries(entries)
                    .into_iter()
                    .map(|(key, value)| (key.into(), Self::of(value)))
                    .collect(),
            ),
        }
    }

    /// Returns whether the value is a number, or holds a number.
    pub(crate) fn has_number(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::List(items) => items.iter().any(Self::has_number),
            Self::Mapping(entries) => entries.iter().any(|(_, value)| value.has_number()),
            Self::Null | Self::Bool(_) | Self::Text(_) | Self::Elsewhere => false,
        }
    }

    /// Writes the value as JSON. Returns the offset of the text that is kept elsewhere, between its quotes.
    pub(crate) fn to_json(&self, number: WriteNumber) -> (String, Option<usize>) {
        let mut json = JsonWriter {
            out: String::new(),
            number,
            elsewhere: None,
        };
        json.push(self);
        (json.out, json.elsewhere)
    }
}

impl Node {
    /// Returns the value as JSON: scalars by YAML 1.2's core schema, keys in the order written.
    pub fn to_json(&self) -> String {
        Data::of(self).to_json(number_as_value).0
    }
}

/// Writes a number as a JSON string of the written text.
pub(crate) fn number_as_text(out: &mut String, written: &str) {
    push_quoted(out, written);
}

/// Writes a number as a JSON number.
pub(crate) fn number_as_value(out: &mut String, written: &str) {
    match Number::read(written) {
        Some(number) => out.push_str(&number.to_json()),
        None => push_quoted(out, written),
    }
}

struct JsonWriter {
    out: String,
    number: WriteNumber,
    elsewhere: Option<usize>,
}

impl JsonWriter {
    fn push(&mut self, value: &Data) {
        match value {
            Data::Null => self.out.push_str("null"),
            Data::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Data::Number(written) => (self.number)(&mut self.out, written),
            Data::Text(text) => push_quoted(&mut self.out, text),
            Data::Elsewhere => {
                self.elsewhere = Some(self.out.len() + 1);
                self.out.push_str("\"\"");
            }
            Data::List(items) => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.push_comma(index);
                    self.push(item);
                }
                self.out.push(']');
            }
            Data::Mapping(entries) => {
                self.out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    self.push_comma(index);
                    push_quoted(&mut self.out, key);
                    self.out.push(':');
                    self.push(value);
                }
                self.out.push('}');
            }
        }
    }

    fn push_comma(&mut self, index: usize) {
        if index > 0 {
            self.out.push(',');
        }
    }
}

fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    push_json_text(out, text);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn data(text: &str) -> Data {
        Data::of(&yaml::parse(text).expect(text).expect(text))
    }

    #[test]
    fn numbers_are_texts_or_values() {
        let data = data(
            "{a: 1.10, 'b\"1': [007, '8', true], c: {d: 0x1F}, e: -.5, f: ~, g: 1e3, a: 2.50}",
        );
        assert_eq!(
            data.to_json(number_as_text).0,
            r#"{"b\"1":["007","8",true],"c":{"d":"0x1F"},"e":"-.5","f":null,"g":"1e3","a":"2.50"}"#
        );
        assert_eq!(
            data.to_json(number_as_value).0,
            r#"{"b\"1":[7,"8",true],"c":{"d":31},"e":-0.5,"f":null,"g":1000.0,"a":2.5}"#
        );
    }

    #[test]
    fn numbers_are_found_at_any_depth() {
        for (text, expected) in [
            ("1", true),
            ("[a, [1]]", true),
            ("{a: {b: 1.5}}", true),
            ("['1', {a: true}, ~]", false),
        ] {
            assert_eq!(data(text).has_number(), expected, "{text}");
        }
    }
}
