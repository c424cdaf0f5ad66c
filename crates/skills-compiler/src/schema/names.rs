//! The names of typed arguments that cannot be Rust's.

use crate::schema::{field, variant};
use skills_arguments::Kind;
use skills_arguments::Schema;
use skills_format::text::map::TextMap;
use skills_format::yaml::json;
use skills_format::yaml::node::{Node, Value};
use skills_format::{Span, Text};

/// A name of a schema that cannot be Rust's, or that is the same in Rust as another.
pub(crate) struct NameFault {
    pub(crate) message: String,
    pub(crate) help: String,
    /// The argument.
    argument: String,
    /// The listed value of the argument; `None` for the name of the argument.
    value: Option<String>,
}

impl NameFault {
    /// Returns the place in the file: of the value, else of the argument's name.
    pub(crate) fn place(&self, file: &[u8]) -> Option<Span> {
        let root = json::parse(std::str::from_utf8(file).ok()?).ok()?;
        let (name, property) = root.get("properties")?.entry(&self.argument)?;
        let owner = property.get("items").unwrap_or(property);
        let listed = match owner.get("enum").map(|list| &list.value) {
            Some(Value::Sequence(values)) => values.as_slice(),
            _ => &[],
        };
        let is_value =
            |node: &&Node| node.as_str().is_some() && node.as_str() == self.value.as_deref();
        let value = listed.iter().find(is_value);
        Some(value.unwrap_or(name).span)
    }
}

/// Returns the names that cannot be Rust's, or that are the same in Rust, each with the reason.
pub(crate) fn faults(schema: &Schema) -> Vec<NameFault> {
    let mut faults = Vec::new();
    let mut types = TextMap::from_iter([("Arguments", "the struct of all arguments")]);
    for argument in schema.arguments.iter() {
        let name = &argument.name;
        let fault = |value: Option<&Text>, message: String, what: &str| NameFault {
            message,
            help: format!("rename {what}, or use the value form: include_skills!(\"…\")"),
            argument: name.to_string(),
            value: value.map(ToString::to_string),
        };
        if field(argument).is_none() {
            let message = format!("the argument `{name}` cannot be a field in Rust");
            faults.push(fault(None, message, "the argument"));
        }
        let Kind::Choice { values, .. } = &argument.kind else {
            continue;
        };
        match variant(name).map(|name| name.to_string()) {
            None => {
                let message = format!("the argument `{name}` cannot be a type in Rust");
                faults.push(fault(None, message, "the argument"));
            }
            Some(made) => {
                if let Some(other) = types.insert(made.clone(), name) {
                    let message = format!("`{name}` gives the type `{made}`, as {other} does");
                    faults.push(fault(None, message, "the argument"));
                }
            }
        }
        let mut known: TextMap<'_, &str> = TextMap::default();
        for value in values.iter() {
            match variant(value).map(|value| value.to_string()) {
                None => {
                    let what = if value.is_empty() {
                        "the empty value".to_owned()
                    } else {
                        format!("the value `{value}`")
                    };
                    let message = format!("{what} of `{name}` cannot be a variant in Rust");
                    faults.push(fault(Some(value), message, "the value"));
                }
                Some(made) => {
                    if let Some(other) = known.insert(made.clone(), value) {
                        let message = format!(
                            "the values `{other}` and `{value}` of `{name}` both give the variant `{made}`"
                        );
                        faults.push(fault(Some(value), message, "one of the two values"));
                    }
                }
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::schema;
    use skills_arguments::SchemaFile;

    #[test]
    fn names_that_rust_cannot_have() {
        let told = |properties: &str| {
            let found = faults(&schema(properties)).into_iter();
            found.map(|fault| fault.message).collect::<Vec<_>>()
        };
        assert_eq!(
            told(r#"{"type": {"enum": ["a", "b c"]}, "n": {"type": "integer"}}"#),
            [""; 0]
        );
        assert_eq!(
            told(
                r#"{"self": {"type": "string"}, "arguments": {"enum": ["a-b", "a b", "?", ""]}, "ab": {"enum": ["x"]}, "aB": {"type": "string"}}"#
            ),
            [
                "the argument `self` cannot be a field in Rust",
                "`arguments` gives the type `Arguments`, as the struct of all arguments does",
                "the values `a-b` and `a b` of `arguments` both give the variant `AB`",
                "the value `?` of `arguments` cannot be a variant in Rust",
                "the empty value of `arguments` cannot be a variant in Rust",
            ]
        );
    }

    #[test]
    fn a_value_has_a_place() {
        let file = r#"{"type": "object", "properties": {"a": {"enum": ["b c", "b-c"]}, "self": {"type": "string"}}}"#;
        let schema = SchemaFile::read(file.as_bytes()).schema;
        let faults = faults(&schema).into_iter();
        let places = faults.map(|fault| {
            let place = fault.place(file.as_bytes());
            place.expect("a place").of(file).to_owned()
        });
        assert_eq!(places.collect::<Vec<_>>(), [r#""b-c""#, r#""self""#]);
    }
}
