//! What a text that begins with `/` means: a skill's command, or what `/skill` asks.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::ids::{for_user, for_user_asleep, id_of};
use crate::command::dispatch::Dispatch;
use crate::command::names::names;
use crate::command::policy::{CommandNames, CommandPolicy};
use crate::mention::notice::Notice;
use crate::mention::policy::Surface;
use skills_format::{command_base, nfc};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a text that is a slash command means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Invocation {
    /// A skill starts.
    Skill(SkillCommand),
    /// A tool is called, with no turn of the model.
    Dispatch(Dispatch),
    /// The host carries out what `/skill` and `/skills` ask.
    Meta(Meta),
    /// A skill's own name whose skill cannot be started. The text is sent as it is.
    Refused(Notice),
}

/// A slash command that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillCommand {
    /// The command as it was typed, without `/`.
    pub name: String,
    /// The id that finds the skill.
    pub skill: String,
    /// What was typed after the name, over all lines, without white space at its ends.
    pub arguments: String,
    /// The message as it is sent: the arguments; where there are none, the text as it was typed.
    pub message: String,
}

/// With `dispatch: null` beside the fields: no tool is called.
#[cfg(feature = "serde")]
impl serde::Serialize for SkillCommand {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut command = serializer.serialize_struct("SkillCommand", 5)?;
        command.serialize_field("name", &self.name)?;
        command.serialize_field("skill", &self.skill)?;
        command.serialize_field("arguments", &self.arguments)?;
        command.serialize_field("dispatch", &None::<()>)?;
        command.serialize_field("message", &self.message)?;
        command.end()
    }
}

/// What `/skill` or `/skills` asks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "meta", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Meta {
    /// `/skill`, `/skill list`: every command with its description, and whether it dispatches.
    List,
    /// `/skill enable ID`
    Enable {
        /// The skill.
        id: String,
    },
    /// `/skill disable ID`
    Disable {
        /// The skill.
        id: String,
    },
    /// `/skill trust ID`
    Trust {
        /// The skill.
        id: String,
    },
    /// `/skill run ID ARGUMENTS`, `/skill ID ARGUMENTS`
    Run {
        /// The skill.
        id: String,
        /// What follows it.
        arguments: String,
    },
    /// `/skill enable` and the like, with no skill named: say what is missing.
    Incomplete {
        /// `enable`, `disable`, `trust` or `run`.
        verb: String,
    },
}

impl Catalog {
    /// What a text means that begins with `/`. `None` when it is no command of a skill: then it is
    /// the host's, untouched.
    ///
    /// The first line names the command; all that follows is its arguments. A command's name comes
    /// before a skill's own name.
    pub fn command(&self, text: &str, policy: &CommandPolicy) -> Option<Invocation> {
        let Slash { name, rest } = Slash::parse(text)?;
        if matches!(name, "skill" | "skills") {
            return Some(Invocation::Meta(Meta::parse(rest)));
        }
        if policy.names == CommandNames::None || policy.is_reserved(name) {
            return None;
        }
        let typed = nfc(name);
        let (skill, entry) = match self.command_skill(&typed, policy)? {
            Ok(found) => found,
            Err(notice) => return Some(Invocation::Refused(notice)),
        };
        let arguments = rest.trim();
        Some(match entry.fields().command_tool.as_deref() {
            Some(tool) => Invocation::Dispatch(Dispatch::new(name, &skill, tool, verbatim(rest))),
            None => Invocation::Skill(SkillCommand {
                name: name.to_owned(),
                skill,
                arguments: arguments.to_owned(),
                message: if arguments.is_empty() {
                    text
                } else {
                    arguments
                }
                .to_owned(),
            }),
        })
    }

    /// The skill of a command. `None`: no skill has it.
    fn command_skill(
        &self,
        name: &str,
        policy: &CommandPolicy,
    ) -> Option<Result<(String, Entry<'_>), Notice>> {
        let skills: Vec<_> = for_user(self, policy.plugins).collect();
        let commands = names(skills.iter().map(|skill| &*skill.id), policy);
        let named = |name: &str| commands.iter().position(|command| command == name);
        let lower = || {
            let lower = name.to_lowercase();
            (policy.names == CommandNames::Sanitised && lower != name).then_some(lower)
        };
        let at = named(name).or_else(|| named(&lower()?));
        if let Some(skill) = at.and_then(|at| skills.get(at)) {
            return Some(Ok((skill.id.to_string(), skill.entry)));
        }
        let is_own_name = match name.split_once(':') {
            Some((source, name)) => self.in_source(source, name).is_some(),
            None => self.named(name).next().is_some(),
        };
        let id = if is_own_name {
            name.into()
        } else {
            self.sleeping(name, policy)?
        };
        match self.find(&id, Surface::User, policy.plugins) {
            Ok(entry) => Some(Ok((id_of(&entry, policy.plugins).into_owned(), entry))),
            Err(Notice::Unknown { .. }) => None,
            Err(notice) => {
                let ids = skills.iter().map(|skill| &*skill.id).zip(&commands);
                Some(Err(of_command(name, notice, &ids.collect())))
            }
        }
    }

    /// The id of a skill that a person cannot start now and that would have the command's name: who
    /// knew it by that name is told.
    fn sleeping(&self, name: &str, policy: &CommandPolicy) -> Option<Cow<'_, str>> {
        if policy.names != CommandNames::Sanitised {
            return None;
        }
        let name = name.to_lowercase();
        if policy.is_reserved(&name) {
            return None;
        }
        let mut skills = for_user_asleep(self, policy.plugins);
        skills
            .find(|skill| command_base(&skill.id) == name)
            .map(|skill| skill.id)
    }
}

/// What is told of a mention, for a command: what to type instead begins with `/` where that is a
/// command.
fn of_command(name: &str, notice: Notice, commands: &HashMap<&str, &String>) -> Notice {
    let typed = |id: &str| match commands.get(id) {
        Some(command) => format!("/{command}"),
        None => format!("${id}"),
    };
    let (candidates, use_id) = match &notice {
        Notice::ModelOnly { skill } => {
            let skill = skill.clone();
            return Notice::ModelOnlyCommand { skill };
        }
        Notice::Suggestion { suggestion, .. } => (std::slice::from_ref(suggestion), suggestion),
        Notice::Ambiguous {
            candidates, use_id, ..
        } => (&**candidates, use_id),
        _ => return notice,
    };
    Notice::AmbiguousCommand {
        name: name.to_owned(),
        candidates: candidates.iter().map(|id| typed(id)).collect(),
        use_id: typed(use_id),
    }
}

/// A text that begins with `/` and a name.
struct Slash<'t> {
    name: &'t str,
    /// What follows the name.
    rest: &'t str,
}

impl<'t> Slash<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        (!name.is_empty()).then_some(Self { name, rest })
    }
}

impl Meta {
    fn parse(text: &str) -> Self {
        let (verb, rest) = first_word(text);
        let (id, arguments) = first_word(rest);
        let given = || id.to_owned();
        match verb {
            "" | "list" => Self::List,
            "enable" | "disable" | "trust" | "run" if id.is_empty() => Self::Incomplete {
                verb: verb.to_owned(),
            },
            "enable" => Self::Enable { id: given() },
            "disable" => Self::Disable { id: given() },
            "trust" => Self::Trust { id: given() },
            "run" => Self::Run {
                id: given(),
                arguments: arguments.to_owned(),
            },
            id => Self::Run {
                id: id.to_owned(),
                arguments: rest.to_owned(),
            },
        }
    }
}

/// What a tool is given: all but the white space behind the command's name, and one line end, which
/// ends what was typed and is no part of it.
fn verbatim(rest: &str) -> &str {
    let rest = rest.trim_start();
    let line = rest.strip_suffix("\r\n").or(rest.strip_suffix('\n'));
    line.unwrap_or(rest)
}

/// The first word, and what follows it, both without white space at their ends.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
