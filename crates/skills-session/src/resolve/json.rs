//! Writes a resolution as JSON, in one form for every text.

use crate::resolve::dispatch::Dispatch;
use crate::resolve::invocation::{Request, SkillCommand};
use crate::resolve::notice::Notice;
use crate::resolve::resolution::{Effect, Resolution};
use serde::{Serialize, Serializer};
use skills_runtime::Surface;
use skills_runtime::resolve::Mention;

#[derive(Serialize)]
struct ResolutionJson<'r> {
    surface: Surface,
    turn: &'static str,
    mentions: &'r [Mention],
    activated: Vec<&'r str>,
    notices: &'r [Notice],
    /// The command, only for a slash command.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<CommandJson<'r>>,
    task: &'r str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CommandJson<'r> {
    Skill(&'r SkillCommand),
    Dispatch(&'r Dispatch),
    Request(&'r Request),
}

impl Serialize for Resolution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = ResolutionJson {
            surface: self.surface,
            turn: self.effect.as_str(),
            mentions: &self.mentions,
            activated: self.activated(),
            notices: &self.notices,
            command: match &self.effect {
                Effect::Command => self.command.as_ref().map(CommandJson::Skill),
                Effect::Dispatch(dispatch) => Some(CommandJson::Dispatch(dispatch)),
                Effect::Request(meta) => Some(CommandJson::Request(meta)),
                Effect::Plain
                | Effect::Activate
                | Effect::ChooseOne
                | Effect::Refused(_)
                | Effect::NotCalled(_) => None,
            },
            task: &self.task,
        };
        json.serialize(serializer)
    }
}
