//! How a host lets skills be named, read and kept: plain data, one constant a file.

mod agenvoy;
mod caliban;
mod codewhale;
mod default;
mod openclaw;
mod ouro;

use crate::activation::ActivationOptions;
use crate::activation::envelope::Envelope;
use crate::activation::exchange::ToolShape;
use crate::activation::tool_names::{TablePlace, ToolNames};
use crate::command::policy::CommandPolicy;
use crate::mention::policy::Policy;
use crate::prompt::format::Format;
use crate::prompt::options::{Budget, PromptOptions};
use crate::source::layout::Layout;
use skills_format::Text;

/// How a host lets skills be named, read and kept. A host starts from one and changes fields; the
/// engine knows none by name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Profile {
    /// What it is called.
    pub name: Text,
    /// What it follows.
    pub reference: Text,
    /// Where skills are looked for.
    pub folders: Layout,
    /// How mentions are read, resolved and composed.
    pub mentions: Policy,
    /// How skills become slash commands.
    pub commands: CommandPolicy,
    /// How long a skill stays active.
    pub lifetime: Lifetime,
    /// What enters when an active skill is started again.
    pub repeat: Repeat,
    /// Where a host puts an activation.
    pub delivery: Delivery,
    /// The form of an activation's text.
    pub envelope: Envelope,
    /// A line that stands before an activation; empty: none.
    pub preamble: Text,
    /// Text that stands once before the first activation; empty: none.
    pub rules: Text,
    /// What the host calls the tools that skills name otherwise.
    pub tool_names: ToolNames,
    /// The catalog text.
    pub catalog: CatalogText,
    /// The tool that starts a skill; none: the model has no such tool.
    pub tool: Option<ToolShape>,
}

/// How long a skill stays active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Lifetime {
    /// For the turn that names it: nothing carries over unless it is named again.
    Turn,
    /// For the conversation: a stack, later skills over earlier ones.
    Conversation,
}

/// What enters the conversation when an active skill is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Repeat {
    /// A line that reminds of it, and the arguments, where nothing else has changed.
    Reminder,
    /// The same again.
    Body,
}

/// Where a host puts an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Delivery {
    /// The result of the model's own call, or the user's turn when a person started it.
    ToolResult,
    /// The turn, as guidance beside the user's message.
    Guidance,
    /// The user's turn, before the message.
    UserTurn,
    /// A tool call and its result, made up where the model made none.
    Exchange,
    /// The model reads the file itself.
    File,
}

/// How the catalog text is written, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CatalogText {
    /// Where it goes.
    pub place: CatalogPlace,
    /// How a skill is written.
    pub format: Format,
    /// What it may cost.
    pub budget: Budget,
    /// The first line; empty: none.
    pub heading: Text,
    /// What stands between the heading and the skills; empty: nothing.
    pub intro: Text,
}

/// Where the catalog text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
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
    /// Every profile, in the order of its name; the default first.
    pub const ALL: [&'static Self; 6] = [
        &Self::DEFAULT,
        &Self::AGENVOY,
        &Self::CALIBAN,
        &Self::CODEWHALE,
        &Self::OPENCLAW,
        &Self::OURO,
    ];

    /// The profile of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// How the catalog text is written.
    pub fn prompt(&self) -> PromptOptions {
        PromptOptions {
            budget: self.catalog.budget,
            heading: self.catalog.heading.clone(),
            intro: self.catalog.intro.clone(),
            plugins: self.mentions.plugins,
            ..PromptOptions::new(self.catalog.format)
        }
    }

    /// How an activation is written.
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

    /// How slash commands are named: [`Profile::commands`], with plugins as mentions have them.
    pub fn command_policy(&self) -> CommandPolicy {
        CommandPolicy {
            plugins: self.mentions.plugins,
            ..self.commands.clone()
        }
    }

    /// The rules, with the table of tool names where it stands there; empty: none.
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
