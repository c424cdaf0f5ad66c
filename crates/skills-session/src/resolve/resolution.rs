//! The resolution of a text: its mentions, the skills to activate, the notices and the task.

use crate::options::policy::Arguments;
use crate::resolve::dispatch::Dispatch;
use crate::resolve::invocation::{Request, SkillCommand};
use crate::resolve::notice::Notice;
use skills_runtime::Surface;
use skills_runtime::resolve::{Mention, SkillToStart};

/// The meaning of a text: its mentions, the skills to activate, the notices and the task.
///
/// [`Profile::resolve`](crate::Profile::resolve) returns this type.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::{Catalog, Surface};
/// use skills_session::Profile;
/// use skills_session::resolve::Effect;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let profile = Profile::DEFAULT;
/// let text = "$code-review the parser";
/// let resolution = profile.resolve(&catalog, text, Surface::User);
/// assert_eq!(resolution.effect, Effect::Activate);
/// assert_eq!(resolution.activated(), ["code-review"]);
/// assert_eq!(resolution.task, "the parser");
/// assert_eq!(resolution.arguments("code-review"), "the parser");
///
/// let (resolution, activations) = resolution.start_all(text, &catalog, &profile);
/// assert_eq!(activations.len(), 1);
/// for notice in &resolution.notices {
///     println!("{notice}");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution {
    /// The origin of the text.
    pub surface: Surface,
    /// The effect of the text.
    pub effect: Effect,
    /// Every mention, in the order of the text. A skill that is named twice has two mentions.
    pub mentions: Vec<Mention>,
    /// The notices for the person, in order.
    pub notices: Vec<Notice>,
    /// The message to send: the text without the leading mentions that are activated, or the arguments
    /// of a slash command. A slash command without arguments is sent whole.
    pub task: String,
    /// The skills to activate, in order of first mention.
    pub(crate) skills: Vec<SkillToStart>,
    pub(crate) arguments: Arguments,
    /// The command of [`Effect::Command`].
    pub(crate) command: Option<SkillCommand>,
}

impl Resolution {
    /// Returns the ids of the skills to activate, in order of first mention.
    pub fn activated(&self) -> Vec<&str> {
        self.skills.iter().map(SkillToStart::id).collect()
    }

    /// Returns whether a skill would have arguments if its mention led the text.
    pub(crate) fn carries_no_arguments(&self, skill: &SkillToStart) -> bool {
        self.command.is_none() && self.arguments == Arguments::Task && !skill.leads
    }

    /// Returns the arguments of an activated skill, given by its id. Empty: the skill has no arguments.
    ///
    /// A slash command passes its own arguments. A leading mention passes the task if the policy's
    /// [`Arguments`] is [`Arguments::Task`].
    pub fn arguments(&self, skill: &str) -> &str {
        if let Some(command) = &self.command {
            return &command.arguments;
        }
        let has = self.arguments == Arguments::Task
            && self
                .skills
                .iter()
                .any(|named| named.leads && named.id() == skill);
        if has { &self.task } else { "" }
    }
}

/// The effect of a text, with all its data.
///
/// The enum is exhaustive on purpose: a new variant is a breaking change of this crate, so that no host
/// ignores a variant unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No skill is activated. The host sends the text unchanged.
    Plain,
    /// Skills are activated. The host sends the task with their activations.
    Activate,
    /// The text names several skills, and a person has to choose one. No skill is activated, and no
    /// message is sent.
    ChooseOne,
    /// A slash command starts a skill. The host sends the task with its activation.
    Command,
    /// A slash command calls a tool without a turn of the model. The host asks its gate.
    Dispatch(Dispatch),
    /// A request of `/skill`: see [`Request`].
    Request(Request),
    /// A slash command names a skill that cannot be started. The notices of the resolution hold this
    /// notice. The host sends the text unchanged.
    Refused(Notice),
    /// A slash command calls a tool, and its skill cannot be started; or the arguments of a slash command do not
    /// fit the types of its skill. The notices of the resolution hold this notice. No tool is called and no message is
    /// sent: the text was not meant for the model.
    NotCalled(Notice),
}

impl Effect {
    /// Returns the effect's name in JSON: `plain`, `activate`, `choose-one` or `command`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Plain | Self::Refused(_) => "plain",
            Self::Activate => "activate",
            Self::ChooseOne => "choose-one",
            Self::Command | Self::Dispatch(_) | Self::Request(_) | Self::NotCalled(_) => "command",
        }
    }
}
