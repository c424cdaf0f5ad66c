//! The tools that a model has for skills: their definitions, and calls of them.

pub(crate) mod call;
pub(crate) mod error;
pub(crate) mod list;
pub(crate) mod resource;
pub(crate) mod skill;
pub(crate) mod spec;

pub use error::{ToolError, ToolErrorKind};
pub use skill::SkillTool;
pub use spec::ToolSpec;

use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::tool::error::echoed;
use crate::tool::list::ListTool;
use crate::tool::resource::ResourceTool;

/// All tools of a profile over one catalog.
#[derive(Clone, Debug)]
pub struct Tools {
    skill: Option<SkillTool>,
    list: ListTool,
    resource: ResourceTool,
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

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
