//! The front matter as a JSON Schema, for editors.

use serde_json::{Map, Value, json};
use skills_format::name::MAX_NAME;
use skills_format::skill::known_fields::{FIELDS, FieldKind, Known};
use skills_format::skill::limits::{MAX_COMPATIBILITY, MAX_DESCRIPTION};

/// The part of the rules for names that a pattern can express in every engine. Not every engine supports
/// Unicode properties, so every character beyond Latin-1 that is not punctuation is allowed.
const NAME_PATTERN: &str = "^[^\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00de\\u00f7\\u2000-\\u206f\\u3000-\\u3003\\ufeff]+(-[^\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00de\\u00f7\\u2000-\\u206f\\u3000-\\u3003\\ufeff]+)*$";
/// The rules for names that the pattern does not express.
const NAME_ABOUT: &str = " Lowercase letters and digits of any script with single hyphens between \
                          them, in Unicode normal form NFKC.";

/// Returns the JSON Schema (draft 2020-12) of a `SKILL.md`'s front matter: every known field with its type
/// and its description. Further keys are allowed.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&skills_lint::json_schema()).unwrap();
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
            "pattern": NAME_PATTERN,
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
    let mut about = field_about(known.key).to_owned();
    if known.key == "name" {
        about.push_str(NAME_ABOUT);
    }
    if let Some(property) = property.as_object_mut() {
        property.insert("description".to_owned(), about.into());
    }
    property
}

fn of_kind(kind: FieldKind) -> Value {
    match kind {
        FieldKind::Text => json!({ "type": "string" }),
        FieldKind::Bool => json!({ "type": "boolean" }),
        FieldKind::Words => json!({
            "type": ["string", "array"],
            "items": { "type": "string" },
        }),
        FieldKind::Mapping => json!({ "type": "object" }),
        FieldKind::Any => json!({}),
    }
}

/// Returns the meaning of a known field, in one line.
pub fn field_about(key: &str) -> &'static str {
    match key {
        "name" => "What the skill answers to: the name of its folder.",
        "description" => "What the skill does and when to use it.",
        "license" => "The licence's name, or the file that holds it.",
        "compatibility" => "What the skill needs of its environment.",
        "metadata" => "Further texts by key.",
        "allowed-tools" => "The tools that the skill may use, separated by spaces.",
        "disallowed-tools" => "The tools that are taken away while the skill is in force.",
        "user-invocable" => "Whether a person may start it; default: true.",
        "disable-model-invocation" => "Whether the model may not start it; default: false.",
        "argument-hint" => "What to type after the slash command.",
        "arguments" => "The names of its arguments, in order; `$NAME` in the body is filled.",
        "command-dispatch" => "`tool`: the slash command calls a tool, with no model turn.",
        "command-tool" => "The tool that the slash command calls.",
        "command-arg-mode" => "`raw`: the tool gets the arguments as they were typed.",
        "version" => "The skill's version.",
        "model" => "The model that it is for.",
        "context" => "Where it runs.",
        "agent" => "The agent that runs it.",
        "hooks" => "What the host runs on events.",
        "paths" => "The files that it is about, as globs.",
        "when-to-use" | "when_to_use" => "When to use it.",
        "homepage" => "An address with more about it.",
        "author" => "Who wrote it.",
        "tags" => "Words to find it by.",
        "origin" => "Where it is from.",
        "triggers" => "Words that call for it.",
        "category" => "What it belongs to.",
        "globs" => "The files that it is about.",
        "requires" | "dependencies" => "What it needs.",
        "emoji" => "Its picture.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::NAME_PATTERN;

    /// The pattern has only escapes that engines without Unicode modes support.
    #[test]
    fn the_pattern_is_plain() {
        assert!(NAME_PATTERN.is_ascii() && !NAME_PATTERN.contains("\\p"));
        let escapes = NAME_PATTERN.matches('\\').count();
        assert_eq!(NAME_PATTERN.matches("\\u").count(), escapes);
    }
}
