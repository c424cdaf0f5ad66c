//! The host's names of tools that skills call by other names.

use skills_format::{Text, ToolRule};
use std::borrow::Cow;

/// The names of tools in skills, and the host's names of the same tools.
///
/// The names are applied to `allowed-tools`. A body's text is never changed: the model reads a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ToolNames {
    /// Pairs of the name in skills and the host's name, in the order of the table.
    pub names: Cow<'static, [(Text, Text)]>,
    /// Where the table is written.
    pub place: TablePlace,
}

/// Where the table of tool names is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
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
    /// No other names: the host's tools have the names that skills use.
    pub const NONE: Self = Self {
        names: Cow::Borrowed(&[]),
        place: TablePlace::Activation,
    };

    /// Makes names with a table after the body, from pairs of the name in skills and the host's name.
    pub fn new<A: Into<Text>, B: Into<Text>>(names: impl IntoIterator<Item = (A, B)>) -> Self {
        Self {
            names: names
                .into_iter()
                .map(|(theirs, ours)| (theirs.into(), ours.into()))
                .collect(),
            ..Self::NONE
        }
    }

    /// The host's name of a tool, given by its name in skills.
    pub fn of<'a>(&'a self, tool: &'a str) -> &'a str {
        self.names
            .iter()
            .find(|(theirs, _)| theirs == tool)
            .map_or(tool, |(_, ours)| ours)
    }

    /// The rules with the host's names of tools.
    #[expect(clippy::ptr_arg, reason = "borrowed rules stay borrowed")]
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

    /// Appends the table after an empty line. Appends nothing when there are no names.
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
