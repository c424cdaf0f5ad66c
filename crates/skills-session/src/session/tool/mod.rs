//! The tools for skills: their definitions, and the answers to the model's calls.

pub(crate) mod call;
pub(crate) mod list;
pub(crate) mod resource;
pub(crate) mod skill;

use crate::activation::{Activation, Choices};
use crate::dialect::Dialect;
use crate::dialect::specs::ToolSpec;
use crate::listed::{for_model, for_user};
use crate::options::{CatalogPlace, Options};
use crate::session::tool::call::{ToolError, ToolErrorKind, echoed};
use skills_runtime::Catalog;

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
            Self::Start(activation) => activation.text,
            Self::Text(text) => text,
        }
    }
}

/// Makes the definitions that [`Dialect::tools`] makes by default, for a dialect that changes them.
pub fn tools(dialect: &dyn Dialect, catalog: &Catalog) -> Vec<ToolSpec> {
    let options = dialect.options();
    let for_model = for_model(catalog).next().is_some();
    // A description that holds the catalog text also states that there are no skills.
    let says_none = options.catalog.place == CatalogPlace::ToolDescription;
    let shape = options.tool.as_ref().filter(|_| for_model || says_none);
    let skill = shape.map(|shape| skill::spec(catalog, shape, dialect));
    let list = for_model.then(list::spec);
    let has_files = for_model || for_user(catalog).next().is_some();
    let resource = has_files.then(resource::spec);
    skill.into_iter().chain(list).chain(resource).collect()
}

/// Answers a tool call without a conversation. The arguments are JSON as written by the model. A
/// host with a conversation calls [`Session::call`](crate::Session::call).
///
/// # Errors
///
/// The errors of [`Session::call`](crate::Session::call).
///
/// # Cost
///
/// A call of the skill tool or of `read_skill_resource` reads the files of a folder's skill. A call
/// of `list_skills` reads every skill of the catalog in memory.
pub fn call_tool(
    dialect: &dyn Dialect,
    catalog: &Catalog,
    tool: &str,
    arguments: &str,
) -> Result<Answer, ToolError> {
    call_with(catalog, tool, arguments, Choices::of(dialect))
}

/// Does the same as [`call_tool`] with the variables of a host.
pub(crate) fn call_with(
    catalog: &Catalog,
    tool: &str,
    arguments: &str,
    choices: Choices<'_>,
) -> Result<Answer, ToolError> {
    match (&choices.options().tool, tool) {
        (Some(shape), name) if shape.name == name => {
            let activation = skill::activate(catalog, shape, arguments, choices)?;
            Ok(Answer::Start(Box::new(activation)))
        }
        (_, list::NAME) => list::call(catalog, arguments).map(Answer::Text),
        (_, resource::NAME) => resource::call(catalog, arguments).map(Answer::Text),
        _ => Err(unknown_tool(tool, choices.options())),
    }
}

fn unknown_tool(tool: &str, options: &Options) -> ToolError {
    let skill = options.tool.as_ref().map(|shape| &*shape.name);
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
