//! A value as JSON, by YAML 1.2's core schema.

use crate::text::escape::push_json_text;
use crate::text::number::Number;
use crate::yaml::node::{Core, Node, Value, last_entries};

/// Writes a number into JSON. It is a function, not a variant of an enum: a program that writes numbers only as texts
/// does not link the printer of floats.
pub(crate) type WriteNumber = fn(&mut String, &str);

impl Node {
    /// Returns the value as JSON: scalars by YAML 1.2's core schema, keys in the order written.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        push_value(&mut json, self, number_as_value);
        json
    }
}

/// Writes a number as a JSON string of the written text: `1.10` is not `1.1`.
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

pub(crate) fn push_value(out: &mut String, node: &Node, number: WriteNumber) {
    match &node.value {
        Value::Scalar(scalar) => match scalar.resolve() {
            Core::Null => out.push_str("null"),
            Core::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Core::Number => number(out, &scalar.text),
            Core::Text => push_quoted(out, &scalar.text),
        },
        Value::Sequence(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_value(out, item, number);
            }
            out.push(']');
        }
        Value::Mapping(entries) => {
            push_mapping(out, entries, &mut |out, _, value| {
                push_value(out, value, number);
            });
        }
    }
}

/// Writes a mapping, each value by `push`. Of a repeated key, the last entry counts.
pub(crate) fn push_mapping(
    out: &mut String,
    entries: &[(Node, Node)],
    push: &mut dyn FnMut(&mut String, &str, &Node),
) {
    out.push('{');
    for (index, (key, value)) in last_entries(entries).into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_quoted(out, key);
        out.push(':');
        push(out, key, value);
    }
    out.push('}');
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

    fn node(text: &str) -> Node {
        yaml::parse(text).expect(text).expect(text)
    }

    #[test]
    fn numbers_are_texts_or_values() {
        let node = node(
            "{a: 1.10, 'b\"1': [007, '8', true], c: {d: 0x1F}, e: -.5, f: ~, g: 1e3, a: 2.50}",
        );
        let mut texts = String::new();
        push_value(&mut texts, &node, number_as_text);
        assert_eq!(
            texts,
            r#"{"b\"1":["007","8",true],"c":{"d":"0x1F"},"e":"-.5","f":null,"g":"1e3","a":"2.50"}"#
        );
        assert_eq!(
            node.to_json(),
            r#"{"b\"1":[7,"8",true],"c":{"d":31},"e":-0.5,"f":null,"g":1000.0,"a":2.5}"#
        );
    }
}
