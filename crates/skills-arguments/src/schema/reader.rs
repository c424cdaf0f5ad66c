//! Reads `arguments.schema.json`, strictly and with places.

use crate::schema::{Argument, Kind, MAX_ARGUMENTS, Schema, SchemaFault, is_same_name};
use skills_format::MAX_ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::Text;
use skills_format::text::distance::nearest;
use skills_format::text::span::Span;
use skills_format::yaml::json;
use skills_format::yaml::node::{Node, Style, Value};

/// An `arguments.schema.json`, as far as it can be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SchemaFile {
    /// The arguments that could be read, in the order of the properties. Complete if there are no faults.
    pub schema: Schema,
    /// The places of the names of these arguments.
    pub places: Vec<Span>,
    /// The faults, in the order of the file.
    pub faults: Vec<SchemaFault>,
    /// The names of properties that are no arguments, since they have a fault.
    unread: Vec<String>,
    /// There can be properties whose names are not known.
    has_lost_names: bool,
    /// There are more properties than arguments can be.
    is_full: bool,
}

/// The keys of the schema, and of a property.
const KEYS: [&str; 7] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "title",
    "$schema",
];
pub(super) const PROPERTY: [&str; 11] = [
    "type",
    "enum",
    "const",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "items",
    "description",
    "title",
];
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl SchemaFile {
    /// Reads the file: a JSON Schema (2020-12) of an object whose properties are texts, numbers, booleans, or
    /// lists of these.
    ///
    /// ```
    /// use skills_arguments::SchemaFile;
    ///
    /// let file = SchemaFile::read(br#"{"type": "object", "properties": {"port": {"type": "integer", "pattern": "8*"}}}"#);
    /// assert_eq!(file.faults[0].message, "`pattern` is not read here");
    /// assert_eq!(file.schema.arguments[0].name, "port");
    /// ```
    ///
    /// # Cost
    ///
    /// Linear in the file, of which at most [`MAX_ARGUMENTS_FILE`] bytes are read.
    pub fn read(bytes: &[u8]) -> Self {
        if bytes.len() as u64 > MAX_ARGUMENTS_FILE {
            return Self::too_large(bytes.len() as u64);
        }
        let mut file = Self::new();
        match std::str::from_utf8(bytes).map(json::parse) {
            Err(_) => return Self::unreadable("the file is not UTF-8"),
            Ok(Err(error)) => file.lost(
                Span::at(error.offset),
                format!("the file is not JSON: {}", error.message),
                "write JSON: double quotes, no comments, no comma before a closing bracket",
            ),
            Ok(Ok(root)) => file.root(&root),
        }
        file.faults
            .sort_by_key(|fault| fault.span.map_or(0, |span| span.start));
        file
    }

    /// Returns whether a word can name a property that could not be read. The fault of the property is reported, so the
    /// word is not unknown.
    pub fn can_name(&self, word: &str) -> bool {
        self.has_lost_names || is_one_of(word, &self.unread)
    }

    /// Creates the result of a file that exists and cannot be read.
    pub fn unreadable(why: &str) -> Self {
        Self {
            faults: vec![SchemaFault {
                span: None,
                message: why.to_owned(),
                help: format!(
                    "write a schema of at most {MAX_ARGUMENTS_FILE} bytes, or remove the file"
                ),
                rule: RuleId::SchemaForm,
            }],
            has_lost_names: true,
            ..Self::new()
        }
    }

    /// Creates the result of a file with more than [`MAX_ARGUMENTS_FILE`] bytes.
    pub fn too_large(bytes: u64) -> Self {
        Self::unreadable(&format!(
            "the file has {bytes} bytes; the maximum is {MAX_ARGUMENTS_FILE}"
        ))
    }

    fn new() -> Self {
        Self {
            schema: Schema {
                arguments: Vec::new().into(),
                by_position: false,
            },
            places: Vec::new(),
            faults: Vec::new(),
            unread: Vec::new(),
            has_lost_names: false,
            is_full: false,
        }
    }

    /// Reports a fault that hides the name of at least one property.
    fn lost(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.has_lost_names = true;
        self.fault(span, message, help);
    }

    /// Reports a fault of a property that becomes no argument.
    fn no_argument(&mut self, name: &str, span: Span, message: String, help: &str) {
        self.unread.push(name.to_owned());
        self.fault(span, message, help);
    }

    pub(super) fn fault(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.faults.push(SchemaFault {
            span: Some(span),
            message: message.into(),
            help: help.into(),
            rule: RuleId::SchemaForm,
        });
    }

    fn root(&mut self, root: &Node) {
        if !matches!(root.value, Value::Mapping(_)) {
            let what = format!("the file is {}, not an object", root.kind());
            let help = "write `{\"type\": \"object\", \"properties\": {…}}`";
            return self.lost(root.span, what, help);
        }
        self.known(root, &KEYS, "a schema of arguments has");
        for key in ["title", "description"] {
            self.text(root, key);
        }
        if let Some(dialect) = root.get("$schema")
            && dialect.as_str().map(|text| text.trim_end_matches('#')) != Some(DIALECT)
        {
            let help = format!("write `\"{DIALECT}\"`");
            self.fault(dialect.span, "only JSON Schema 2020-12 is read", help);
        }
        match root.entry("type") {
            Some((_, node)) if text_of(node) == Some("object") => {}
            Some((_, node)) => self.fault(node.span, "the schema is not of an object", OBJECT),
            // The misspelt key has its own fault.
            None if has_misspelt(root, &KEYS, "type") => {}
            None => self.fault(first(root), "the schema has no `type`", OBJECT),
        }
        if let Some(more) = root.get("additionalProperties")
            && more.as_bool() != Some(false)
        {
            let help = "write `\"additionalProperties\": false`, or remove the key";
            self.fault(
                more.span,
                "arguments beside the properties cannot be allowed",
                help,
            );
        }
        match root.get("properties") {
            Some(Node {
                value: Value::Mapping(entries),
                ..
            }) if !entries.is_empty() => {
                for (name, value) in entries {
                    self.property(name, value);
                }
            }
            Some(node) => self.lost(node.span, "the schema has no properties", PROPERTIES),
            None if has_misspelt(root, &KEYS, "properties") => self.has_lost_names = true,
            None => self.lost(first(root), "the schema has no `properties`", PROPERTIES),
        }
        self.required(root);
    }

    /// Reports keys that are not read, and repeated keys. `has` begins the help.
    pub(super) fn known(&mut self, object: &Node, known: &[&str], has: &str) {
        for (place, (key, _)) in object.entries().iter().enumerate() {
            let name = key.as_str().unwrap_or_default();
            let before = object.entries().iter().take(place);
            if !known.contains(&name) {
                let help = match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("remove it: {has} `{}`", known.join("`, `")),
                };
                self.fault(key.span, format!("`{name}` is not read here"), help);
            } else if before
                .into_iter()
                .any(|(other, _)| other.as_str() == Some(name))
            {
                self.repeated(key, name);
            }
        }
    }

    fn repeated(&mut self, key: &Node, name: &str) {
        let what = format!("`{name}` stands twice");
        self.fault(key.span, what, "remove one of the two");
    }

    /// Returns the text of a key.
    pub(super) fn text<'n>(&mut self, object: &'n Node, key: &str) -> Option<&'n str> {
        let node = object.get(key)?;
        let text = text_of(node);
        if text.is_none() {
            let what = format!("`{key}` is {}, not text", node.kind());
            self.fault(node.span, what, "write text in double quotes");
        }
        text
    }

    fn property(&mut self, key: &Node, value: &Node) {
        let name = key.as_str().unwrap_or_default();
        let known = self
            .schema
            .arguments
            .iter()
            .find(|one| is_same_name(&one.name, name));
        if let Some(known) = known {
            if known.name == name {
                return self.repeated(key, name);
            }
            let what = format!("`{name}` and `{}` are the same argument", known.name);
            let help = "rename one: `-` and `_` are the same in a name";
            return self.no_argument(name, key.span, what, help);
        }
        if !is_name(name) {
            let what = format!("`{name}` cannot be the name of an argument");
            return self.no_argument(name, key.span, what, NAME);
        }
        if self.schema.arguments.len() == MAX_ARGUMENTS {
            // Each further property has the same cause.
            if !std::mem::replace(&mut self.is_full, true) {
                let what = format!("the schema has more than {MAX_ARGUMENTS} properties");
                self.lost(key.span, what, "ask for fewer arguments");
            }
            return;
        }
        if !matches!(value.value, Value::Mapping(_)) {
            let what = format!("`{name}` is {}, not an object", value.kind());
            let help = "write `{\"type\": \"string\"}`";
            return self.no_argument(name, value.span, what, help);
        }
        // The other keywords of an unknown type, such as the `properties` of an object, follow from the type.
        if value.get("type").is_none_or(is_type) {
            self.known(value, &PROPERTY, "a property has");
        }
        let description = self.text(value, "description").unwrap_or_default();
        self.text(value, "title");
        let is_list = value.get("type").and_then(text_of) == Some("array");
        let kind = if is_list {
            self.items(value)
        } else {
            self.kind(value)
        };
        // A type that could not be read is reported, and the name is known all the same.
        let is_read = kind.is_some();
        let mut argument = Argument {
            name: Text::Owned(name.to_owned()),
            description: Text::Owned(description.to_owned()),
            kind: kind.unwrap_or(Kind::TEXT),
            is_list,
            is_required: false,
            default: None,
        };
        if let Some(default) = value.get("default").filter(|_| is_read) {
            argument.default = self.default_of(&argument, default);
        }
        self.schema.arguments.to_mut().push(argument);
        self.places.push(key.span);
    }

    fn required(&mut self, root: &Node) {
        let Some(required) = root.get("required") else {
            return;
        };
        let Value::Sequence(names) = &required.value else {
            let what = format!("`required` is {}, not a list", required.kind());
            let help = "write the names of properties: `[\"a\"]`";
            return self.fault(required.span, what, help);
        };
        for node in names {
            let name = text_of(node).unwrap_or_default();
            let mut arguments = self.schema.arguments.to_mut().iter_mut();
            match arguments.find(|argument| argument.name == name) {
                Some(argument) => argument.is_required = true,
                // A property that is reported already is not reported again.
                None if self.has_lost_names || is_one_of(name, &self.unread) => {}
                None => {
                    let near = nearest(name, self.schema.arguments.iter().map(|it| &*it.name));
                    let help = near.map_or_else(
                        || "name a property, or remove the entry".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let what = format!("`required` names `{name}`, which is not a property");
                    self.fault(node.span, what, help);
                }
            }
        }
    }
}

const OBJECT: &str = "write `\"type\": \"object\"`";
const PROPERTIES: &str = "write `\"properties\": {\"NAME\": {\"type\": \"string\"}}`";
const NAME: &str = "write letters a to z and A to Z, digits, `-` and `_`, first a small letter, last no `-`, at most 64";

/// Returns whether a word is one of the names, or resembles one.
fn is_one_of(word: &str, names: &[String]) -> bool {
    let is_it = |name: &&str| is_same_name(name, word) || name.eq_ignore_ascii_case(word);
    let mut all = names.iter().map(String::as_str);
    all.clone().any(|name| is_it(&name)) || nearest(word, &mut all).is_some()
}

/// Returns whether a property can be a placeholder, and the name of a field in Rust. A name in capitals is a variable
/// of the host, and `ARGUMENTS` all arguments.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(is_part)
        && !name.ends_with('-')
}

/// Returns whether the object has an unknown key that resembles a known key: the fault of the unknown key says so, and a
/// second fault about the missing key would be of the same cause.
pub(super) fn has_misspelt(object: &Node, known: &[&str], key: &str) -> bool {
    let written = object.entries().iter().filter_map(|(key, _)| key.as_str());
    let mut unknown = written.filter(|name| !known.contains(name));
    unknown.any(|name| nearest(name, known.iter().copied()) == Some(key))
}

/// Returns whether a node is a type that a property can have.
fn is_type(node: &Node) -> bool {
    let known = ["string", "integer", "number", "boolean", "array"];
    text_of(node).is_some_and(|name| known.contains(&name))
}

/// Returns a JSON text.
pub(super) fn text_of(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) if scalar.style != Style::Plain => Some(&scalar.text),
        _ => None,
    }
}

/// Returns the opening bracket of an object.
fn first(node: &Node) -> Span {
    Span::new(node.span.start, node.span.start + 1)
}
