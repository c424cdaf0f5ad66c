//! The front matter as a JSON Schema, for editors.

use crate::known::{FIELDS, Kind, Known};
use crate::name::MAX_NAME;
use crate::skill::{MAX_COMPATIBILITY, MAX_DESCRIPTION};
use serde_json::{Map, Value, json};

/// The JSON Schema (draft 2020-12) of a `SKILL.md`'s front matter: every known field with its type
/// and what it says. Further keys are allowed.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&skills_format::json_schema()).unwrap();
/// assert_eq!(schema["properties"]["name"]["maxLength"], 64);
/// ```
pub fn json_schema() -> String {
    let properties: Map<String, Value> = FIELDS
        .iter()
        .map(|known| (known.key.to_owned(), property(known)))
        .collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Front matter of a SKILL.md",
        "type": "object",
        "required": ["name", "description"],
        "properties": properties,
    });
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}

fn property(known: &Known) -> Value {
    let mut property = match known.key {
        "name" => json!({
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_NAME,
            "pattern": "^[\\p{Ll}\\p{Lm}\\p{Lo}\\p{Mn}\\p{Mc}\\p{Nd}]+(-[\\p{Ll}\\p{Lm}\\p{Lo}\\p{Mn}\\p{Mc}\\p{Nd}]+)*$",
        }),
        "description" => json!({
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_DESCRIPTION,
        }),
        "compatibility" => json!({ "type": "string", "maxLength": MAX_COMPATIBILITY }),
        "command-dispatch" => json!({ "const": "tool" }),
        "command-arg-mode" => json!({ "const": "raw" }),
        "metadata" => json!({
            "type": "object",
            "additionalProperties": { "type": ["string", "number", "boolean"] },
        }),
        _ => of_kind(known.kind),
    };
    if let Some(property) = property.as_object_mut() {
        property.insert("description".to_owned(), known.about.into());
    }
    property
}

fn of_kind(kind: Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Words => json!({
            "type": ["string", "array"],
            "items": { "type": "string" },
        }),
        Kind::Mapping => json!({ "type": "object" }),
        Kind::Any => json!({}),
    }
}
