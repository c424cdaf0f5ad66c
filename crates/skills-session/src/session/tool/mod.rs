//! The tools for skills: their definitions, and the answers to the model's calls.

pub(crate) mod call;
pub(crate) mod error;
pub(crate) mod list;
pub(crate) mod resource;
pub(crate) mod skill;
pub(crate) mod spec;

use crate::activation::Activation;
use crate::activation::choices::Choices;
use crate::profile::{CatalogPlace, Profile};
use crate::session::tool::error::{ToolError, ToolErrorKind, echoed};
use crate::session::tool::spec::ToolSpec;
use skills_runtime::Catalog;
use skills_runtime::catalog::ids::{for_model, for_user};

/// The answer to a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// The call starts a skill. The result for the model is the text of the activation, or a reminder if
    /// the skill is already active: [`Session::call`](crate::Session::call) decides.
    Start(Box<Activation>),
    /// The result for the model.
    Text(String),
}

impl Answer {
    /// Returns the text of the answer. If the call starts a skill, the text is the whole activation.
    pub fn into_text(self) -> String {
        match self {
            Self::Start(activation) => activation.text.into(),
            Self::Text(text) => text,
        }
    }
}

impl Profile {
    /// Makes the definitions of a profile's tools: its skill tool, if it has one, `list_skills` and
    /// `read_skill_resource`. The same catalog and profile give the same bytes.
    ///
    /// If the model may start no skill, there is no skill tool and no `list_skills`. A skill tool whose
    /// description holds the catalog text is an exception: its description states that no skills are
    /// loaded.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill, for the ids and the catalog text in the skill tool's definition.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_runtime::Catalog;
    /// use skills_session::Profile;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
    /// let tools = Profile::DEFAULT.tools(&catalog);
    /// let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    /// assert_eq!(names, ["skill", "list_skills", "read_skill_resource"]);
    /// ```
    pub fn tools(&self, catalog: &Catalog) -> Vec<ToolSpec> {
        let plugins = self.mentions.plugins;
        let for_model = for_model(catalog, plugins).next().is_some();
        // A description that holds the catalog text also states that there are no skills.
        let says_none = self.catalog.place == CatalogPlace::ToolDescription;
        let shape = self.tool.as_ref().filter(|_| for_model || says_none);
        let skill = shape.map(|shape| skill::spec(catalog, shape, self));
        let list = for_model.then(list::spec);
        let has_files = for_model || for_user(catalog, plugins).next().is_some();
        let resource = has_files.then(resource::spec);
        skill.into_iter().chain(list).chain(resource).collect()
    }

    /// Answers a tool call without a conversation. The arguments are JSON as written by the model. A
    /// host with a conversation calls [`Session::call`](crate::Session::call).
    ///
    /// # Errors
    ///
    /// - [`ToolErrorKind::UnknownTool`]: no tool has the name.
    /// - [`ToolErrorKind::Arguments`]: the arguments do not match the tool's schema.
    /// - [`ToolErrorKind::Skill`]: no skill has the id, or the model may not start the skill.
    /// - [`ToolErrorKind::Files`]: a file of the skill cannot be read or has changed.
    ///
    /// # Cost
    ///
    /// A call of the skill tool or of `read_skill_resource` reads the files of a folder's skill. A call
    /// of `list_skills` reads every skill of the catalog in memory.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_session::session::ToolErrorKind;
    /// use skills_runtime::Catalog;
    /// use skills_session::Profile;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
    /// let profile = Profile::DEFAULT;
    /// let answer = profile.call(&catalog, "skill", r#"{"name":"code-review","arguments":"it"}"#)?;
    /// assert!(answer.into_text().contains("ARGUMENTS: it"));
    /// let error = profile.call(&catalog, "skill", r#"{"name":"deploy"}"#).unwrap_err();
    /// assert_eq!(error.kind(), ToolErrorKind::Skill);
    /// assert_eq!(error.to_string(), "No skill is named 'deploy'. The nearest is 'deploy-safely'.");
    /// # Ok::<(), skills_session::session::ToolError>(())
    /// ```
    pub fn call(
        &self,
        catalog: &Catalog,
        tool: &str,
        arguments: &str,
    ) -> Result<Answer, ToolError> {
        call_with(catalog, tool, arguments, Choices::of(self))
    }
}

/// Does the same as [`Profile::call`] with the variables of a host.
pub(crate) fn call_with(
    catalog: &Catalog,
    tool: &str,
    arguments: &str,
    choices: Choices<'_>,
) -> Result<Answer, ToolError> {
    let plugins = choices.plugins();
    match (&choices.profile.tool, tool) {
        (Some(shape), name) if shape.name == name => {
            let activation = skill::activate(catalog, shape, arguments, choices)?;
            Ok(Answer::Start(Box::new(activation)))
        }
        (_, list::NAME) => list::call(catalog, plugins, arguments).map(Answer::Text),
        (_, resource::NAME) => resource::call(catalog, plugins, arguments).map(Answer::Text),
        _ => Err(unknown_tool(tool, choices.profile)),
    }
}

fn unknown_tool(tool: &str, profile: &Profile) -> ToolError {
    let skill = profile.tool.as_ref().map(|shape| &*shape.name);
    let names: Vec<&str> = skill
        .into_iter()
        .chain([list::NAME, resource::NAME])
        .collect();
    ToolError::new(
        ToolErrorKind::UnknownTool,
        format_args!(
            "No tool named '{}'. The tools: {}.",
            echoed(tool),
            names.join(", ")
        ),
    )
}

#[cfg(test)]
mod closed;
#[cfg(test)]
mod tests;
