//! How skills become slash commands.

use crate::options::plugins::Plugins;
use skills_format::Text;
use std::borrow::Cow;

/// How skills become slash commands: the part of a profile for commands.
///
/// ```
/// use skills_runtime::options::{CommandNames, CommandPolicy};
///
/// let mut policy = CommandPolicy::new(CommandNames::Sanitised);
/// policy.reserved = vec!["help".into(), "quit".into()].into();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CommandPolicy {
    /// How commands are named.
    pub names: CommandNames,
    /// The names of the host's own commands, without `/`. `skill` and `skills` are always reserved.
    pub reserved: Cow<'static, [Text]>,
    /// What the commands of scheduled skills begin with, without `/`. Empty: they have no commands.
    pub scheduled: Text,
    /// What a host shows for `/skill` and `/skills`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub listing: Listing,
    /// Whether the commands of a plugin's skills are named by qualified ids.
    #[cfg_attr(feature = "serde", serde(skip, default = "merged"))]
    pub plugins: Plugins,
}

/// How slash commands are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CommandNames {
    /// By the skills' own ids.
    Own,
    /// With the characters `[a-z0-9_]`, at most 32 of them, as chat services require.
    Sanitised,
    /// Skills have no commands of their own. Only `/skill` and `/skills` work.
    None,
}

/// What a host shows for a [`Meta::List`](crate::resolve::Meta::List).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Listing {
    /// Every skill, also a skill that a person cannot start, with its state.
    #[default]
    Skills,
    /// The slash commands: [`Catalog::commands`](crate::Catalog::commands).
    Commands,
}

impl CommandPolicy {
    /// The policy of the default profile: commands have the skills' own ids.
    pub const DEFAULT: Self = Self::new(CommandNames::Own);

    /// Makes a policy that reserves only `skill` and `skills`.
    pub const fn new(names: CommandNames) -> Self {
        Self {
            names,
            reserved: Cow::Borrowed(&[]),
            scheduled: Text::Borrowed(""),
            listing: Listing::Skills,
            plugins: Plugins::Merged,
        }
    }

    /// Changes what a host shows for `/skill`.
    #[must_use]
    pub const fn listing(mut self, listing: Listing) -> Self {
        self.listing = listing;
        self
    }

    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        matches!(name, "skill" | "skills") || self.reserved.iter().any(|reserved| reserved == name)
    }
}

impl Default for CommandPolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The policy of mentions decides: see [`Profile::command_policy`](crate::Profile::command_policy).
#[cfg(feature = "serde")]
fn merged() -> Plugins {
    Plugins::Merged
}
