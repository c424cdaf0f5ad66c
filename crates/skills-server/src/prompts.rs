//! Prompts for the skills that a person may start, and completion.

use crate::listing::{invalid, page, short};
use crate::live::Now;
use crate::skills::Skills;
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, GetPromptResult, JsonObject,
    ListPromptsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, Reference,
    Role,
};
use serde_json::Value;
use skills_arguments::{Argument, Kind, Schema};
use skills_runtime::{Error, ErrorKind, Skill};
use skills_session::Dialect as _;
use skills_session::activation::{activate, argument_names, join_arguments};
use skills_session::commands::CommandSpec;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The argument of a prompt whose skill declares no arguments.
const ARGUMENTS: &str = "arguments";

impl Skills {
    /// Answers `prompts/list`: the slash commands of the catalog, in order of names.
    pub fn list_prompts(
        &self,
        request: Option<&PaginatedRequestParams>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let now = self.now();
        let commands = self.commands(&now);
        let (items, next) = page(request, now.revision, commands.len(), |index| {
            let command = commands.get(index)?;
            let prompt = prompt(command, &now.catalog.get(&command.skill)?);
            Some((prompt, 400 + command.description.len()))
        })?;
        let mut result = ListPromptsResult::with_all_items(items);
        result.next_cursor = next;
        Ok(result)
    }

    /// Answers `prompts/get`: the activation of the skill, with the arguments.
    ///
    /// # Errors
    ///
    /// - `-32602`: the prompt is unknown, or an argument is unknown, not a string, or does not fit its type.
    /// - `-32603`: the skill cannot be read, or has changed.
    ///
    /// # Cost
    ///
    /// Reads the files of a skill of a folder.
    pub fn get_prompt(
        &self,
        name: &str,
        arguments: Option<&JsonObject>,
    ) -> Result<GetPromptResult, ErrorData> {
        let now = self.now();
        let entry = self.prompted(&now, name)?;
        let arguments = match entry.typed_arguments().map_err(|error| refused(&error))? {
            Some(schema) => object(&schema, arguments)?,
            None => joined(&entry, arguments)?,
        };
        let activation = activate(&*self.profile, &entry, &arguments);
        let activation = activation.map_err(|error| refused(&error))?;
        let message = PromptMessage::new_text(Role::User, activation.text);
        Ok(GetPromptResult::new(vec![message]).with_description(entry.description()))
    }

    /// Answers `completion/complete`: the values that the type of a prompt's argument lists, those that begin with the
    /// given text.
    ///
    /// # Errors
    ///
    /// `-32602`: the prompt is unknown, or a resource is to be completed.
    pub fn complete(&self, request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
        let Reference::Prompt(prompt) = &request.r#ref else {
            return Err(invalid("only arguments of prompts are completed"));
        };
        let now = self.now();
        let entry = self.prompted(&now, &prompt.name)?;
        let schema = entry.typed_arguments().map_err(|error| refused(&error))?;
        let argument = schema
            .as_ref()
            .and_then(|schema| schema.find(&request.argument.name));
        let mut values: Vec<String> = match argument.map(|(_, argument)| &argument.kind) {
            Some(Kind::Choice { values, .. }) => values.iter().map(ToString::to_string).collect(),
            Some(Kind::Boolean) => vec!["true".to_owned(), "false".to_owned()],
            _ => Vec::new(),
        };
        values.retain(|value| value.starts_with(&request.argument.value));
        values.truncate(CompletionInfo::MAX_VALUES);
        let info = CompletionInfo::new(values);
        let info = info.map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(info))
    }

    /// Returns the slash commands, without those of scheduled skills, which are for the user at the machine.
    fn commands(&self, now: &Now) -> Vec<CommandSpec> {
        let mut commands = self.profile.commands(&now.catalog);
        commands.retain(|command| !command.scheduled);
        commands
    }

    /// Returns the skill of a prompt.
    fn prompted<'n>(&self, now: &'n Now, name: &str) -> Result<Skill<'n>, ErrorData> {
        let mut commands = self.commands(now).into_iter();
        let command = commands.find(|command| command.name == name);
        let entry = command.and_then(|command| now.catalog.get(&command.skill));
        entry.ok_or_else(|| {
            let name = short(name);
            invalid(format!(
                "no prompt is named '{name}'; prompts/list shows all"
            ))
        })
    }
}

fn prompt(command: &CommandSpec, entry: &Skill<'_>) -> Prompt {
    let hint = command.argument_hint.as_deref();
    let named = argument_names(entry);
    let typed = entry.typed_arguments().ok().flatten();
    let arguments = if let Some(schema) = typed {
        schema.arguments.iter().map(typed_argument).collect()
    } else if named.is_empty() {
        let argument = PromptArgument::new(ARGUMENTS).with_required(false);
        vec![argument.with_description(hint.unwrap_or("The task, in plain words."))]
    } else {
        let arguments = named.into_iter();
        let described = |name| match hint {
            Some(hint) => PromptArgument::new(name).with_description(format!("Of: {hint}")),
            None => PromptArgument::new(name),
        };
        arguments
            .map(|name| described(name).with_required(false))
            .collect()
    };
    Prompt::new(&command.name, Some(entry.description()), Some(arguments))
}

fn typed_argument(argument: &Argument) -> PromptArgument {
    let mut what = argument.fits();
    if argument.is_list {
        what.push_str("; write the items with commas between them, or as a JSON list");
    }
    if let Some(default) = &argument.default {
        let default = join_arguments(default.iter().map(|text| &**text));
        let _ = write!(what, ", default {default}");
    }
    let what = match &*argument.description {
        "" => what,
        description => format!("{description} ({what})"),
    };
    PromptArgument::new(&*argument.name)
        .with_description(what)
        .with_required(argument.needs_value())
}

/// Returns the arguments of a prompt as the object that typed arguments are read from. A form sends an empty text for
/// a field that nobody filled in: it is no value.
fn object(schema: &Schema, given: Option<&JsonObject>) -> Result<String, ErrorData> {
    let mut values = JsonObject::new();
    for (name, value) in given.into_iter().flatten() {
        let text = value
            .as_str()
            .ok_or_else(|| invalid(format!("argument '{}' is not a string", short(name))))?;
        let argument = schema.find(name).map(|(_, argument)| argument);
        let value = match argument {
            Some(argument) if argument.is_list => items(name, text)?,
            _ => value.clone(),
        };
        if !text.is_empty() {
            values.insert(name.clone(), value);
        }
    }
    Ok(Value::Object(values).to_string())
}

/// Returns the items of a list from the text of a form: a JSON list, or texts with commas or line ends between them.
fn items(name: &str, text: &str) -> Result<Value, ErrorData> {
    match serde_json::from_str(text) {
        Ok(list @ Value::Array(_)) => Ok(list),
        // Read as texts, each item would have a bracket or a quote of JSON. `[WIP] a` is a text.
        Err(error) if text.trim_start().starts_with("[\"") => Err(invalid(format!(
            "argument '{}' is not a JSON list: {error}",
            short(name)
        ))),
        _ => {
            let items = text.lines().flat_map(|line| line.split(','));
            let items = items.map(str::trim).filter(|item| !item.is_empty());
            Ok(Value::from(items.collect::<Vec<_>>()))
        }
    }
}

/// Returns the error of a skill that does not start.
fn refused(error: &Error) -> ErrorData {
    match error.kind() {
        ErrorKind::Arguments => invalid(error.to_string()),
        _ => ErrorData::internal_error(format!("{error:#}"), None),
    }
}

/// Joins the arguments of a prompt to the text that the skill gets.
fn joined(entry: &Skill<'_>, given: Option<&JsonObject>) -> Result<String, ErrorData> {
    let mut values: HashMap<&str, &str> = HashMap::new();
    for (name, value) in given.into_iter().flatten() {
        let Value::String(value) = value else {
            return Err(invalid(format!(
                "argument '{}' is not a string",
                short(name)
            )));
        };
        values.insert(name, value);
    }
    let mut names = argument_names(entry);
    let is_whole = names.is_empty();
    if is_whole {
        names.push(ARGUMENTS);
    }
    if let Some(unknown) = values.keys().find(|name| !names.contains(name)) {
        let (unknown, names) = (short(unknown), names.join("', '"));
        return Err(invalid(format!(
            "unknown argument '{unknown}'; the prompt takes '{names}'"
        )));
    }
    if is_whole {
        return Ok(values
            .get(ARGUMENTS)
            .copied()
            .unwrap_or_default()
            .to_owned());
    }
    // An empty argument in the middle keeps its place. Empty arguments at the end are left out.
    let given = |name: &&str| values.get(name).copied().unwrap_or_default();
    let last = names.iter().rposition(|name| !given(name).is_empty());
    let count = last.map_or(0, |last| last + 1);
    Ok(join_arguments(names.iter().take(count).map(given)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use skills_arguments::Schema;

    fn schema() -> Schema {
        let text = br#"{"type": "object", "properties": {
            "suffix": {"enum": ["", "-rc"]}, "prefix": {"enum": ["", "v"]}, "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["suffix", "note"]}"#;
        let file = skills_arguments::SchemaFile::read(text);
        assert_eq!(file.faults, []);
        file.schema
    }

    #[test]
    fn an_empty_field_is_no_value() {
        let given = json!({"suffix": "", "prefix": "", "note": "", "tags": ""});
        let read = object(&schema(), given.as_object());
        assert_eq!(read, Ok("{}".to_owned()));
    }

    #[test]
    fn a_broken_list_is_not_taken_for_texts() {
        let read = |text: &str| object(&schema(), json!({ "tags": text }).as_object());
        for (text, expected) in [
            (r#"["a", "b,c"]"#, r#"{"tags":["a","b,c"]}"#),
            ("a, b", r#"{"tags":["a","b"]}"#),
            ("[WIP] a, b", r#"{"tags":["[WIP] a","b"]}"#),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
        let broken = read(r#"["a", "b"#).expect_err("a list without its end");
        let told = "argument 'tags' is not a JSON list: ";
        assert!(broken.message.starts_with(told), "{}", broken.message);
    }
}
