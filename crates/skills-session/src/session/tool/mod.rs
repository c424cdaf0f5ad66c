//! The tools for skills: their definitions, and the answers to the model's calls.

use crate::activation::{Activation, Choices, start};
use crate::dialect::{Dialect, ToolSpec};
use crate::listed::{for_model, for_user};
use crate::options::{CatalogPlace, Options, ToolShape};
use crate::session::tool::call::{CallArguments, ToolError, ToolErrorKind, echoed, find};
use serde_json::{Value, json};
use skills_format::nfc;
use skills_format::text::percent;
use skills_permit::Starter;
use skills_runtime::{Catalog, Error, ErrorKind, Skill, Surface};
use std::borrow::Cow;

pub(crate) mod call;
pub(crate) mod list;

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
    let skill = shape.map(|shape| skill_spec(catalog, shape, dialect));
    let list = for_model.then(list::spec);
    let has_files = for_model || for_user(catalog).next().is_some();
    let resource = has_files.then(resource_spec);
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
            let activation = start_skill(catalog, shape, arguments, choices)?;
            Ok(Answer::Start(Box::new(activation)))
        }
        (_, list::NAME) => list::call(catalog, arguments).map(Answer::Text),
        (_, RESOURCE) => read_resource(catalog, arguments).map(Answer::Text),
        _ => Err(unknown_tool(tool, choices.options())),
    }
}

fn unknown_tool(tool: &str, options: &Options) -> ToolError {
    let skill = options.tool.as_ref().map(|shape| &*shape.name);
    let names: Vec<&str> = skill.into_iter().chain([list::NAME, RESOURCE]).collect();
    ToolError::new(
        ToolErrorKind::UnknownTool,
        format_args!(
            "No tool named '{}'. The tools: {}.",
            echoed(tool),
            names.join(", ")
        ),
    )
}

/// The maximum number of ids that a schema lists.
const MOST_IDS: usize = 200;

/// For skills with typed arguments too: the definition never depends on the skills.
const TASK: &str =
    "The skill's task, in plain words; or its typed arguments, as `staging --dry-run`.";

/// Returns the definition of the skill tool. The options say whether the schema lists the ids (at
/// most 200) and whether the description holds the catalog text.
fn skill_spec(catalog: &Catalog, shape: &ToolShape, dialect: &dyn Dialect) -> ToolSpec {
    let options = dialect.options();
    let mut description = String::from(
        "Starts a skill and returns its instructions for you to follow. Call this tool first when \
         a task matches a skill's description.",
    );
    if options.catalog.place == CatalogPlace::ToolDescription {
        let skills = dialect.list(catalog).text;
        if !skills.is_empty() {
            description.push_str(" The skills:\n\n");
            description.push_str(&skills);
        } else if for_model(catalog).next().is_none() {
            description.push_str(" No skills are loaded.");
        }
    }
    let mut properties = Vec::new();
    if let Some(name) = &shape.arguments {
        let arguments = json!({
            "description": TASK,
            "type": "string",
        });
        properties.push((name.to_string(), arguments));
    }
    let ids = if shape.lists_ids {
        for_model(catalog)
            // One more than the maximum: `id_schema` then describes a string.
            .take(MOST_IDS + 1)
            .map(|skill| skill.id())
            .collect()
    } else {
        Vec::new()
    };
    properties.push((shape.parameter.to_string(), id_schema(&ids)));
    properties.sort_by(|(a, _), (b, _)| a.cmp(b));
    ToolSpec::new(&shape.name, description, properties, &[&*shape.parameter])
}

fn id_schema(ids: &[Cow<'_, str>]) -> Value {
    if ids.is_empty() || ids.len() > MOST_IDS {
        json!({ "description": "The skill's name.", "type": "string" })
    } else {
        json!({ "description": "The skill's name.", "enum": ids, "type": "string" })
    }
}

/// Starts the skill that a call names.
fn start_skill(
    catalog: &Catalog,
    shape: &ToolShape,
    json: &str,
    choices: Choices<'_>,
) -> Result<Activation, ToolError> {
    let names: Vec<&str> = std::iter::once(&*shape.parameter)
        .chain(shape.arguments.as_deref())
        .collect();
    let mut call = CallArguments::read(&shape.name, &names, json)?;
    let id = call.text(&shape.parameter)?;
    // An object is for the skills that have typed arguments. The schema of the tool does not depend on the skills, so that a
    // provider's cache of the prompt holds.
    let name = shape.arguments.as_deref();
    let object = name.and_then(|name| call.object(name));
    let text = match name {
        Some(name) if object.is_none() => call.optional_text(name)?,
        _ => None,
    };
    let skill = find(catalog, id.trim())?;
    let failed = |error: Error| match error.kind() {
        ErrorKind::Arguments => ToolError::new(ToolErrorKind::Arguments, format_args!("{error}.")),
        _ => ToolError::new(ToolErrorKind::Files, error),
    };
    if let Some(name) = name.filter(|_| object.is_some())
        && skill.typed_arguments().map_err(failed)?.is_none()
    {
        return Err(call.not_a_text(name));
    }
    let written = object.or(text).unwrap_or_default();
    let given = name.map(|_| &*written);
    let mut activation = start(&skill, None, given, choices).map_err(failed)?;
    (activation.started_by, activation.approves) = (Starter::Model, false);
    Ok(activation)
}

/// The maximum number of bytes of a file that the tool returns.
const MOST_BYTES: usize = 256 * 1024;

/// The name of the tool that reads a skill's files.
const RESOURCE: &str = "read_skill_resource";

/// Returns the definition of the tool that reads a skill's files.
fn resource_spec() -> ToolSpec {
    let name = json!({ "description": "The skill's name.", "type": "string" });
    let path = json!({
        "description": "The file's path relative to the skill's folder, or its skill:// address.",
        "type": "string",
    });
    ToolSpec::new(
        RESOURCE,
        "Reads a text file of a skill, such as references/checklist.md.".to_owned(),
        [("name".to_owned(), name), ("path".to_owned(), path)],
        &["path"],
    )
}

/// Answers a call of the tool.
fn read_resource(catalog: &Catalog, json: &str) -> Result<String, ToolError> {
    let mut call = CallArguments::read(RESOURCE, &["name", "path"], json)?;
    let path = call.text("path")?;
    let (id, path) = match address(&path) {
        Some(address) => address,
        None => (call.text("name")?, path.into()),
    };
    let skill = owner(catalog, id.trim(), &path)?;
    let bytes = skill
        .read(&path)
        .map_err(|error| unreadable(&error, &path))?;
    if bytes.len() > MOST_BYTES {
        let kib = bytes.len().div_ceil(1024);
        let message = format!("'{path}' has {kib} KiB; the limit is 256 KiB.");
        return Err(ToolError::new(ToolErrorKind::Files, message));
    }
    let text = std::str::from_utf8(&bytes).map(str::to_owned);
    text.map_err(|_| {
        let message = format!("'{path}' is not a text file.");
        ToolError::new(ToolErrorKind::Files, message)
    })
}

/// Returns the skill of a call. The model may read the files of a skill that only a person may start,
/// but not its instructions.
fn owner<'c>(catalog: &'c Catalog, id: &str, path: &str) -> Result<Skill<'c>, ToolError> {
    let found = find(catalog, id);
    match found {
        Err(_) if !is_skill_file(path) => {
            let by_user = catalog.find(id, Surface::User);
            by_user.or(found)
        }
        found => found,
    }
}

/// Splits `skill://SOURCE/NAME/PATH` into a qualified id and a path.
fn address(path: &str) -> Option<(String, Cow<'_, str>)> {
    let (source, rest) = path.strip_prefix("skill://")?.split_once('/')?;
    let (name, path) = rest.split_once('/')?;
    Some((format!("{source}:{name}"), percent_decoded(path)))
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    match percent::decode(text) {
        Cow::Borrowed(text) => nfc(text),
        Cow::Owned(text) => nfc(&text).into_owned().into(),
    }
}

/// Makes the error for a file. The path is shortened, because a model can write a path of any length.
fn unreadable(error: &Error, path: &str) -> ToolError {
    let message = format!("{error:#}");
    let message = match echoed(path) {
        Cow::Borrowed(_) => message,
        Cow::Owned(short) => message.replace(path, &short),
    };
    ToolError::new(ToolErrorKind::Files, message)
}

fn is_skill_file(path: &str) -> bool {
    // `./SKILL.md` is the same file: compared as written, it would disclose instructions that the model
    // may not read.
    let mut parts = path
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "."));
    let first = parts.next().unwrap_or_default();
    first.eq_ignore_ascii_case("skill.md") && parts.next().is_none()
}

#[cfg(test)]
mod closed;
#[cfg(test)]
mod tests;
