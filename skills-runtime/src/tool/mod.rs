//! The tools that a model has for skills: their definitions, and calls of them.

pub(crate) mod call;
pub(crate) mod list;
pub(crate) mod resource;
pub(crate) mod skill;

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::mention::notice::Notice;
use crate::profile::Profile;
use crate::tool::list::ListTool;
use crate::tool::resource::ResourceTool;
use crate::tool::skill::SkillTool;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;

/// All tools of a profile over one catalog.
#[derive(Clone, Debug)]
pub struct Tools {
    skill: Option<SkillTool>,
    list: ListTool,
    resource: ResourceTool,
}

/// A tool's definition. The common provider APIs take the schema as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// What the model calls.
    pub name: String,
    /// When to call it, and what it gives.
    pub description: String,
    /// JSON Schema of the arguments: an object, keys sorted.
    pub parameters: Value,
}

/// A call that gives no result. `Display` is what the model is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    notice: Option<Box<Notice>>,
    file: Option<(String, ErrorKind)>,
}

/// The most characters of a word of a call that an error repeats.
const ECHOED: usize = 64;

/// A word of a call as an error repeats it: a model can write anything.
pub(crate) fn echoed(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(ECHOED) {
        Some((end, _)) => [word.get(..end).unwrap_or_default(), "…"].concat().into(),
        None => word.into(),
    }
}

/// Why a call gives no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// No tool has the name.
    UnknownTool,
    /// The arguments are not those of the schema.
    Arguments,
    /// No skill answers to the id, or not to the model.
    Skill,
    /// The skill's files cannot be had.
    Files,
}

impl Tools {
    /// The tools of a profile: the skill tool where it has one, `list_skills`,
    /// `read_skill_resource`.
    pub fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let plugins = profile.mentions.plugins;
        Self {
            skill: SkillTool::new(catalog, profile),
            list: ListTool::new(catalog, plugins),
            resource: ResourceTool::new(catalog, plugins),
        }
    }

    /// The tool that starts skills.
    pub fn skill(&self) -> Option<&SkillTool> {
        self.skill.as_ref()
    }

    /// The same, to set what the host supplies.
    pub fn skill_mut(&mut self) -> Option<&mut SkillTool> {
        self.skill.as_mut()
    }

    /// Their definitions. The same catalog and profile give the same bytes.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let skill = self.skill.iter().map(SkillTool::spec);
        skill
            .chain([self.list.spec(), self.resource.spec()])
            .collect()
    }

    /// Answers a call, whatever the arguments are.
    pub fn call(&self, tool: &str, arguments: &str) -> Result<String, ToolError> {
        match (&self.skill, tool) {
            (Some(skill), name) if skill.name() == name => skill.call(arguments),
            (_, ListTool::NAME) => self.list.call(arguments),
            (_, ResourceTool::NAME) => self.resource.call(arguments),
            _ => {
                let names: Vec<String> = self.specs().into_iter().map(|spec| spec.name).collect();
                Err(ToolError::new(
                    ToolErrorKind::UnknownTool,
                    format_args!(
                        "No tool named '{}'. The tools: {}.",
                        echoed(tool),
                        names.join(", ")
                    ),
                ))
            }
        }
    }
}

impl ToolSpec {
    /// `properties` in the order of their names.
    pub(crate) fn new(
        name: &str,
        description: String,
        properties: impl IntoIterator<Item = (String, Value)>,
        required: &[&str],
    ) -> Self {
        Self {
            name: name.to_owned(),
            description,
            parameters: json!({
                "additionalProperties": false,
                "properties": properties.into_iter().collect::<Map<_, _>>(),
                "required": required,
                "type": "object",
            }),
        }
    }
}

impl ToolError {
    pub(crate) fn new(kind: ToolErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            notice: None,
            file: None,
        }
    }

    /// No skill answers to an id, or not to the model.
    pub(crate) fn of_skill(message: impl fmt::Display, notice: Notice) -> Self {
        Self {
            notice: Some(Box::new(notice)),
            ..Self::new(ToolErrorKind::Skill, message)
        }
    }

    /// A skill's file cannot be had.
    pub(crate) fn of_file(message: impl fmt::Display, skill: &Entry<'_>, kind: ErrorKind) -> Self {
        Self {
            file: Some((skill.id().into_owned(), kind)),
            ..Self::new(ToolErrorKind::Files, message)
        }
    }

    /// An activation or a file of a skill that cannot be had.
    pub(crate) fn of_error(error: &Error, skill: &Entry<'_>) -> Self {
        Self::of_file(error, skill, error.kind())
    }

    /// Why.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// What a person would be told of the skill that is asked for, where that is why.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_deref()
    }

    /// The id of the skill of which a file cannot be had, and what is wrong, where that is why.
    pub fn file(&self) -> Option<(&str, ErrorKind)> {
        let (skill, kind) = self.file.as_ref()?;
        Some((skill, *kind))
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
