//! The manifest of an Agent Plugin, by version 1.0.0 of <https://agent-plugins.org/specification>.
//!
//! `skills check` and the runtime ask the same reader, so a plugin that the check accepts is a plugin that loads.

use crate::diagnostic::rule_id::RuleId;
use crate::text::span::Span;
use crate::yaml::node::{Node, Style, Value};
use crate::yaml::{YamlError, json};
use std::collections::BTreeSet;

/// The name of the manifest, in the plugin's folder.
pub const PLUGIN_FILE: &str = "plugin.json";

/// The `$schema` of an Agent Plugin's `plugin.json`, version 1.0.0. A client takes no other text.
pub const PLUGIN_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

/// The maximum number of bytes of the manifest that are read.
pub const MAX_PLUGIN_FILE: u64 = 1024 * 1024;

/// The fields whose values are texts.
const TEXTS: [&str; 5] = [
    "version",
    "description",
    "homepage",
    "repository",
    "license",
];
const AUTHOR: [&str; 3] = ["name", "email", "url"];

/// The maximum number of faults that are reported: each costs a pass over the text to find its line.
const MAX_FAULTS: usize = 100;

const REJECTED: &str = "correct the value; a client rejects the plugin otherwise";

/// The manifest of an Agent Plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginManifest {
    /// The name, if it has the form of one.
    pub name: Option<String>,
    /// The first 100 faults, in the order of their places, and a fault that counts the others.
    pub faults: Vec<PluginFault>,
    is_rejected: bool,
}

/// A fault of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginFault {
    /// The rule that reports the fault.
    pub rule: RuleId,
    /// The bytes of the key or value.
    pub span: Span,
    /// The fact: no capital at the start, no full stop at the end.
    pub message: String,
    /// The text to write instead.
    pub help: &'static str,
    /// A client rejects the plugin. Otherwise it ignores the field.
    pub is_fatal: bool,
}

impl PluginManifest {
    /// Reads a `plugin.json`. Returns `None` for the manifest of another program, which has no `$schema` of
    /// agent-plugins.org.
    ///
    /// ```
    /// use skills_format::PluginManifest;
    ///
    /// let text = r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "desk"}"#;
    /// let manifest = PluginManifest::read(text)?.ok_or("of another program")?;
    /// assert!(manifest.name.as_deref() == Some("desk") && !manifest.is_rejected());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not JSON, is nested too deeply, or is larger than [`MAX_PLUGIN_FILE`].
    pub fn read(text: &str) -> Result<Option<Self>, YamlError> {
        if text.len() as u64 > MAX_PLUGIN_FILE {
            let message = format!(
                "the file has {} bytes; the maximum is {MAX_PLUGIN_FILE}",
                text.len()
            );
            return Err(YamlError { offset: 0, message });
        }
        let file = json::parse(text)?;
        Ok(is_agent_plugin(&file).then(|| Self::of(&file)))
    }

    /// Returns whether a client of Agent Plugins rejects the plugin.
    pub fn is_rejected(&self) -> bool {
        self.is_rejected
    }

    fn of(file: &Node) -> Self {
        let mut faults = Vec::new();
        repeated(file, &mut faults);
        let mut name = None;
        for (key, value) in file.entries() {
            match key.as_str().unwrap_or_default() {
                "$schema" => faults.extend(schema(value)),
                "name" => match name_of(key, value) {
                    Ok(text) => name = Some(text.to_owned()),
                    Err(fault) => faults.push(fault),
                },
                field => faults.extend(metadata(field, key, value)),
            }
            if key.as_str() == Some("author") {
                repeated(value, &mut faults);
            }
        }
        if file.get("name").is_none() {
            faults.push(name_fault(file.span, "it has no `name`".to_owned()));
        }
        faults.sort_by_key(|fault| fault.span);
        let is_rejected = faults.iter().any(|fault| fault.is_fatal);
        let others = faults.len().saturating_sub(MAX_FAULTS);
        if others > 1 {
            let message = format!("the file has {others} more faults, which are not shown");
            faults.truncate(MAX_FAULTS);
            faults.push(PluginFault {
                help: "correct the faults that are shown first",
                is_fatal: is_rejected,
                ..fatal(Span::at(0), message)
            });
        }
        Self {
            name,
            faults,
            is_rejected,
        }
    }
}

/// Returns whether a manifest is meant as one of an Agent Plugin: other programs have a `plugin.json` at the same
/// place, without such a schema. Of a repeated `$schema` each counts.
fn is_agent_plugin(file: &Node) -> bool {
    let mut entries = file.entries().iter();
    entries.any(|(key, value)| {
        let host = text(value).and_then(|schema| schema.split_once("://"));
        let is_theirs = |host: &str| host.to_ascii_lowercase().starts_with("agent-plugins.org");
        key.as_str() == Some("$schema") && host.is_some_and(|(_, rest)| is_theirs(rest))
    })
}

/// Reports repeated keys. A client takes the first or the last of them.
fn repeated(object: &Node, faults: &mut Vec<PluginFault>) {
    let mut keys = BTreeSet::new();
    for (key, _) in object.entries() {
        let name = key.as_str().unwrap_or_default();
        if !keys.insert(name) {
            let help = "keep one of them; clients differ in which they read";
            faults.push(PluginFault {
                help,
                ..fatal(key.span, format!("`{name}` is written twice"))
            });
        }
    }
}

fn schema(value: &Node) -> Option<PluginFault> {
    let help = "write exactly this identifier; a client rejects the plugin otherwise";
    (text(value) != Some(PLUGIN_SCHEMA)).then(|| PluginFault {
        help,
        ..fatal(value.span, format!("`$schema` is not `{PLUGIN_SCHEMA}`"))
    })
}

fn name_of<'n>(key: &Node, value: &'n Node) -> Result<&'n str, PluginFault> {
    match text(value) {
        Some(name) if is_plugin_name(name) => Ok(name),
        Some(name) => {
            let message = format!("`{name}` is not the name of an Agent Plugin");
            Err(name_fault(value.span, message))
        }
        None => Err(name_fault(key.span, "`name` is not a string".to_owned())),
    }
}

/// Returns the fault of a field that is neither `$schema` nor `name`.
fn metadata(field: &str, key: &Node, value: &Node) -> Option<PluginFault> {
    let wrong = |is_right: bool, what: &str| {
        (!is_right).then(|| fatal(key.span, format!("`{field}` is not {what}")))
    };
    match field {
        field if TEXTS.contains(&field) => wrong(text(value).is_some(), "a string"),
        "author" => author(key, value),
        "keywords" => {
            let is_right = match &value.value {
                Value::Sequence(words) => words.iter().all(|word| text(word).is_some()),
                _ => false,
            };
            wrong(is_right, "a list of strings")
        }
        "extensions" => extensions(key, value),
        field => Some(PluginFault {
            help: "put the data of one client below `extensions`",
            is_fatal: false,
            ..fatal(
                key.span,
                format!("`{field}` is not a field of an Agent Plugin; clients ignore it"),
            )
        }),
    }
}

fn author(key: &Node, value: &Node) -> Option<PluginFault> {
    if !is_object(value) {
        return Some(fatal(key.span, "`author` is not an object".to_owned()));
    }
    let mut fields = value.entries().iter();
    let (key, _) = fields.find(|(key, value)| {
        !AUTHOR.contains(&key.as_str().unwrap_or_default()) || text(value).is_none()
    })?;
    let field = key.as_str().unwrap_or_default();
    let message = format!("`author` has `{field}`, which is not a string `name`, `email` or `url`");
    Some(fatal(key.span, message))
}

/// A client ignores `extensions` that is not an object. A value in it that is not an object is a violation of the
/// schema as every other, and those are fatal.
fn extensions(key: &Node, value: &Node) -> Option<PluginFault> {
    let is_fatal = is_object(value);
    let is_right = is_fatal && value.entries().iter().all(|(_, value)| is_object(value));
    (!is_right).then(|| PluginFault {
        help: "key the data by the reverse domain name of the client",
        is_fatal,
        ..fatal(
            key.span,
            "`extensions` is not an object of objects".to_owned(),
        )
    })
}

fn fatal(span: Span, message: String) -> PluginFault {
    PluginFault {
        rule: RuleId::ManifestForm,
        span,
        message,
        help: REJECTED,
        is_fatal: true,
    }
}

fn name_fault(span: Span, message: String) -> PluginFault {
    PluginFault {
        rule: RuleId::ManifestName,
        help: "write 1 to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or digit at both ends, and no `--` or `..`",
        ..fatal(span, message)
    }
}

/// Returns the text of a value in quotes.
fn text(value: &Node) -> Option<&str> {
    match &value.value {
        Value::Scalar(scalar) if scalar.style == Style::DoubleQuoted => Some(&scalar.text),
        _ => None,
    }
}

fn is_object(value: &Node) -> bool {
    matches!(value.value, Value::Mapping(_))
}

/// Returns whether a text is the name of an Agent Plugin: 1 to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or
/// digit at both ends, and without `--` and `..`.
pub fn is_plugin_name(name: &str) -> bool {
    let is_inner = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '.');
    let is_end = |c: Option<char>| c.is_some_and(|c| matches!(c, 'a'..='z' | '0'..='9'));
    name.len() <= 64
        && is_end(name.chars().next())
        && is_end(name.chars().next_back())
        && !name.contains("--")
        && !name.contains("..")
        && name.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the manifest of a schema and these further members.
    fn read(members: &str) -> PluginManifest {
        let text = format!("{{\"$schema\": \"{PLUGIN_SCHEMA}\"{members}}}");
        PluginManifest::read(&text)
            .expect("of a test")
            .expect("of a test")
    }

    #[test]
    fn names() {
        let longest = "a".repeat(64);
        for name in ["my-plugin", "acme.tools", "lint3r", "a", "a.-b", &longest] {
            assert!(is_plugin_name(name), "{name}");
        }
        let long = "a".repeat(65);
        for name in [
            "My-Plugin",
            "-start",
            "has--double",
            "too.many..dots",
            "..",
            "../up",
            "a/b",
            "/etc",
            "C:",
            "",
            "end.",
            ".start",
            "end-",
            "é",
            "a b",
            "a_b",
            "a\u{0}",
            &long,
        ] {
            assert!(!is_plugin_name(name), "{name}");
            let manifest = read(&format!(
                ", \"name\": {}",
                serde_json::to_string(name).expect("of a test")
            ));
            assert!(manifest.is_rejected() && manifest.name.is_none(), "{name}");
        }
    }

    #[test]
    fn what_a_client_rejects() {
        for members in [
            "",
            ", \"name\": 7",
            ", \"name\": null",
            ", \"name\": [\"a\"]",
            ", \"name\": \"a\", \"name\": \"b\"",
            ", \"name\": \"a\", \"version\": 1",
            ", \"name\": \"a\", \"version\": null",
            ", \"name\": \"a\", \"description\": []",
            ", \"name\": \"a\", \"homepage\": {}",
            ", \"name\": \"a\", \"repository\": true",
            ", \"name\": \"a\", \"license\": 0",
            ", \"name\": \"a\", \"author\": \"me\"",
            ", \"name\": \"a\", \"author\": {\"name\": 1}",
            ", \"name\": \"a\", \"author\": {\"phone\": \"1\"}",
            ", \"name\": \"a\", \"author\": {\"name\": \"b\", \"name\": \"c\"}",
            ", \"name\": \"a\", \"keywords\": \"k\"",
            ", \"name\": \"a\", \"keywords\": [1]",
            ", \"name\": \"a\", \"extensions\": {\"com.example\": 1}",
            ", \"name\": \"a\", \"$schema\": \"https://elsewhere.example\"",
        ] {
            assert!(read(members).is_rejected(), "{members}");
        }
    }

    #[test]
    fn what_a_client_ignores() {
        for (members, faults) in [
            (", \"name\": \"a\"", 0),
            (
                ", \"name\": \"a\", \"version\": \"x\", \"author\": {}, \"keywords\": []",
                0,
            ),
            (
                ", \"name\": \"a\", \"author\": {\"name\": \"\", \"email\": \"\", \"url\": \"\"}",
                0,
            ),
            (
                ", \"name\": \"a\", \"extensions\": {\"com.example\": {\"a\": 1}}",
                0,
            ),
            (", \"name\": \"a\", \"skills\": \"../out\"", 1),
            (", \"name\": \"a\", \"hooks\": 1, \"mcpServers\": {}", 2),
            (", \"name\": \"a\", \"extensions\": []", 1),
        ] {
            let manifest = read(members);
            let rejected = manifest.is_rejected();
            assert_eq!(
                (rejected, manifest.faults.len()),
                (false, faults),
                "{members}"
            );
        }
    }

    #[test]
    fn manifests_of_others() {
        for text in [
            "{}",
            "[]",
            "7",
            "{\"name\": \"a\"}",
            "{\"$schema\": 7}",
            "{\"$schema\": \"agent-plugins.org\"}",
            "{\"$schema\": \"https://json.schemastore.org/x\"}",
            "[{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\"}]",
        ] {
            assert_eq!(PluginManifest::read(text), Ok(None), "{text}");
        }
        // Another version, or another case, is meant as an Agent Plugin, and is rejected.
        for schema in [
            "https://agent-plugins.org/schemas/2.0.0/plugin.schema.json",
            "HTTPS://AGENT-PLUGINS.ORG/schemas/1.0.0/plugin.schema.json",
            "http://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        ] {
            let text = format!("{{\"$schema\": \"{schema}\", \"name\": \"a\"}}");
            assert!(
                PluginManifest::read(&text)
                    .expect("of a test")
                    .expect("of a test")
                    .is_rejected(),
                "{schema}"
            );
        }
        let twice =
            format!("{{\"$schema\": \"{PLUGIN_SCHEMA}\", \"$schema\": \"x\", \"name\": \"a\"}}");
        assert!(
            PluginManifest::read(&twice)
                .expect("of a test")
                .expect("of a test")
                .is_rejected()
        );
    }

    #[test]
    fn many_faults_are_counted() {
        let fields = |count: usize| {
            (0..count)
                .map(|at| format!(", \"f{at}\": 1"))
                .collect::<Vec<_>>()
                .concat()
        };
        for (count, shown) in [(100, 100), (101, 101), (102, 101), (5000, 101)] {
            let ignored = read(&format!(", \"name\": \"a\"{}", fields(count)));
            assert_eq!(
                (ignored.faults.len(), ignored.is_rejected()),
                (shown, false)
            );
        }
        let mut rejected = read(&format!(
            ", \"name\": \"a\"{}, \"version\": 1",
            fields(5000)
        ));
        assert!(rejected.is_rejected());
        let last = rejected.faults.pop().expect("of a test").message;
        assert_eq!(last, "the file has 4901 more faults, which are not shown");
    }

    #[test]
    fn a_manifest_has_a_size() {
        let text = format!("{{\"$schema\": \"{PLUGIN_SCHEMA}\", \"name\": \"a\"}}");
        let filled = |length: usize| text.clone() + &" ".repeat(length - text.len());
        assert!(PluginManifest::read(&filled(1024 * 1024)).is_ok());
        assert!(PluginManifest::read(&filled(1024 * 1024 + 1)).is_err());
    }
}
