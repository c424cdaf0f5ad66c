//! The options of slash commands.

use skills_format::Text;
use std::borrow::Cow;

/// The options of slash commands: the part of a profile that turns skills into commands.
///
/// ```
/// use skills_session::Profile;
/// use skills_session::options::CommandNames;
///
/// let mut profile = Profile::DEFAULT;
/// profile.commands.names = CommandNames::Sanitised;
/// profile.commands.reserved = vec!["help".into(), "quit".into()].into();
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CommandPolicy {
    /// The form of the commands' names.
    pub names: CommandNames,
    /// The names of the host's own commands, without `/`. `skill` and `skills` are always reserved. If there are names,
    /// a command that neither the host nor a skill has gives [`Outcome::Unknown`](skills_runtime::Outcome::Unknown).
    pub reserved: Cow<'static, [Text]>,
    /// The prefix of the commands of scheduled skills, without `/`. Empty: scheduled skills have no
    /// commands.
    pub scheduled: Text,
    /// The list that a host shows for `/skill` and `/skills`.
    pub listing: Listing,
}

/// The form of the names of slash commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CommandNames {
    /// The skills' own ids.
    Own,
    /// Names of at most 32 of the characters `[a-z0-9_]`, as chat services require.
    Sanitised,
    /// No commands of skills. Only `/skill` and `/skills` work.
    None,
}

/// The list that a host shows for a [`Request::List`](crate::resolve::Request::List).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Listing {
    /// Every skill with its state, including skills that a person cannot start.
    #[default]
    Skills,
    /// The slash commands: [`Profile::commands`](crate::Profile::commands).
    Commands,
}

impl CommandPolicy {
    /// The policy of the default profile: commands have the skills' own ids, and those of scheduled skills a prefix.
    pub(crate) const DEFAULT: Self = Self {
        names: CommandNames::Own,
        reserved: Cow::Borrowed(&[]),
        scheduled: Text::Borrowed("sched-"),
        listing: Listing::Skills,
    };

    /// Makes a policy that reserves only `skill` and `skills`.
    pub(crate) const fn new(names: CommandNames) -> Self {
        Self {
            names,
            reserved: Cow::Borrowed(&[]),
            scheduled: Text::Borrowed(""),
            listing: Listing::Skills,
        }
    }

    /// Sets the list that a host shows for `/skill`.
    pub(crate) const fn listing(mut self, listing: Listing) -> Self {
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
