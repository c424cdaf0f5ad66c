//! How mentions are read, resolved and composed.

use crate::catalog::names::Plugins;

/// Where a text came from. It decides which skills the text may start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Surface {
    /// What a person typed to the agent.
    #[default]
    User,
    /// What a person typed into a command palette.
    Palette,
    /// Text that a model planned with.
    Model,
}

impl Surface {
    /// `user`, `palette` or `model`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Palette => "palette",
            Self::Model => "model",
        }
    }
}

/// How mentions are read, resolved and composed: the part of a profile that concerns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Policy {
    /// Whether `$name` is read at all.
    pub mentions: bool,
    /// What happens when several skills are found.
    pub compose: Compose,
    /// What is told.
    pub notices: Notices,
    /// Whether a plugin's skills answer to their qualified id only.
    pub plugins: Plugins,
    /// What a mention's arguments are.
    pub arguments: Arguments,
    /// How many different skills one text may activate.
    pub limit: usize,
}

impl Policy {
    /// The default profile's.
    pub const DEFAULT: Self = Self {
        mentions: true,
        compose: Compose::ChooseOne,
        notices: Notices::Leading,
        plugins: Plugins::Merged,
        arguments: Arguments::Task,
        limit: 8,
    };
}

impl Default for Policy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What happens when several different skills are found in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Compose {
    /// None is activated and a person chooses; but of exactly two of which exactly one declares
    /// `allowed-tools`, one guides, the other scopes the tools, and both are.
    ChooseOne,
    /// Every one, in order of mention.
    All,
    /// Every one, each later one over the earlier.
    Stack,
}

/// Which outcomes are told to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Notices {
    /// Of unknown and vaguely near mentions only those that lead.
    Leading,
    /// All.
    Always,
    /// Nothing is said of unknown ones.
    SilentUnknown,
}

/// What the arguments of a skill are that a mention started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Arguments {
    /// A leading mention has the task, any other has none.
    Task,
    /// None: the task is the message alone.
    None,
}
