//! Reads the arguments of a tool call. A model can write any text.

use crate::dialect::notice::Notice as PersonNotice;
use crate::listed::for_model;
use serde_json::{Map, Value};
use skills_format::mention::listed;
use skills_runtime::{Catalog, Notice, Outcome, Skill, Surface};
use std::borrow::Cow;
use std::fmt;

/// The maximum number of names that an error lists.
const MOST_NAMES: usize = 10;

/// The arguments of one call. Each argument is removed when it is read.
pub(crate) struct CallArguments<'a> {
    tool: &'a str,
    values: Map<String, Value>,
}

impl<'a> CallArguments<'a> {
    /// Reads a JSON object whose members have these names. An empty text is read as `{}`.
    pub(crate) fn read(tool: &'a str, names: &[&str], json: &str) -> Result<Self, ToolError> {
        let value = match json.trim() {
            "" => Value::Null,
            json => serde_json::from_str(json).map_err(|error| {
                fault(tool, format_args!("the arguments are not JSON: {error}"))
            })?,
        };
        let values = match value {
            Value::Null => Map::new(),
            Value::Object(values) => values,
            other => {
                let kind = kind(&other);
                return Err(fault(
                    tool,
                    format_args!("the arguments must be an object, not {kind}"),
                ));
            }
        };
        if let Some(unknown) = values.keys().find(|key| !names.contains(&key.as_str())) {
            let known: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            let known = known.join(" and ");
            return Err(fault(
                tool,
                format_args!(
                    "unknown argument '{}'; the tool takes {known}",
                    echoed(unknown)
                ),
            ));
        }
        Ok(Self { tool, values })
    }

    /// Returns a required text.
    pub(crate) fn text(&mut self, name: &str) -> Result<String, ToolError> {
        self.optional_text(name)?
            .ok_or_else(|| fault(self.tool, format_args!("'{name}' is missing")))
    }

    /// Returns a text that can be missing or null.
    pub(crate) fn optional_text(&mut self, name: &str) -> Result<Option<String>, ToolError> {
        match self.take(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, "a string", &other)),
        }
    }

    /// Returns an argument that is an object, as JSON. Any other value stays for the next question.
    pub(crate) fn object(&mut self, name: &str) -> Option<String> {
        matches!(self.values.get(name), Some(Value::Object(_)))
            .then(|| self.take(name).unwrap_or_default().to_string())
    }

    /// Returns the error that an object is not a text.
    pub(crate) fn not_a_text(&self, name: &str) -> ToolError {
        self.wrong(name, "a string", &Value::Object(Map::new()))
    }

    /// Returns a whole number, at least 1, that can be missing or null.
    pub(crate) fn optional_number(&mut self, name: &str) -> Result<Option<usize>, ToolError> {
        match self.take(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64().and_then(|number| number.try_into().ok()) {
                Some(number) if number > 0 => Ok(Some(number)),
                _ => Err(self.wrong(name, "a whole number from 1", &value)),
            },
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.values.remove(name)
    }

    fn wrong(&self, name: &str, expected: &str, value: &Value) -> ToolError {
        let found = match value {
            Value::Number(number) => number.to_string(),
            other => kind(other).to_owned(),
        };
        fault(
            self.tool,
            format_args!("'{name}' must be {expected}, not {found}"),
        )
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn fault(tool: &str, message: std::fmt::Arguments<'_>) -> ToolError {
    ToolError::new(ToolErrorKind::Arguments, format_args!("{tool}: {message}."))
}

/// Finds the skill of a call by the rules of mentions. An id can begin with `$`.
pub(crate) fn find<'c>(catalog: &'c Catalog, id: &str) -> Result<Skill<'c>, ToolError> {
    let id = id.strip_prefix('$').unwrap_or(id);
    let found = catalog.find(id, Surface::Model);
    found.map_err(|notice| refused(notice, catalog))
}

fn refused(notice: Notice, catalog: &Catalog) -> ToolError {
    let id = echoed(&notice.id);
    let message = match &notice.outcome {
        Outcome::Unknown => format!("No skill is named '{id}'. {}", names(catalog)),
        Outcome::Ambiguous {
            candidates,
            kind: Some(_),
            use_id,
        } if candidates.len() == 1 => {
            format!("No skill is named '{id}'. The nearest is '{use_id}'.")
        }
        Outcome::Ambiguous { candidates, .. } => {
            let candidates: Vec<String> = candidates.iter().map(|id| format!("'{id}'")).collect();
            let listed = listed(&candidates);
            format!("'{id}' could be any of {listed}. Call one of them.")
        }
        _ => PersonNotice::from(notice.clone()).to_string(),
    };
    ToolError {
        notice: Some(Box::new(notice)),
        ..ToolError::new(ToolErrorKind::Skill, message)
    }
}

/// Returns a sentence with the names that a model can call.
fn names(catalog: &Catalog) -> String {
    let ids: Vec<Cow<'_, str>> = for_model(catalog).map(|skill| skill.id()).collect();
    let first: Vec<&str> = ids.iter().take(MOST_NAMES).map(AsRef::as_ref).collect();
    let first = first.join(", ");
    match ids.len() {
        0 => "No skills are loaded.".to_owned(),
        count if count > MOST_NAMES => {
            format!("The first of {count} skills: {first}. Call list_skills to see all skills.")
        }
        _ => format!("The skills: {first}."),
    }
}

/// The error of a tool call. `Display` writes the message for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    notice: Option<Box<Notice>>,
}

impl std::error::Error for ToolError {}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The maximum number of characters that an error repeats of a word of the call.
const ECHOED: usize = 64;

/// Returns a word of a call for an error message. A long word is shortened, because a model can write
/// any text.
pub(crate) fn echoed(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(ECHOED) {
        Some((end, _)) => [word.get(..end).unwrap_or_default(), "…"].concat().into(),
        None => word.into(),
    }
}

/// The kind of a [`ToolError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// No tool has the name.
    UnknownTool,
    /// The arguments do not match the schema.
    Arguments,
    /// No skill has the id, or the model may not start the skill.
    Skill,
    /// A file of the skill cannot be read or has changed.
    Files,
}

impl ToolError {
    pub(crate) fn new(kind: ToolErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: format!("{message:#}"),
            notice: None,
        }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// Returns the notice that a person would get about the skill. Returns `None` if the kind is not
    /// [`ToolErrorKind::Skill`].
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_deref()
    }
}
