//! The names of typed arguments that cannot be Rust's.

use crate::schema::{Argument, Kind, Schema};
use proc_macro2::{Ident, TokenStream, TokenTree};
use skills_format::yaml::json;
use skills_format::yaml::node::{Node, Value};
use skills_format::{Span, Text};
use std::collections::BTreeMap;

/// A name of a schema that cannot be Rust's, or that is the same in Rust as another.
pub struct NameFault {
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The argument.
    argument: String,
    /// The listed value of the argument; `None` for the name of the argument.
    value: Option<String>,
}

impl NameFault {
    /// Returns the place in the file: of the value, else of the argument's name.
    pub fn place(&self, file: &[u8]) -> Option<Span> {
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
pub fn faults(schema: &Schema) -> Vec<NameFault> {
    let mut faults = Vec::new();
    let mut types = BTreeMap::from([("Arguments".to_owned(), "the struct of all arguments")]);
    for argument in schema.arguments.iter() {
        let name = &argument.name;
        let mut fault = |value: Option<&Text>, what: &str, message: String| {
            faults.push(NameFault {
                message,
                help: format!("rename {what}, or use the value form: include_skills!(\"…\")"),
                argument: name.to_string(),
                value: value.map(ToString::to_string),
            });
        };
        if field(argument).is_none() {
            let message = format!("the argument `{name}` cannot be a field in Rust");
            fault(None, "the argument", message);
        }
        let Kind::Choice { values, .. } = &argument.kind else {
            continue;
        };
        let made = variant(name).map(|name| name.to_string());
        let message = match &made {
            None => Some(format!("the argument `{name}` cannot be a type in Rust")),
            Some(made) => types
                .insert(made.clone(), name)
                .map(|other| format!("`{name}` gives the type `{made}`, as {other} does")),
        };
        if let Some(message) = message {
            fault(None, "the argument", message);
        }
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for value in values.iter() {
            let Some(made) = variant(value) else {
                let what = match &**value {
                    "" => "the empty value".to_owned(),
                    value => format!("the value `{value}`"),
                };
                let message = format!("{what} of `{name}` cannot be a variant in Rust");
                fault(Some(value), "the value", message);
                continue;
            };
            if let Some(other) = known.insert(made.to_string(), value) {
                let message = format!(
                    "the values `{other}` and `{value}` of `{name}` both give the variant `{made}`"
                );
                fault(Some(value), "one of the two values", message);
            }
        }
    }
    faults
}

pub(super) fn field(argument: &Argument) -> Option<Ident> {
    identifier(&argument.name.replace('-', "_"))
}

/// The keywords of Rust in small letters, the reserved ones too. The first three cannot be raw identifiers.
const KEYWORDS: &str = " self super crate as async await break const continue dyn else enum extern false fn for if impl \
in let loop match mod move mut pub ref return static struct trait true type unsafe use where while abstract become box do \
final gen macro override priv try typeof unsized virtual yield ";

/// Makes an identifier; of a keyword, the raw one. `self`, `super` and `crate` cannot be raw.
pub(super) fn identifier(name: &str) -> Option<Ident> {
    match KEYWORDS.find(&format!(" {name} ")) {
        None => token(name),
        Some(place) if place > " self super".len() => {
            Some(Ident::new_raw(name, proc_macro2::Span::call_site()))
        }
        Some(_) => None,
    }
}

/// Returns the identifier that a text is.
fn token(text: &str) -> Option<Ident> {
    let mut tokens = text.parse::<TokenStream>().ok()?.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(ident)), None) if ident == text => Some(ident),
        _ => None,
    }
}

/// Makes the name of a type or a variant: `PreProduction`, `_1`.
pub(super) fn variant(text: &str) -> Option<Ident> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let name: String = words
        .flat_map(|word| {
            let mut chars = word.chars();
            let first = chars.next().into_iter().flat_map(char::to_uppercase);
            first.collect::<Vec<_>>().into_iter().chain(chars)
        })
        .collect();
    // `Self` is the only keyword with a capital letter.
    let named = token(&name).filter(|name| name != "Self");
    named.or_else(|| token(&format!("_{name}")).filter(|name| name != "_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::tests::schema;
    use crate::schema::SchemaFile;

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
