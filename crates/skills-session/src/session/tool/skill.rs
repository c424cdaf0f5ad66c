//! The tool that starts a skill.

use crate::activation::{Activation, Choices, start};
use crate::dialect::Dialect;
use crate::dialect::specs::ToolSpec;
use crate::listed::for_model;
use crate::options::{CatalogPlace, ToolShape};
use crate::session::tool::call::{CallArguments, ToolError, ToolErrorKind, find};
use serde_json::{Value, json};
use skills_arguments::Given;
use skills_permit::Starter;
use skills_runtime::{Catalog, Error, ErrorKind};
use std::borrow::Cow;

/// The maximum number of ids that a schema lists.
const MOST_IDS: usize = 200;

/// For skills with typed arguments too: the definition never depends on the skills.
const ARGUMENTS: &str =
    "The skill's task, in plain words; or its typed arguments, as `staging --dry-run`.";

/// Returns the definition of the skill tool. The options say whether the schema lists the ids (at
/// most 200) and whether the description holds the catalog text.
pub(crate) fn spec(catalog: &Catalog, shape: &ToolShape, dialect: &dyn Dialect) -> ToolSpec {
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
            "description": ARGUMENTS,
            "type": "string",
        });
        properties.push((name.to_string(), arguments));
    }
    let ids = if shape.lists_ids {
        for_model(catalog)
            // One more than the maximum: `id_schema` then describes a string.
            .take(MOST_IDS + 1)
            .map(|skill| skill.id)
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
pub(crate) fn activate(
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
    let given = name.map_or(Given::Nothing, |_| Given::Text(&written));
    let mut activation = start(&skill, None, given, choices).map_err(failed)?;
    (activation.started_by, activation.approves) = (Starter::Model, false);
    Ok(activation)
}
