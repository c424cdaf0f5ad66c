//! How mentions are read, resolved and composed.

use crate::options::plugins::Plugins;

/// How mentions are read, resolved and composed: the part of a profile for mentions.
///
/// Start from [`Policy::DEFAULT`] or from a profile's `mentions`, and change fields.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::options::Compose;
/// use skills_runtime::{Catalog, Policy, Surface};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let text = "$code-review it, then $deploy-safely";
/// let mut policy = Policy::DEFAULT;
/// assert!(catalog.resolve(text, Surface::User, &policy).activated.is_empty());
/// policy.compose = Compose::All;
/// let activated = catalog.resolve(text, Surface::User, &policy).activated;
/// assert_eq!(activated, ["code-review", "deploy-safely"]);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Policy {
    /// Whether texts are scanned for `$name`.
    pub mentions: bool,
    /// Whether a text with the form of a host's slash command is scanned.
    pub host_commands: HostCommands,
    /// Whether the answers of the model are scanned.
    #[cfg_attr(feature = "serde", serde(default))]
    pub answers: Answers,
    /// Which skills are activated when a text names several.
    pub compose: Compose,
    /// Which outcomes give a notice.
    pub notices: Notices,
    /// Whether a plugin's skills answer only to their qualified ids.
    pub plugins: Plugins,
    /// Which arguments a skill gets from a mention.
    pub arguments: Arguments,
    /// The most different skills that one text may activate. Also the most ids of one text for which
    /// near matches are searched.
    pub limit: usize,
}

impl Policy {
    /// The policy of the default profile.
    pub const DEFAULT: Self = Self {
        mentions: true,
        host_commands: HostCommands::Unscanned,
        answers: Answers::Scanned,
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

/// Whether a text with the form of a host's slash command is scanned for mentions: `/compact with $demo`.
///
/// The form: white space or nothing, `/`, a word of letters, digits, `-`, `_` and `:`, and white space or the
/// end. A path such as `/usr/bin/env` is text. A model's text is always scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum HostCommands {
    /// The text is the host's. It is not scanned, and gives no notice.
    Unscanned,
    /// The text is scanned as any other text.
    Scanned,
}

/// Whether [`Session::answered`](crate::Session::answered) looks for mentions in an answer of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Answers {
    /// A skill that an answer names is started, for the next turn.
    #[default]
    Scanned,
    /// Only people name skills with `$`.
    Unscanned,
}

/// Which skills are activated when a text names several different skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Compose {
    /// No skill is activated, and a notice asks the person to choose one.
    ///
    /// There is one exception. When the text names two skills and exactly one of them declares
    /// `allowed-tools`, both are activated: one skill guides, the other limits the tools.
    ChooseOne,
    /// All of them are activated, in order of mention.
    All,
}

/// Which outcomes give a notice to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Notices {
    /// All outcomes, with an exception: unknown and vaguely near mentions give a notice only when they
    /// lead. An unknown mention in a model's text gives no notice.
    Leading,
    /// All outcomes, in a model's text too.
    Always,
    /// As [`Notices::Leading`], and unknown mentions never give a notice.
    SilentUnknown,
}

/// Which arguments a skill gets from a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Arguments {
    /// A leading mention gives the task as arguments. Any other mention gives no arguments.
    Task,
    /// A mention gives no arguments: the task is only the message.
    None,
}
