//! The shape of the tool that starts a skill.

// An exchange does not exist for an activation with arguments if the profile's tool takes no arguments.

use crate::text::escape::push_json;
use skills_format::Text;
use skills_format::text::order::sort_by_text;

/// The name and parameters of the tool that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ToolShape {
    /// The tool's name.
    pub name: Text,
    /// The parameter that holds the skill's id.
    pub parameter: Text,
    /// Whether the schema lists the ids.
    pub ids: ToolIds,
    /// Whether the tool takes the skill's arguments, as a parameter `arguments`.
    pub arguments: ToolArguments,
}

/// How a tool's schema describes the skill's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ToolIds {
    /// As an `enum` of all ids. As a string when there are more than 200 ids.
    Listed,
    /// As a string.
    Open,
}

/// Whether a tool takes the skill's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ToolArguments {
    /// As an optional parameter `arguments`.
    Optional,
    /// The tool takes no arguments.
    None,
}

impl ToolShape {
    /// The tool of the default profile: `skill {name, arguments?}`.
    pub const SKILL: Self = Self::new("skill", "name", ToolIds::Listed, ToolArguments::Optional);

    /// Makes the shape of a tool.
    pub const fn new(
        name: &'static str,
        parameter: &'static str,
        ids: ToolIds,
        arguments: ToolArguments,
    ) -> Self {
        Self {
            name: Text::Borrowed(name),
            parameter: Text::Borrowed(parameter),
            ids,
            arguments,
        }
    }

    /// Returns the arguments of the call that starts a skill, as JSON with sorted keys. `None`: the tool
    /// takes no arguments and there are arguments.
    pub(crate) fn call(&self, skill: &str, arguments: &str) -> Option<String> {
        let mut members = vec![(&*self.parameter, skill)];
        if !arguments.is_empty() {
            if self.arguments == ToolArguments::None {
                return None;
            }
            members.push(("arguments", arguments));
        }
        sort_by_text(&mut members, |(key, _)| key.as_bytes());
        let mut json = String::from("{");
        for (i, (key, value)) in members.into_iter().enumerate() {
            if i > 0 {
                json.push(',');
            }
            push_json(&mut json, key);
            json.push(':');
            push_json(&mut json, value);
        }
        json.push('}');
        Some(json)
    }
}
