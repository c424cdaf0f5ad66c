//! The meaning of a text that begins with `/`: the command of a skill, or a request of `/skill`.

use crate::catalog::place::Place;
use crate::resolve::dispatch::Dispatch;
use crate::resolve::notice::Notice;

/// The meaning of a slash command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Invocation {
    /// The command starts a skill.
    Skill(SkillCommand),
    /// The command calls a tool without a turn of the model.
    Dispatch(Dispatch),
    /// A request of `/skill` or `/skills`: see [`Request`].
    Request(Request),
    /// The name of a skill that cannot be started. The host sends the text unchanged.
    Refused(Notice),
    /// The command of a skill that calls a tool and cannot be started. The host calls no tool and sends
    /// no message: the text was not meant for the model.
    NotCalled(Notice),
}

/// A slash command that starts a skill.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
/// use skills_runtime::options::CommandPolicy;
/// use skills_runtime::resolve::Invocation;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let Some(Invocation::Skill(command)) =
///     catalog.command("/code-review src/parser.rs", &CommandPolicy::DEFAULT)
/// else {
///     panic!("the command of a skill");
/// };
/// assert_eq!((&*command.skill, &*command.message), ("code-review", "src/parser.rs"));
/// let activation = command.activate(&catalog, &Default::default())?;
/// assert!(activation.text.contains("ARGUMENTS: src/parser.rs"));
/// # }
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillCommand {
    /// The command's name as typed, without `/`.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The text after the name, across all lines, without white space at its ends.
    pub arguments: String,
    /// The message to send: the arguments, or the whole text if there are no arguments.
    pub message: String,
    /// `None`: the skill is scheduled, and lies in a catalog of its own.
    pub(crate) place: Option<Place>,
}

/// A request of `/skill` or `/skills`.
///
/// [`Session::turn`](crate::Session::turn) carries out `Stop`, `Run` and `Incomplete`. The host carries out
/// `List`, `Enable`, `Disable` and `Trust`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "meta", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Request {
    /// `/skill`, `/skill list`: show what [`CommandPolicy::listing`](crate::options::CommandPolicy::listing) says. Of commands, show the description
    /// and the tool. Of skills, also show the disabled, untrusted and ineligible ones, with the reason.
    List,
    /// `/skill enable ID`: switch a skill on.
    Enable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill disable ID`: switch a skill off.
    Disable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill trust ID`: trust a skill as it is.
    Trust {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill stop`, `/skill stop ID`: end the active skills, or one of them.
    Stop {
        /// The skill's id, as above. `None`: all active skills.
        id: Option<String>,
    },
    /// `/skill run ID ARGUMENTS`, `/skill ID ARGUMENTS`: start a skill. A skill whose command calls a tool
    /// gives a [`Dispatch`] instead, as its command does.
    Run {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
        /// The text after the id, without white space at its ends.
        arguments: String,
    },
    /// `/skill enable` and the like without an id: ask for the id.
    Incomplete {
        /// `enable`, `disable`, `trust` or `run`.
        verb: String,
    },
}
