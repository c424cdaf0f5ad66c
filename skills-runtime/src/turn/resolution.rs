//! What a text means: every mention with its outcome, the skills to activate, the notices, the task.

use crate::command::invocation::Invocation;
use crate::mention::notice::Notice;
use skills_format::Span;
use std::sync::Arc;

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

/// One place of a text that names a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Mention {
    /// The bytes of the text, from `$` to the last one of the id.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub span: Span,
    /// The text at `span`.
    pub raw: String,
    /// Whether only white space and other mentions stand before it.
    pub leads: bool,
    /// What it means.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub outcome: Outcome,
}

/// What a mention means. Ids are those that find the skill when they are typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "outcome", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Outcome {
    /// A skill that may be activated.
    Found {
        /// The name; the qualified id when the bare name would find another skill.
        skill: String,
        /// The name of its source.
        source: String,
    },
    /// No skill has the id, and none is near.
    Unknown,
    /// No skill has the id, and one is near. It is not activated.
    Suggestion {
        /// The near one.
        suggestion: String,
        /// In what way it is near.
        kind: NearKind,
    },
    /// Several skills answer to it, or are near it. None is activated.
    Ambiguous {
        /// All of them, in order; one list for all mentions of the id.
        candidates: Arc<[String]>,
        /// The one to offer.
        #[cfg_attr(feature = "serde", serde(rename = "use"))]
        use_id: String,
        /// In what way they are near; `None` when they have exactly the id.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        kind: Option<NearKind>,
    },
    /// The skill is switched off.
    Disabled {
        /// The skill.
        skill: String,
    },
    /// The skill is of a source that is not trusted.
    Untrusted {
        /// The skill.
        skill: String,
    },
    /// The host lacks what the skill needs.
    Ineligible {
        /// The skill.
        skill: String,
        /// What is missing, in words.
        needs: Vec<String>,
    },
    /// This surface may not start the skill.
    NotInvocable {
        /// The skill.
        skill: String,
    },
    /// More skills were found in the text than one text may name.
    TooMany {
        /// The skill.
        skill: String,
    },
    /// A backslash says that it is none.
    Escaped,
    /// `$source:*`, kept for later.
    Reserved,
}

impl Outcome {
    /// `found`, `unknown`, `not-invocable` and so on.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Found { .. } => "found",
            Self::Unknown => "unknown",
            Self::Suggestion { .. } => "suggestion",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Disabled { .. } => "disabled",
            Self::Untrusted { .. } => "untrusted",
            Self::Ineligible { .. } => "ineligible",
            Self::NotInvocable { .. } => "not-invocable",
            Self::TooMany { .. } => "too-many",
            Self::Escaped => "escaped",
            Self::Reserved => "reserved",
        }
    }

    /// The one skill that the mention hits, whether it may be activated or not.
    pub fn skill(&self) -> Option<&str> {
        match self {
            Self::Found { skill, .. }
            | Self::Disabled { skill }
            | Self::Untrusted { skill }
            | Self::Ineligible { skill, .. }
            | Self::NotInvocable { skill }
            | Self::TooMany { skill } => Some(skill),
            _ => None,
        }
    }
}

/// In what way a name is near an id, the nearest first. All without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum NearKind {
    /// The same but for case.
    Equal,
    /// `tdd` for `test-driven-development`.
    Initials,
    /// The same words in another order.
    Order,
    /// Its beginning, of 3 characters or more.
    Prefix,
    /// A slip of the finger: one edit up to 5 characters, two above.
    Distance,
    /// A part of 3 characters or more.
    Part,
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

/// What a plugin's skills answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Plugins {
    /// Bare names, merged with all others.
    Merged,
    /// `plugin:name` only.
    Namespaces,
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
