//! `skills.toml` as a JSON Schema, for editors.

use crate::rules::RULES;
use serde_json::{Value, json};

/// Returns the JSON Schema (draft 2020-12) of `skills.toml`.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&skills_lint::config_schema()).unwrap();
/// assert_eq!(schema["properties"]["locked"]["type"], "boolean");
/// ```
pub fn config_schema() -> String {
    let levels = json!({
        "deny": rules("Rules whose findings are errors."),
        "warn": rules("Rules whose findings are warnings."),
        "allow": rules("Rules whose findings are not reported."),
    });
    let mut part = levels.clone();
    part["paths"] = patterns("Paths relative to the folder of skills.toml.");
    let mut properties = levels;
    properties["exclude"] = patterns("Skills that are neither checked nor baked.");
    properties["include"] =
        patterns("Files that are shipped although no skill usually ships them.");
    properties["sealed"] = json!({
        "description": "Skills that a skill of a folder cannot shadow.",
        "oneOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "string" } }],
    });
    properties["budget"] = number("Maximum number of characters of the catalog text.");
    properties["locked"] = json!({
        "description": "Whether the skills must be the skills of skills.lock.",
        "type": "boolean",
    });
    properties["layout"] = json!({
        "description": "Whether each file NAME.md of the folder is a skill of a bundle.",
        "enum": ["flat"],
    });
    properties["tools"] = patterns("The tools of the host: NAME or NAME=KIND.");
    properties["clients"] = patterns("The clients that the skills are for.");
    properties["limits"] = table(&json!({
        "skill-files": number("Maximum number of files of a skill."),
        "skill-bytes": number("Maximum number of bytes of a skill."),
        "bundle-bytes": number("Maximum number of bytes of all skills."),
    }));
    properties["override"] = json!({
        "description": "Levels for a part of the files.",
        "type": "array",
        "items": table(&part),
    });
    let mut schema = table(&properties);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("skills.toml");
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}

fn table(properties: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

fn rules(about: &str) -> Value {
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id.as_str()).collect();
    json!({ "description": about, "type": "array", "items": { "enum": ids } })
}

fn patterns(about: &str) -> Value {
    json!({ "description": about, "type": "array", "items": { "type": "string" } })
}

fn number(about: &str) -> Value {
    json!({ "description": about, "type": "integer", "minimum": 0 })
}
