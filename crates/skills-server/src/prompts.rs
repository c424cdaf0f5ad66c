//! Prompts for the skills that a person may start, and completion.

use crate::listing::{invalid, short, startable};
use crate::live::Now;
use crate::pages::page;
use crate::resources::TEMPLATE;
use crate::skills::Skills;
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, GetPromptResult, JsonObject,
    ListPromptsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage, Reference,
    Role,
};
use serde_json::Value;
use skills_runtime::activation::join_arguments;
use skills_runtime::catalog::CommandSpec;
use skills_runtime::resolve::arguments::{Argument, Kind, Schema};
use skills_runtime::{Catalog, Entry, Error, ErrorKind};
use std::collections::{BTreeSet, HashMap};
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
        let page = page(request, now.revision, commands.len(), |index| {
            let command = commands.get(index)?;
            let prompt = prompt(command, &now.catalog.get(&command.skill)?);
            Some((prompt, 400 + command.description.len()))
        })?;
        let mut result = ListPromptsResult::with_all_items(page.items);
        result.next_cursor = page.next;
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
        let activation = entry.activate(&arguments, &self.profile);
        let activation = activation.map_err(|error| refused(&error))?;
        let message = PromptMessage::new_text(Role::User, activation.text);
        Ok(GetPromptResult::new(vec![message]).with_description(entry.description()))
    }

    /// Answers `completion/complete`: for an argument of a prompt, the values that its type lists, or the alternatives
    /// in the skill's `argument-hint`;
    /// for the resource template, the sources, names and paths.
    ///
    /// # Errors
    ///
    /// - `-32602`: the prompt, the template or the argument is unknown.
    /// - `-32603`: the files of the skill cannot be listed.
    pub fn complete(&self, request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
        let now = self.now();
        let argument = &request.argument;
        let known = match &request.r#ref {
            Reference::Prompt(prompt) => {
                let entry = self.prompted(&now, &prompt.name)?;
                alternatives(&entry, &argument.name)
            }
            Reference::Resource(template) if template.uri == TEMPLATE => {
                let context = request
                    .context
                    .as_ref()
                    .and_then(|context| context.arguments.as_ref());
                of_template(&now.catalog, &argument.name, context)?
            }
            Reference::Resource(template) => {
                let uri = short(&template.uri);
                return Err(invalid(format!("no resource template is '{uri}'")));
            }
            _ => return Err(invalid("prompts and resources are completed".to_owned())),
        };
        let name = short(&argument.name);
        let known = known.ok_or_else(|| invalid(format!("there is no argument '{name}'")))?;
        matching(known, &argument.value).map(CompleteResult::new)
    }

    /// Returns the slash commands, without those of scheduled skills, which are for the user at the machine.
    fn commands<'n>(&self, now: &'n Now) -> &'n [CommandSpec] {
        now.commands.get_or_init(|| {
            let mut commands = now.catalog.commands(&self.profile);
            commands.retain(|command| !command.scheduled);
            commands
        })
    }

    /// Returns the skill of a prompt.
    fn prompted<'n>(&self, now: &'n Now, name: &str) -> Result<Entry<'n>, ErrorData> {
        let mut commands = self.commands(now).iter();
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

fn prompt(command: &CommandSpec, entry: &Entry<'_>) -> Prompt {
    let hint = command.argument_hint.as_deref();
    let named = entry.argument_names();
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
/// a field that nobody filled in. It is a value only where the type lists it and the skill needs a value.
fn object(schema: &Schema, given: Option<&JsonObject>) -> Result<String, ErrorData> {
    let mut values = JsonObject::new();
    for (name, value) in given.into_iter().flatten() {
        let text = value
            .as_str()
            .ok_or_else(|| invalid(format!("argument '{}' is not a text", short(name))))?;
        let argument = schema.find(name).map(|(_, argument)| argument);
        let value = match argument {
            Some(argument) if argument.is_list => items(name, text)?,
            _ => value.clone(),
        };
        let is_listed = |it: &Argument| match &it.kind {
            Kind::Choice { values, .. } => {
                !it.is_list && values.iter().any(|value| value.is_empty())
            }
            _ => false,
        };
        let is_value = argument.is_some_and(|it| it.needs_value() && is_listed(it));
        if !text.is_empty() || is_value {
            values.insert(name.clone(), value);
        }
    }
    Ok(Value::Object(values).to_string())
}

/// Returns the items of a list from the text of a form: a JSON list, or texts with commas or line ends between them.
fn items(name: &str, text: &str) -> Result<Value, ErrorData> {
    match serde_json::from_str(text) {
        Ok(list @ Value::Array(_)) => return Ok(list),
        // Read as texts, each item would have a bracket or a quote of JSON.
        Err(error) if is_meant_as_list(text) => {
            let name = short(name);
            let message = format!("argument '{name}' is not a JSON list: {error}");
            return Err(invalid(message));
        }
        _ => {}
    }
    let items = text.lines().flat_map(|line| line.split(','));
    let items = items.map(str::trim).filter(|item| !item.is_empty());
    Ok(Value::from(items.collect::<Vec<_>>()))
}

/// Returns whether a text begins as a JSON list of texts does. `[WIP] a` is a text.
fn is_meant_as_list(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix('[');
    rest.is_some_and(|rest| rest.trim_start().starts_with('"'))
}

/// Returns the error of a skill that does not start.
fn refused(error: &Error) -> ErrorData {
    match error.kind() {
        ErrorKind::Arguments => invalid(error.to_string()),
        _ => ErrorData::internal_error(format!("{error:#}"), None),
    }
}

/// Joins the arguments of a prompt to the text that the skill gets.
fn joined(entry: &Entry<'_>, given: Option<&JsonObject>) -> Result<String, ErrorData> {
    let mut values: HashMap<&str, &str> = HashMap::new();
    for (name, value) in given.into_iter().flatten() {
        let Value::String(value) = value else {
            return Err(invalid(format!("argument '{}' is not a text", short(name))));
        };
        values.insert(name, value);
    }
    let mut names = entry.argument_names();
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

/// Returns the alternatives that a hint such as `[file] [fast|slow]` names for an argument, or `None` if the prompt
/// lacks the argument.
fn alternatives(entry: &Entry<'_>, argument: &str) -> Option<Vec<String>> {
    if let Ok(Some(schema)) = entry.typed_arguments() {
        let argument = schema.arguments.iter().find(|one| one.name == argument)?;
        return Some(match &argument.kind {
            Kind::Choice { values, .. } => values.iter().map(ToString::to_string).collect(),
            Kind::Boolean => vec!["true".to_owned(), "false".to_owned()],
            _ => Vec::new(),
        });
    }
    let names = entry.argument_names();
    let hint = entry.fields().argument_hint.as_deref().unwrap_or_default();
    let words = hint.split_whitespace();
    let words: Vec<&str> = if names.is_empty() {
        (argument == ARGUMENTS).then(|| words.collect())?
    } else {
        let place = names.iter().position(|name| *name == argument)?;
        words.skip(place).take(1).collect()
    };
    let is_bracket = |c: char| matches!(c, '[' | ']' | '<' | '>' | '(' | ')');
    let words = words.into_iter().filter(|word| word.contains('|'));
    let alternatives = words
        .flat_map(|word| word.trim_matches(is_bracket).split('|'))
        .filter(|word| !word.is_empty());
    Some(alternatives.map(str::to_owned).collect())
}

/// Returns the values of a variable of the resource template, given the other variables. Returns `None` for an
/// unknown variable, and an error if the files of a skill cannot be listed.
fn of_template(
    catalog: &Catalog,
    variable: &str,
    given: Option<&HashMap<String, String>>,
) -> Result<Option<Vec<String>>, ErrorData> {
    let given = |name: &str| given.and_then(|given| given.get(name)).map(String::as_str);
    let fits = |entry: &Entry<'_>| {
        given("source").is_none_or(|source| source == entry.source().name())
            && given("name").is_none_or(|name| name == entry.name())
    };
    let entries = startable(catalog).into_iter().filter(fits);
    let values: BTreeSet<String> = match variable {
        "source" => entries
            .map(|entry| entry.source().name().to_owned())
            .collect(),
        "name" => entries.map(|entry| entry.name().to_owned()).collect(),
        // Without the name, every file of every skill would have to be listed.
        "path" if given("name").is_none() => BTreeSet::new(),
        "path" => {
            let mut paths = BTreeSet::from([skills_format::SKILL_FILE.to_owned()]);
            for entry in entries {
                let files = entry
                    .resources()
                    .map_err(|error| ErrorData::internal_error(format!("{error:#}"), None))?;
                paths.extend(files.into_iter().map(|file| file.path));
            }
            paths
        }
        _ => return Ok(None),
    };
    Ok(Some(values.into_iter().collect()))
}

/// Returns the values that match the typed text: first values that start with the text, then values that contain it.
fn matching(known: Vec<String>, typed: &str) -> Result<CompletionInfo, ErrorData> {
    let typed = typed.to_lowercase();
    let (mut first, rest): (Vec<_>, Vec<_>) = known
        .into_iter()
        .partition(|value| value.to_lowercase().starts_with(&typed));
    first.extend(
        rest.into_iter()
            .filter(|value| value.to_lowercase().contains(&typed)),
    );
    let total = u32::try_from(first.len()).unwrap_or(u32::MAX);
    let has_more = first.len() > CompletionInfo::MAX_VALUES;
    first.truncate(CompletionInfo::MAX_VALUES);
    let mut info =
        CompletionInfo::new(first).map_err(|error| ErrorData::internal_error(error, None))?;
    (info.total, info.has_more) = (Some(total), Some(has_more));
    Ok(info)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use skills_runtime::resolve::arguments::Schema;

    fn schema() -> Schema {
        let text = br#"{"type": "object", "properties": {
            "suffix": {"enum": ["", "-rc"]}, "prefix": {"enum": ["", "v"]}, "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}}}, "required": ["suffix", "note"]}"#;
        let file = skills_format::SchemaFile::read(text);
        assert_eq!(file.faults, []);
        file.schema
    }

    #[test]
    fn an_empty_field_is_a_value_where_the_skill_needs_one_and_lists_it() {
        let given = json!({"suffix": "", "prefix": "", "note": "", "tags": ""});
        let read = object(&schema(), given.as_object());
        assert_eq!(read, Ok(r#"{"suffix":""}"#.to_owned()));
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
