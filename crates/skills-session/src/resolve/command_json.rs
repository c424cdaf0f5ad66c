//! Writes a typed command as JSON. A command that starts a skill and a command that calls a tool have
//! one form.

use crate::resolve::dispatch::Dispatch;
use crate::resolve::invocation::SkillCommand;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct CommandJson<'a> {
    name: &'a str,
    skill: &'a str,
    arguments: Option<&'a str>,
    /// The tool call. `null`: the command starts the skill.
    dispatch: Option<CallJson<'a>>,
    /// The message, only for a command that starts the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "tool")]
struct CallJson<'a> {
    /// The tool. `null`: the skill's file is not compared yet; `start_all` and the gate compare it.
    tool: Option<&'a str>,
    arguments: Option<&'a str>,
}

impl Serialize for SkillCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = CommandJson {
            name: &self.name,
            skill: &self.skill,
            arguments: Some(&self.arguments),
            dispatch: None,
            message: Some(&self.message),
        };
        json.serialize(serializer)
    }
}

impl Serialize for Dispatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = CommandJson {
            name: &self.name,
            skill: &self.skill,
            arguments: self.shown().map(|(_, arguments)| arguments),
            dispatch: Some(CallJson {
                tool: self.shown().map(|(tool, _)| tool),
                arguments: self.shown().map(|(_, arguments)| arguments),
            }),
            message: None,
        };
        json.serialize(serializer)
    }
}
