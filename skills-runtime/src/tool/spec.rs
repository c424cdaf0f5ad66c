//! A tool's definition.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// A tool's definition. The common provider APIs take the schema as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// What the model calls.
    pub name: String,
    /// When to call it, and what it gives.
    pub description: String,
    /// JSON Schema of the arguments: an object, keys sorted.
    pub parameters: Value,
}

impl ToolSpec {
    /// `properties` in the order of their names.
    pub(crate) fn new(
        name: &str,
        description: String,
        properties: impl IntoIterator<Item = (String, Value)>,
        required: &[&str],
    ) -> Self {
        Self {
            name: name.to_owned(),
            description,
            parameters: json!({
                "additionalProperties": false,
                "properties": properties.into_iter().collect::<Map<_, _>>(),
                "required": required,
                "type": "object",
            }),
        }
    }
}
