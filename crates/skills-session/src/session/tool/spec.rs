//! The definition of a tool.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The definition of a tool. The common provider APIs accept the schema unchanged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name that the model calls.
    pub name: String,
    /// The description for the model: when to call the tool, and what the tool returns.
    pub description: String,
    /// The JSON Schema of the arguments: an object with sorted keys.
    pub parameters: Value,
}

impl ToolSpec {
    /// Makes the definition of a tool. `properties` must be in the order of their names.
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
