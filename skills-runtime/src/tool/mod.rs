//! The tools that a model has for skills: their definitions, and the answers to calls.
//!
//! [`Tools`] holds the skill tool of a profile, `list_skills` and `read_skill_resource`. Whatever a model
//! puts into a call, the answer is a text or a [`ToolError`] with a message for the model.

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

/// All tools of a profile, for one catalog.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::tool::ToolErrorKind;
/// use skills_runtime::{Catalog, Profile, Tools};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let tools = Tools::new(&catalog, &Profile::DEFAULT);
/// let names: Vec<String> = tools.specs().into_iter().map(|spec| spec.name).collect();
/// assert_eq!(names, ["skill", "list_skills", "read_skill_resource"]);
///
/// let text = tools.call("skill", r#"{"name":"code-review","arguments":"the parser"}"#)?;
/// assert!(text.contains("ARGUMENTS: the parser"));
/// let error = tools.call("skill", r#"{"name":"deploy"}"#).unwrap_err();
/// assert_eq!(error.kind(), ToolErrorKind::Skill);
/// assert_eq!(error.to_string(), "No skill is named 'deploy'. The nearest is 'deploy-safely'.");
/// # }
/// # Ok::<(), skills_runtime::tool::ToolError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tools {
    skill: Option<SkillTool>,
    list: ListTool,
    resource: ResourceTool,
}

impl Tools {
    /// Makes the tools of a profile: its skill tool, if it has one, `list_skills` and
    /// `read_skill_resource`.
    pub fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let plugins = profile.mentions.plugins;
        Self {
            skill: SkillTool::new(catalog, profile),
            list: ListTool::new(catalog, plugins),
            resource: ResourceTool::new(catalog, plugins),
        }
    }

    /// The tool that starts skills. `None`: the profile has no such tool.
    pub fn skill(&self) -> Option<&SkillTool> {
        self.skill.as_ref()
    }

    /// The tool that starts skills, to set what the host supplies: [`SkillTool::options_mut`].
    pub fn skill_mut(&mut self) -> Option<&mut SkillTool> {
        self.skill.as_mut()
    }

    /// Makes the definitions of all tools. The same catalog and profile give the same bytes.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill, for the ids and the catalog text in the skill tool's definition.
    pub fn specs(&self) -> Vec<ToolSpec> {
        let skill = self.skill.iter().map(SkillTool::spec);
        skill
            .chain([self.list.spec(), self.resource.spec()])
            .collect()
    }

    /// Answers a call of a tool. The arguments are JSON as the model wrote it.
    ///
    /// # Errors
    ///
    /// - [`ToolErrorKind::UnknownTool`]: no tool has the name.
    /// - [`ToolErrorKind::Arguments`]: the arguments do not match the tool's schema.
    /// - [`ToolErrorKind::Skill`]: no skill has the id, or the model may not start the skill.
    /// - [`ToolErrorKind::Files`]: a file of the skill cannot be read, or it has changed.
    ///
    /// # Cost
    ///
    /// A call of the skill tool or of `read_skill_resource` reads the files of a folder's skill. A call of
    /// `list_skills` looks at each skill.
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
