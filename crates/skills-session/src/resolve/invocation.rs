//! The meaning of a text that begins with `/`: the command of a skill, or a request of `/skill`.

use crate::resolve::dispatch::Dispatch;
use crate::resolve::notice::Notice;
use skills_runtime::resolve::SkillToStart;

/// The meaning of a slash command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Invocation {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillCommand {
    /// The command's name as typed, without `/`.
    pub(crate) name: String,
    /// The id of the skill.
    pub(crate) skill: String,
    /// The text after the name, across all lines, without white space at its ends.
    pub(crate) arguments: String,
    /// The message to send: the arguments, or the whole text if there are no arguments.
    pub(crate) message: String,
    pub(crate) found: SkillToStart,
}

/// A request of `/skill` or `/skills`.
///
/// The host carries out the request. [`Session::turn`](crate::Session::turn) carries out [`Request::Stop`] and
/// [`Request::Run`], and answers [`Request::Help`]: only a host without a session meets these three.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "meta", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Request {
    /// `/skill`, `/skill list`: list the skills, also the disabled, untrusted and ineligible ones, with the reason.
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
    /// `/skill untrust ID`: withdraw the trust in a skill.
    Untrust {
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
    /// `/skill help`, or `/skill enable` and the like without an id: say how requests are typed.
    Help {
        /// The verb that lacks an id: `enable`, `disable`, `trust`, `untrust` or `run`. `None`: help about all requests.
        verb: Option<String>,
    },
}
