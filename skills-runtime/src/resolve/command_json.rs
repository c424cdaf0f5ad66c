//! The JSON of a typed command: one form, whether the command starts a skill or calls a tool.

use crate::resolve::dispatch::Dispatch;
use crate::resolve::invocation::SkillCommand;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct CommandJson<'a> {
    name: &'a str,
    skill: &'a str,
    arguments: Option<&'a str>,
    /// `null`: the command starts the skill.
    dispatch: Option<CallJson<'a>>,
    /// Only of a command that starts the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "tool")]
struct CallJson<'a> {
    /// `null`: the skill's file was not compared yet. `start_all` and the gate compare it.
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
