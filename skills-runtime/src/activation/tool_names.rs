//! What a host calls the tools that skills name otherwise.

use skills_format::{Text, ToolRule};
use std::borrow::Cow;

/// Names of tools as skills write them, and the host's names for them. Never applied to a body's
/// text: the model reads a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ToolNames {
    /// (the skill's name, the host's name), in the order of the table.
    pub names: Cow<'static, [(Text, Text)]>,
    /// Where the table stands.
    pub place: TablePlace,
}

/// Where the table of tool names stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum TablePlace {
    /// After the body, in every activation.
    Activation,
    /// In the profile's rules, once.
    Rules,
}

impl ToolNames {
    /// Every tool has the name that skills give it.
    pub const NONE: Self = Self {
        names: Cow::Borrowed(&[]),
        place: TablePlace::Activation,
    };

    /// Names for a table after the body.
    pub fn new<A: Into<Text>, B: Into<Text>>(names: impl IntoIterator<Item = (A, B)>) -> Self {
        Self {
            names: names
                .into_iter()
                .map(|(theirs, ours)| (theirs.into(), ours.into()))
                .collect(),
            ..Self::NONE
        }
    }

    /// The host's name of a tool.
    pub fn of<'a>(&'a self, tool: &'a str) -> &'a str {
        self.names
            .iter()
            .find(|(theirs, _)| theirs == tool)
            .map_or(tool, |(_, ours)| ours)
    }

    /// The rules under the host's names.
    #[expect(clippy::ptr_arg, reason = "what is borrowed stays borrowed")]
    pub(crate) fn apply(&self, rules: &Cow<'static, [ToolRule]>) -> Cow<'static, [ToolRule]> {
        if rules.iter().all(|rule| self.of(&rule.tool) == rule.tool) {
            return rules.clone();
        }
        rules
            .iter()
            .map(|rule| ToolRule {
                tool: self.of(&rule.tool).to_owned().into(),
                pattern: rule.pattern.clone(),
            })
            .collect()
    }

    /// Appends the table, after a blank line; nothing when there are no names.
    pub(crate) fn push_table(&self, out: &mut String) {
        if self.names.is_empty() {
            return;
        }
        out.push_str("\n\n| tool named in the skill | tool to call |\n|---|---|");
        for (theirs, ours) in self.names.iter() {
            out.push_str("\n| ");
            out.push_str(theirs);
            out.push_str(" | ");
            out.push_str(ours);
            out.push_str(" |");
        }
    }
}
