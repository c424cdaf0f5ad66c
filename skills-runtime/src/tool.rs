//! The tools that a model has for skills: their definitions, and calls of them.

use crate::catalog::Catalog;
use crate::list_tool::ListTool;
use crate::profile::Profile;
use crate::resource_tool::ResourceTool;
use crate::skill_tool::SkillTool;
use serde::Serialize;
use serde_json::{Map, Value, json};
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
                    format_args!("No tool named '{tool}'. The tools: {}.", names.join(", ")),
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
        }
    }

    /// Why.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
