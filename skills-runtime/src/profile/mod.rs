//! Profiles: how a host names, shows and keeps skills, as plain data.
//!
//! A [`Profile`] holds every choice that hosts make differently. The constants describe existing systems.
//! A host starts from a constant and changes fields. The engine never asks for a profile's name.

mod agenvoy;
mod caliban;
mod codewhale;
mod default;
mod openclaw;
mod ouro;

use crate::options::activation::ActivationOptions;
use crate::options::activation::Envelope;
use crate::options::commands::CommandPolicy;
use crate::options::layout::Layout;
use crate::options::policy::Policy;
use crate::options::prompt::Format;
use crate::options::prompt::{Budget, PromptOptions};
use crate::options::tool_names::{TablePlace, ToolNames};
use crate::options::tool_shape::ToolShape;
use skills_format::Text;

/// How a host names, shows and keeps skills. A host starts from a constant and changes fields.
///
/// ```
/// use skills_runtime::options::ToolNames;
/// use skills_runtime::profile::{Lifetime, Profile};
/// use skills_runtime::options::Format;
///
/// let mut profile = Profile::DEFAULT;
/// profile.name = "my-agent".into();
/// profile.lifetime = Lifetime::Turn;
/// profile.catalog.format = Format::Bullets;
/// profile.commands.reserved = vec!["help".into(), "quit".into()].into();
/// profile.tool_names = ToolNames::new([("AskUserQuestion", "ask_user")])?;
/// assert_eq!(profile.prompt().format, Format::Bullets);
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Profile {
    /// The profile's name.
    pub name: Text,
    /// The document that the profile follows.
    pub reference: Text,
    /// The folders where skills are looked for.
    pub folders: Layout,
    /// How mentions are read, resolved and composed.
    pub mentions: Policy,
    /// How skills become slash commands.
    pub commands: CommandPolicy,
    /// How long a skill stays active.
    pub lifetime: Lifetime,
    /// How long a skill narrows the tools.
    pub narrowing: Narrowing,
    /// What enters the conversation when an active skill is started again.
    pub repeat: Repeat,
    /// Where a host puts an activation.
    pub delivery: Delivery,
    /// The form of an activation's text.
    pub envelope: Envelope,
    /// The line before an activation. Empty: no line.
    pub preamble: Text,
    /// The text that stands once before the first activation. Empty: no text.
    pub rules: Text,
    /// The host's names of the tools that skills call by other names.
    pub tool_names: ToolNames,
    /// How the catalog text is written, and where it goes.
    pub catalog: CatalogText,
    /// The tool that starts a skill. `None`: the model has no such tool.
    pub tool: Option<ToolShape>,
}

/// How long a skill stays active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Lifetime {
    /// For the turn that starts it.
    Turn,
    /// For the conversation. The active skills are a stack: a later skill adds to the earlier skills and
    /// overrides them.
    Conversation,
}

/// How long the `allowed-tools` of a skill narrow the host's tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Narrowing {
    /// For the turn that starts the skill.
    #[default]
    Turn,
    /// As long as the skill is active.
    Lifetime,
    /// Not at all.
    Off,
}

/// What enters the conversation when an active skill is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Repeat {
    /// A line that reminds the model of the skill, with the arguments. When the text has changed, the whole
    /// activation.
    Reminder,
    /// The whole activation again.
    Body,
}

/// Where a host puts an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Delivery {
    /// Into the result of the model's own call. When a person starts the skill, into the user's turn.
    ToolResult,
    /// Into the turn, as guidance beside the user's message.
    Guidance,
    /// Into the user's turn, before the message.
    UserTurn,
    /// Into a tool call and its result. The host makes the call when the model did not:
    /// [`Activation::exchange`](crate::Activation::exchange).
    Exchange,
    /// Nowhere: the model reads the skill's file itself.
    File,
}

/// How the catalog text is written, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CatalogText {
    /// Where the text goes.
    pub place: CatalogPlace,
    /// How each skill is written.
    pub format: Format,
    /// The most that the text may cost.
    pub budget: Budget,
    /// The first line. Empty: no line.
    pub heading: Text,
    /// The text between the heading and the skills. Empty: no text.
    pub intro: Text,
}

/// Where the catalog text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CatalogPlace {
    /// Into the system prompt.
    SystemPrompt,
    /// Into the description of the skill tool.
    ToolDescription,
}

impl Profile {
    /// Every profile, the default first, the others by name.
    pub const ALL: [&'static Self; 6] = [
        &Self::DEFAULT,
        &Self::AGENVOY,
        &Self::CALIBAN,
        &Self::CODEWHALE,
        &Self::OPENCLAW,
        &Self::OURO,
    ];

    /// Changes fields: a profile that differs from a constant is one expression.
    ///
    /// ```
    /// use skills_runtime::Profile;
    /// use skills_runtime::profile::Lifetime;
    /// use std::sync::LazyLock;
    ///
    /// static MINE: LazyLock<Profile> =
    ///     LazyLock::new(|| Profile::DEFAULT.with(|profile| profile.lifetime = Lifetime::Turn));
    /// assert_eq!(MINE.lifetime, Lifetime::Turn);
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Finds a profile by its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// Makes the options of [`Catalog::prompt`](crate::Catalog::prompt).
    pub fn prompt(&self) -> PromptOptions {
        PromptOptions {
            budget: self.catalog.budget,
            heading: self.catalog.heading.clone(),
            intro: self.catalog.intro.clone(),
            plugins: self.mentions.plugins,
            ..PromptOptions::new(self.catalog.format)
        }
    }

    /// Makes the options of an activation. The host adds its variables.
    pub fn activation(&self) -> ActivationOptions {
        ActivationOptions {
            envelope: self.envelope,
            preamble: self.preamble.clone(),
            tool_names: self.tool_names.clone(),
            tool: self.tool.clone(),
            plugins: self.mentions.plugins,
            ..ActivationOptions::default()
        }
    }

    /// Makes the policy of slash commands: [`Profile::commands`], with the plugins of mentions.
    pub fn command_policy(&self) -> CommandPolicy {
        CommandPolicy {
            plugins: self.mentions.plugins,
            ..self.commands.clone()
        }
    }

    /// Returns the profile's rules, with the table of tool names when the table belongs there. Empty: no
    /// rules.
    pub fn rules(&self) -> String {
        let mut rules = self.rules.to_string();
        if self.tool_names.place == TablePlace::Rules {
            self.tool_names.push_table(&mut rules);
        }
        rules
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}
