//! What a text means: every mention with its outcome, the skills to activate, the notices, the task.

use crate::command::invocation::Invocation;
use crate::mention::Mention;
use crate::mention::notice::Notice;
use crate::mention::policy::{Arguments, Surface};

/// What a text means to a catalog. Made by [`Catalog::resolve`](crate::Catalog::resolve).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Resolution {
    /// Where the text came from.
    pub surface: Surface,
    /// What the turn becomes.
    pub turn: Turn,
    /// Every mention, in order; one entry for each place.
    pub mentions: Vec<Mention>,
    /// The skills to activate, in order of first mention, each by the id that finds it.
    pub activated: Vec<String>,
    /// What to tell the person, in order.
    pub notices: Vec<Notice>,
    /// The slash command that the text is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub command: Option<Invocation>,
    /// The message as it is sent: the text, without the leading mentions that were activated, and
    /// without the name of a slash command that has arguments.
    pub task: String,
    /// The activated skills of which a mention leads.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) led: Vec<String>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) arguments: Arguments,
}

impl Resolution {
    /// The arguments of an activated skill: a slash command's own; the task where a mention of the
    /// skill leads and the policy says so; else nothing.
    pub fn arguments(&self, skill: &str) -> &str {
        if let Some(Invocation::Skill(command)) = &self.command {
            return &command.arguments;
        }
        let has = self.arguments == Arguments::Task && self.led.iter().any(|led| led == skill);
        if has { &self.task } else { "" }
    }
}

/// What a turn becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Turn {
    /// Nothing is activated; the text goes as it is.
    Plain,
    /// Skills are activated.
    Activate,
    /// Several skills want to lead, and none is activated until a person chooses.
    ChooseOne,
    /// A slash command.
    Command,
}

impl Turn {
    /// `plain`, `activate`, `choose-one` or `command`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Activate => "activate",
            Self::ChooseOne => "choose-one",
            Self::Command => "command",
        }
    }
}
