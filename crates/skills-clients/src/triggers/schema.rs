//! The JSON Schema of `triggers.yaml`.

use serde_json::json;
use skills_format::TRIGGERS_FILE;

/// Returns the JSON Schema (draft 2020-12) of [`TRIGGERS_FILE`].
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&skills_clients::triggers_schema()).unwrap();
/// assert_eq!(schema["$defs"]["triggers"]["properties"]["should"]["type"], "array");
/// ```
pub fn triggers_schema() -> String {
    let texts = |what| json!({ "description": what, "type": "array", "items": { "type": "string", "pattern": "\\S" } });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": TRIGGERS_FILE,
        "description": "For which texts a skill should be chosen.",
        "oneOf": [
            { "$ref": "#/$defs/triggers" },
            { "type": "array", "items": { "$ref": "#/$defs/triggers" } },
            { "type": "null" },
        ],
        "$defs": {
            "triggers": {
                "type": "object",
                "properties": {
                    "skill": {
                        "description": "The name of the skill; not needed beside its SKILL.md.",
                        "type": "string",
                    },
                    "should": texts("Texts for which the skill should be chosen."),
                    "should_not": texts("Texts for which it should not be chosen."),
                },
                "additionalProperties": false,
            },
        },
    });
    format!("{schema:#}")
}
