//! The shape of the tool that starts a skill.

use crate::text::escape::push_json;
use skills_format::Text;
use skills_format::text::order::sort_by_text;

/// The usual name of the parameter for the arguments.
const ARGUMENTS: &str = "arguments";

#[cfg(feature = "serde")]
fn arguments_name() -> Text {
    Text::Borrowed(ARGUMENTS)
}

/// The name and parameters of the tool that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ToolShape {
    /// The tool's name.
    pub name: Text,
    /// The parameter that holds the skill's id.
    pub parameter: Text,
    /// The description of the ids in the tool's schema.
    pub ids: ToolIds,
    /// Whether the tool has a parameter for the skill's arguments.
    pub arguments: ToolArguments,
    /// The name of that parameter.
    #[cfg_attr(feature = "serde", serde(default = "arguments_name"))]
    pub arguments_name: Text,
}

/// The description of the skill's id in the schema of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ToolIds {
    /// An `enum` of all ids, or a string if there are more than 200 ids.
    Listed,
    /// A string.
    Open,
}

/// The parameter of a tool for the skill's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ToolArguments {
    /// An optional parameter: [`ToolShape::arguments_name`].
    Optional,
    /// No parameter.
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
            arguments_name: Text::Borrowed(ARGUMENTS),
        }
    }

    /// Makes the shape of a tool whose optional parameter for the arguments has this name.
    pub const fn taking(
        name: &'static str,
        parameter: &'static str,
        ids: ToolIds,
        arguments: &'static str,
    ) -> Self {
        Self {
            name: Text::Borrowed(name),
            parameter: Text::Borrowed(parameter),
            ids,
            arguments: ToolArguments::Optional,
            arguments_name: Text::Borrowed(arguments),
        }
    }

    /// Returns the arguments of the call that starts a skill, as JSON with sorted keys. Returns `None`
    /// if the skill has arguments and the tool takes no arguments: such a call cannot be written.
    pub(crate) fn call(&self, skill: &str, arguments: &str) -> Option<String> {
        let mut members = vec![(&*self.parameter, skill)];
        if !arguments.is_empty() {
            if self.arguments == ToolArguments::None {
                return None;
            }
            members.push((&self.arguments_name, arguments));
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
