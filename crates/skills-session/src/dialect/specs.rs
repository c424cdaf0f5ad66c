//! The definitions of commands and of tools.

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

/// A slash command in the form of a menu's item.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CommandSpec {
    /// The text to type after `/`. The name is unique.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The skill's description as one line of at most 100 characters.
    pub description: String,
    /// The expected arguments as text: the skill's `argument-hint`.
    pub argument_hint: Option<String>,
    /// The tool that the command calls without a turn of the model, with its arguments as typed. `None`: the
    /// command starts the skill.
    #[serde(rename = "dispatch", serialize_with = "as_dispatch")]
    pub tool: Option<String>,
    /// `true` if the command runs a scheduled skill by hand. A front end shows it in a warning colour.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scheduled: bool,
}

/// Writes the tool of a command as other programs do: `{"kind":"tool","tool":"exec","arg_mode":"raw"}`.
#[expect(clippy::ref_option, reason = "serde gives the field")]
fn as_dispatch<S: serde::Serializer>(
    tool: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match tool {
        Some(tool) => {
            serializer.collect_map([("kind", "tool"), ("tool", tool), ("arg_mode", "raw")])
        }
        None => serializer.serialize_none(),
    }
}
