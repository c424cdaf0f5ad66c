//! A call of the skill tool with its result.

use crate::text::shared::SharedText;

/// A call of the skill tool and its result, in the form of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The tool's name.
    pub tool: String,
    /// The call's arguments: JSON with sorted keys and without white space.
    pub arguments: String,
    /// The call's result.
    pub result: SharedText,
}
