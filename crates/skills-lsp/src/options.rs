//! The files beside the skills that have a schema: the place of the cursor in them, and what can be written there.

use serde_json::{Value, json};
use skills_clients::{TRIGGER_FILES, triggers_schema};
use skills_format::Span;
use skills_format::arguments::ARGUMENTS_FILE;
use skills_lint::{CONFIG_FILE, config_schema};
use std::collections::BTreeMap;
use std::path::Path;

/// The syntax of such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Toml,
    Yaml,
    Json,
}

/// Returns the syntax and the schema of a file. Returns `None` for a file without a schema.
pub(crate) fn schema_of(path: &Path) -> Option<(Syntax, Value)> {
    let name = path.file_name()?.to_str()?;
    let read = |text: String| serde_json::from_str(&text).ok();
    if name == CONFIG_FILE {
        Some((Syntax::Toml, read(config_schema())?))
    } else if TRIGGER_FILES.first() == Some(&name) {
        Some((Syntax::Yaml, read(triggers_schema())?))
    } else if name == ARGUMENTS_FILE {
        Some((Syntax::Json, of_arguments()))
    } else if path.ends_with("agents/openai.yaml") {
        Some((Syntax::Yaml, of_openai()))
    } else {
        None
    }
}

/// The keys that `skills` reads of `arguments.schema.json`.
fn of_arguments() -> Value {
    let text = |about: &str| json!({ "description": about, "type": "string" });
    let number = |about: &str| json!({ "description": about, "type": "number" });
    let argument = json!({ "type": "object", "properties": {
        "type": {
            "description": "The type of the argument.",
            "enum": ["string", "integer", "number", "boolean", "array"],
        },
        "description": text("What the argument is for."),
        "title": text("A short name for people."),
        "enum": { "description": "The only values.", "type": "array" },
        "const": { "description": "The only value." },
        "default": { "description": "The value of an argument that is not given." },
        "minimum": number("The smallest number."),
        "maximum": number("The largest number."),
        "minLength": number("The minimum number of characters."),
        "maxLength": number("The maximum number of characters."),
        "items": { "description": "The type of each item of a list.", "properties": {
            "type": { "enum": ["string", "integer", "number", "boolean"] },
        } },
    } });
    json!({ "type": "object", "properties": {
        "$schema": { "description": "The dialect.", "enum": ["https://json-schema.org/draft/2020-12/schema"] },
        "type": { "description": "Always `object`.", "enum": ["object"] },
        "title": text("A short name for people."),
        "description": text("What the arguments are for."),
        "required": { "description": "The names of arguments that must be given.", "type": "array" },
        "additionalProperties": { "description": "Whether arguments beyond these are let through.", "type": "boolean" },
        "properties": { "description": "The arguments, by their names.", "additionalProperties": argument },
    } })
}

/// The keys that Codex documents of `agents/openai.yaml`.
fn of_openai() -> Value {
    let text = |about: &str| json!({ "description": about, "type": "string" });
    json!({ "type": "object", "properties": {
        "interface": { "description": "How the skill is shown to people.", "properties": {
            "display_name": text("The name that people see."),
            "short_description": text("One line for people."),
            "icon_small": text("The path of a small picture."),
            "icon_large": text("The path of a large picture."),
            "brand_color": text("A color, as `#3B82F6`."),
            "default_prompt": text("A text to start with."),
        } },
        "policy": { "description": "When the skill may start.", "properties": {
            "allow_implicit_invocation": {
                "description": "With `false`, only a person starts the skill, and the model does not see it.",
                "type": "boolean",
            },
        } },
        "dependencies": { "description": "What the skill needs.", "properties": {
            "tools": { "description": "MCP servers.", "type": "array", "items": { "properties": {
                "type": { "enum": ["mcp"] },
                "value": text("The name of the server."),
                "description": text("What the server is for."),
                "transport": text("How the server is reached."),
                "url": text("The address of the server."),
            } } },
        } },
    } })
}

/// The place of the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The keys from the root of the file to the place. Lists do not count.
    pub(crate) path: Vec<String>,
    /// The word at the cursor, without quotation marks.
    pub(crate) word: Span,
    pub(crate) is_key: bool,
    /// True within quotation marks.
    pub(crate) is_quoted: bool,
}

impl Spot {
    pub(crate) fn of(syntax: Syntax, text: &str, offset: usize) -> Option<Self> {
        match syntax {
            Syntax::Toml => toml(text, offset),
            Syntax::Yaml => yaml(text, offset),
            Syntax::Json => json_spot(text, offset),
        }
    }

    /// Returns how a key is written before its value.
    pub(crate) fn key(&self, syntax: Syntax, key: &str) -> String {
        match syntax {
            Syntax::Toml => format!("{key} = "),
            Syntax::Yaml => format!("{key}: "),
            Syntax::Json if self.is_quoted => key.to_owned(),
            Syntax::Json => format!("\"{key}\": "),
        }
    }

    /// Returns how a value is written at the place.
    pub(crate) fn value(&self, syntax: Syntax, value: &Value) -> String {
        match value {
            Value::String(text) if self.is_quoted || syntax == Syntax::Yaml => text.clone(),
            value => value.to_string(),
        }
    }
}

/// Returns the word around a byte.
fn word(text: &str, offset: usize) -> Option<Span> {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.');
    let before = text.get(..offset)?;
    let after = text.get(offset..)?;
    Some(Span::new(
        before.trim_end_matches(is_of_word).len(),
        text.len() - after.trim_start_matches(is_of_word).len(),
    ))
}

/// Returns whether a text ends within quotation marks.
fn is_open(line: &str) -> bool {
    let mut quote = None;
    for c in line.chars() {
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

fn toml(text: &str, offset: usize) -> Option<Spot> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..offset)?;
    let mut path: Vec<String> = Vec::new();
    // The lines of the list around the cursor, up to its key.
    let mut key = None;
    let mut closed = 0_usize;
    for (number, line) in text.get(..offset)?.lines().rev().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let table = line
            .strip_prefix('[')
            .filter(|_| number > 0 && line.ends_with(']') && !line.contains(['"', ',']));
        if let Some(table) = table {
            path = vec![table.trim_matches(['[', ']']).trim().to_owned()];
            break;
        }
        if key.is_none() {
            closed += line.matches(']').count();
            let opened = line.matches('[').count();
            match line.split_once('=') {
                Some((name, _)) if number == 0 || opened > closed => {
                    key = Some(name.trim().to_owned());
                }
                Some(_) => key = Some(String::new()),
                None => closed = closed.saturating_sub(opened),
            }
        }
    }
    let key = key.filter(|key| !key.is_empty());
    let is_key = key.is_none();
    path.extend(key);
    Some(Spot {
        path,
        word: word(text, offset)?,
        is_key,
        is_quoted: is_open(line),
    })
}

fn yaml(text: &str, offset: usize) -> Option<Spot> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..offset)?;
    let content = |line: &str| line.trim_start_matches([' ', '-']).len();
    let mut indentation = line.len() - content(line);
    let is_list = line.trim_start().starts_with('-');
    let mut path: Vec<String> = Vec::new();
    let of_line = line
        .split_once(':')
        .map(|(key, _)| key.trim_start_matches([' ', '-']));
    for above in text.get(..start)?.lines().rev() {
        let column = above.len() - content(above);
        let Some((key, _)) = above.split_once(':').filter(|_| column < indentation) else {
            continue;
        };
        path.insert(0, key.trim_start_matches([' ', '-']).trim().to_owned());
        indentation = column;
    }
    path.extend(of_line.map(|key| key.trim().to_owned()));
    Some(Spot {
        path,
        word: word(text, offset)?,
        is_key: of_line.is_none() && !(is_list && line.trim_start().len() < 2),
        is_quoted: is_open(line),
    })
}

fn json_spot(text: &str, offset: usize) -> Option<Spot> {
    let before = text.get(..offset)?;
    // Of each open object or list, its key, and whether it is a list.
    let mut open: Vec<(Option<String>, bool)> = Vec::new();
    let mut key: Option<String> = None;
    let mut string: Option<String> = None;
    let mut last = String::new();
    let mut letters = before.chars();
    while let Some(c) = letters.next() {
        if let Some(written) = &mut string {
            match c {
                '\\' => written.extend(letters.next()),
                '"' => last = string.take().unwrap_or_default(),
                c => written.push(c),
            }
            continue;
        }
        match c {
            '"' => string = Some(String::new()),
            ':' => key = Some(std::mem::take(&mut last)),
            '{' | '[' => open.push((key.take(), c == '[')),
            '}' | ']' => {
                open.pop();
                key = None;
            }
            ',' => key = None,
            _ => {}
        }
    }
    let is_list = open.last()?.1;
    let mut path: Vec<String> = open.into_iter().filter_map(|(key, _)| key).collect();
    let is_key = !is_list && key.is_none();
    path.extend(key);
    Some(Spot {
        path,
        word: word(text, offset)?,
        is_key,
        is_quoted: string.is_some(),
    })
}

/// What can be written at a place: the text, and what it is.
pub(crate) type Offers = BTreeMap<String, (Value, Option<String>)>;

/// Returns the keys of the schema at a path, with their descriptions.
pub(crate) fn keys(schema: &Value, path: &[String]) -> Offers {
    let mut offers = Offers::new();
    for node in at(schema, path) {
        for (key, value) in node["properties"].as_object().into_iter().flatten() {
            let about = value["description"].as_str().map(str::to_owned);
            offers.insert(key.clone(), (json!(key), about));
        }
    }
    offers
}

/// Returns the values that the schema names at a path.
pub(crate) fn values(schema: &Value, path: &[String]) -> Offers {
    let mut offers = Offers::new();
    for node in at(schema, path) {
        let mut known: Vec<Value> = node["enum"].as_array().cloned().unwrap_or_default();
        known.extend(node.get("const").cloned());
        if node["type"] == "boolean" {
            known.extend([json!(true), json!(false)]);
        }
        for value in known {
            let label = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            offers.insert(label, (value, None));
        }
    }
    offers
}

/// Returns the parts of a schema that a path leads to.
fn at<'s>(schema: &'s Value, path: &[String]) -> Vec<&'s Value> {
    let mut nodes = flat(schema, schema);
    for key in path {
        let below = nodes.iter().filter_map(|node| {
            let named = node["properties"].get(key);
            named.or_else(|| node.get("additionalProperties").filter(|it| it.is_object()))
        });
        nodes = below.flat_map(|node| flat(schema, node)).collect();
    }
    nodes
}

/// Returns a part of a schema with its alternatives and the items of its lists.
fn flat<'s>(schema: &'s Value, node: &'s Value) -> Vec<&'s Value> {
    let named = node["$ref"]
        .as_str()
        .and_then(|name| schema.pointer(name.strip_prefix('#')?));
    let alternatives = node["oneOf"].as_array().into_iter().flatten();
    let below = alternatives.chain(node.get("items")).chain(named);
    let mut all = vec![node];
    all.extend(below.flat_map(|node| flat(schema, node)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::arguments::SchemaFile;

    /// Returns the path at the `|` of a text, with `.` for a key and `=` for a value, and `"` within quotation marks.
    fn spot(syntax: Syntax, text: &str) -> String {
        let at = text.find('|').expect("a mark");
        let spot = Spot::of(syntax, &text.replacen('|', "", 1), at).expect(text);
        let kind = if spot.is_key { "." } else { "=" };
        let quote = if spot.is_quoted { "\"" } else { "" };
        format!("{}{kind}{quote}", spot.path.join("/"))
    }

    #[test]
    fn places_in_toml() {
        for (text, is) in [
            ("|", "."),
            ("de|", "."),
            ("deny = [\"|", "deny=\""),
            ("deny = [\n  \"a\",\n  |\n]\n", "deny="),
            ("deny = [\n  \"a\",\n]\n|", "."),
            ("locked = |\n[limits]\n", "locked="),
            ("locked = true\n[limits]\nskill-|", "limits."),
            (
                "deny = [\"a\"]\n[[override]]\npaths = [\"x\"]\nwarn = [\"|\"]",
                "override/warn=\"",
            ),
        ] {
            assert_eq!(spot(Syntax::Toml, text), is, "{text}");
        }
    }

    #[test]
    fn places_in_yaml() {
        for (text, is) in [
            ("|", "."),
            ("skill: a\nsho|", "."),
            ("skill: |", "skill="),
            ("- skill: a\n  sho|", "."),
            ("policy:\n  allow|", "policy."),
            (
                "policy:\n  allow_implicit_invocation: |",
                "policy/allow_implicit_invocation=",
            ),
            ("dependencies:\n  tools:\n    - typ|", "dependencies/tools."),
            ("policy:\n  a: b\ninterface:\n  |", "interface."),
        ] {
            assert_eq!(spot(Syntax::Yaml, text), is, "{text}");
        }
    }

    #[test]
    fn places_in_json() {
        for (text, is) in [
            ("{ |", "."),
            ("{ \"pro|\" }", ".\""),
            ("{ \"type\": \"|\" }", "type=\""),
            (
                "{ \"properties\": { \"port\": { \"type\": |",
                "properties/port/type=",
            ),
            (
                "{ \"properties\": { \"port\": { \"type\": \"a\", |",
                "properties/port.",
            ),
            ("{ \"required\": [\"a\", |] }", "required="),
        ] {
            assert_eq!(spot(Syntax::Json, text), is, "{text}");
        }
    }

    #[test]
    fn schemas_lead_to_keys_and_values() {
        let path = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let labels = |offers: Offers| offers.into_keys().collect::<Vec<_>>();
        let (_, triggers) = schema_of(Path::new("a/triggers.yaml")).expect("a schema");
        assert_eq!(
            labels(keys(&triggers, &[])),
            ["should", "should_not", "skill"]
        );
        let (_, config) = schema_of(Path::new("skills.toml")).expect("a schema");
        assert_eq!(
            labels(keys(&config, &path("override"))),
            ["allow", "deny", "paths", "warn"]
        );
        assert!(
            labels(values(&config, &path("override/deny"))).contains(&"body-length".to_owned())
        );
        assert_eq!(labels(values(&config, &path("locked"))), ["false", "true"]);
        let (_, openai) = schema_of(Path::new("a/agents/openai.yaml")).expect("a schema");
        assert_eq!(
            labels(keys(&openai, &path("policy"))),
            ["allow_implicit_invocation"]
        );
        assert!(schema_of(Path::new("openai.yaml")).is_none());
    }

    /// Each key of the schema is one that the reader of the file reads.
    #[test]
    fn the_keys_of_arguments_are_read() {
        let schema = of_arguments();
        let of_root = keys(&schema, &[]);
        let of_property = keys(&schema, &["properties".to_owned(), "x".to_owned()]);
        assert!(of_root.len() > 5 && of_property.len() > 9);
        for (key, place) in of_root
            .keys()
            .map(|key| (key, ""))
            .chain(of_property.keys().map(|key| (key, "x")))
        {
            let text = match place {
                "" => format!("{{\"type\": \"object\", \"{key}\": null}}"),
                _ => format!(
                    "{{\"type\": \"object\", \"properties\": {{\"x\": {{\"{key}\": null}}}}}}"
                ),
            };
            let faults = SchemaFile::read(text.as_bytes()).faults;
            assert!(
                !faults
                    .iter()
                    .any(|fault| fault.message == format!("`{key}` is not read here")),
                "{text} {faults:?}"
            );
        }
    }
}
