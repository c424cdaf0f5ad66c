//! One profile for a person: all fields, in sections.

use crate::commands::inspect::profile::document::ProfileShowDocument;
use crate::commands::inspect::profile::words::{SECTIONS, base, known_for, value};
use crate::outcome::Failure;
use crate::output::{Output, fields};
use serde_json::Value;
use std::io::Write as _;

/// The width of the longest label in cells.
const LABEL: usize = 17;

/// Prints the name, the reference and the sections.
pub(super) fn print(shown: &ProfileShowDocument, output: &mut Output) -> Result<(), Failure> {
    let profile = shown.profile;
    writeln!(output, "{}", output.strong(&profile.name))?;
    fields::print(LABEL, "reference", &profile.reference, output)?;
    fields::print(LABEL, "known for", known_for(&profile.name), output)?;
    let document = serde_json::to_value(shown).unwrap_or_default();
    for (head, fields) in SECTIONS {
        writeln!(output, "\n{}", output.strong(head))?;
        for (field, label) in *fields {
            let lines = match document.pointer(field) {
                Some(value) => lines(field, value),
                None if *field == "/tool/name" => vec!["none: the model has no such tool".into()],
                None => Vec::new(),
            };
            fields::print_several(LABEL, label, &lines, output)?;
        }
    }
    Ok(())
}

/// Formats the value of a field as lines.
fn lines(field: &str, said: &Value) -> Vec<String> {
    match said {
        Value::Object(_) if said.pointer("/template").is_some() => template(said),
        Value::Array(items) if items.is_empty() => vec!["none".to_owned()],
        Value::Array(items) => items.iter().map(|item| on_a_line(field, item)).collect(),
        Value::String(text) if text.lines().nth(1).is_some() => {
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        }
        said => vec![on_a_line(field, said)],
    }
}

/// Writes a template: its text, with the words in braces.
fn template(said: &Value) -> Vec<String> {
    let text = |field| said.pointer(field).and_then(Value::as_str);
    let content = match text("/template/content") {
        Some("file") => "[the whole file]",
        _ => "[the instructions]",
    };
    let parts = [
        text("/template/before").unwrap_or_default(),
        content,
        text("/template/arguments").unwrap_or_default(),
        text("/template/after").unwrap_or_default(),
    ];
    let tag = text("/template/tag").unwrap_or_default();
    let resource = text("/template/resource").unwrap_or_default();
    let written = parts.concat().replace("{tag}", tag);
    let written = written.replace("{resources}", resource);
    written.lines().map(str::to_owned).collect()
}

fn on_a_line(field: &str, said: &Value) -> String {
    match said {
        Value::Null => "none".to_owned(),
        Value::Bool(is_so) => {
            let word = if *is_so { "read" } else { "not read" };
            value(field, &is_so.to_string()).unwrap_or(word).to_owned()
        }
        Value::String(text) if text.is_empty() => "none".to_owned(),
        Value::String(text) => value(field, text).unwrap_or(text).to_owned(),
        Value::Array(pair) => {
            let names: Vec<&str> = pair.iter().filter_map(Value::as_str).collect();
            names.join(" is ")
        }
        Value::Object(_) if said.get("path").is_some() => folder(said),
        Value::Object(limit) => {
            let limit = limit
                .iter()
                .map(|(unit, number)| format!("{number} {unit}"));
            limit.collect::<Vec<_>>().join(", ")
        }
        Value::Number(number) => number.to_string(),
    }
}

/// Describes a folder: its path, its base and its content.
fn folder(place: &Value) -> String {
    let text = |field| place.pointer(field).and_then(Value::as_str);
    let holds = if let Some(source) = text("/kind/skills") {
        format!("skills of the source {source}")
    } else if let Some(source) = text("/kind/untrusted") {
        format!("skills of the source {source}, each once a person trusts it")
    } else {
        text("/kind").unwrap_or_default().to_owned()
    };
    let path = text("/path").unwrap_or_default();
    let at = base(text("/base").unwrap_or_default());
    let skip: Vec<&str> = place
        .get("skip")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let without = if skip.is_empty() {
        String::new()
    } else {
        format!(", without {}", skip.join(", "))
    };
    let installed = match text("/installed") {
        Some("all") => ", all of them installed",
        _ => "",
    };
    format!("{path} {at}: {holds}{without}{installed}")
}
