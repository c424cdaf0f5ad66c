//! How skills become slash commands.

use crate::catalog::names::Plugins;
use skills_format::Text;
use std::borrow::Cow;

/// How skills become slash commands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CommandPolicy {
    /// What they are called.
    pub names: CommandNames,
    /// Names of the host's own commands, without `/`. `skill` and `skills` are always reserved.
    pub reserved: Cow<'static, [Text]>,
    /// Whether a plugin's skills have their qualified ids for names.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub plugins: Plugins,
}

/// What skills are called as slash commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CommandNames {
    /// By their own ids.
    Own,
    /// `[a-z0-9_]`, at most 32 characters, as chat services ask.
    Sanitised,
    /// No skill has a command of its own; there is only `/skill`.
    None,
}

impl CommandPolicy {
    /// The default profile's: every skill under its own name.
    pub const DEFAULT: Self = Self::new(CommandNames::Own);

    /// No reserved names but `skill` and `skills`.
    pub const fn new(names: CommandNames) -> Self {
        Self {
            names,
            reserved: Cow::Borrowed(&[]),
            plugins: Plugins::Merged,
        }
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
