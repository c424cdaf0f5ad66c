//! The manifest of an Agent Plugin, by version 1.0.0 of <https://agent-plugins.org/specification>.

use crate::repository::manifest::mcp;
use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::Manifest;
use serde_json::Value;
use skills_format::{Diagnostic, RuleId, join};

/// The `$schema` of an Agent Plugin's `plugin.json`, version 1.0.0. A client takes no other text.
pub const PLUGIN: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

/// The fields whose values are texts.
const TEXTS: [&str; 5] = [
    "version",
    "description",
    "homepage",
    "repository",
    "license",
];
const AUTHOR: [&str; 3] = ["name", "email", "url"];

/// Returns whether a manifest is meant as one of an Agent Plugin: other programs have a `plugin.json` at the same
/// place, without such a schema.
pub(crate) fn is_agent_plugin(manifest: &Manifest) -> bool {
    let schema = manifest.value.get("$schema").and_then(Value::as_str);
    let host = schema.and_then(|schema| schema.split_once("://"));
    host.is_some_and(|(_, rest)| rest.to_ascii_lowercase().starts_with("agent-plugins.org"))
}

pub(super) fn check(
    manifest: &Manifest,
    paths: &Paths<'_>,
    folder: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(fields) = manifest.value.as_object() else {
        return;
    };
    let mut report = |at: &str, message: String, help: &'static str| {
        found.push(manifest.at(RuleId::ManifestForm, at, message).help(help));
    };
    for (field, value) in fields {
        let is_text = value.is_string();
        match field.as_str() {
            "$schema" if value != PLUGIN => report(
                value.as_str().unwrap_or(field),
                format!("`$schema` is not `{PLUGIN}`"),
                "write exactly this identifier; a client rejects the plugin otherwise",
            ),
            "$schema" | "name" => {}
            field if TEXTS.contains(&field) => {
                if !is_text {
                    report(field, format!("`{field}` is not a text"), REJECTED);
                }
            }
            "author" => author(value, &mut report),
            "keywords" => {
                let texts = value
                    .as_array()
                    .map(|words| words.iter().all(Value::is_string));
                if texts != Some(true) {
                    report(
                        field,
                        "`keywords` is not a list of texts".to_owned(),
                        REJECTED,
                    );
                }
            }
            "extensions" => {
                let objects = value
                    .as_object()
                    .map(|all| all.values().all(Value::is_object));
                if objects != Some(true) {
                    report(
                        field,
                        "`extensions` is not an object of objects".to_owned(),
                        "key the data by the reverse domain name of the client",
                    );
                }
            }
            field => report(
                field,
                format!("`{field}` is not a field of an Agent Plugin; clients ignore it"),
                "put the data of one client below `extensions`",
            ),
        }
    }
    name(manifest, found);
    components(manifest, paths, folder, found);
}

const REJECTED: &str = "correct the value; a client rejects the plugin otherwise";

fn author(value: &Value, report: &mut impl FnMut(&str, String, &'static str)) {
    let Some(author) = value.as_object() else {
        report("author", "`author` is not an object".to_owned(), REJECTED);
        return;
    };
    for (field, value) in author {
        if !AUTHOR.contains(&field.as_str()) || !value.is_string() {
            let message =
                format!("`author` has `{field}`, which is not a text `name`, `email` or `url`");
            report(field, message, REJECTED);
        }
    }
}

fn name(manifest: &Manifest, found: &mut Vec<Diagnostic>) {
    let finding = match manifest.value.get("name") {
        None => manifest.finding(RuleId::ManifestName, "it has no `name`".to_owned()),
        Some(Value::String(name)) if is_name(name) => return,
        Some(Value::String(name)) => {
            let message = format!("`{name}` is not the name of an Agent Plugin");
            manifest.at(RuleId::ManifestName, name, message)
        }
        Some(_) => manifest.at(
            RuleId::ManifestName,
            "name",
            "`name` is not a text".to_owned(),
        ),
    };
    found.push(finding.help(
        "write 1 to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or digit at both ends, and no `--` or `..`",
    ));
}

/// Returns whether a text is the name of an Agent Plugin: 1 to 64 of `a-z`, `0-9`, `-` and `.`, with a letter or
/// digit at both ends, and without `--` and `..`.
pub fn is_name(name: &str) -> bool {
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.len() <= 64
        && is_end(name.chars().next())
        && is_end(name.chars().next_back())
        && !name.contains("--")
        && !name.contains("..")
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.'))
}

/// Checks the fixed places: the folder `skills` and the file `mcp.json`.
fn components(manifest: &Manifest, paths: &Paths<'_>, folder: &str, found: &mut Vec<Diagnostic>) {
    let mut wrong = |name: &str, what: &str| {
        let message = format!("`{name}` {what}; clients skip it");
        found.push(manifest.finding(RuleId::ManifestPath, message));
    };
    let skills = join(folder, "skills");
    match paths.inside(folder, "skills") {
        None => wrong("skills", "leads out of the plugin"),
        Some(_) if paths.exists(&skills) && !paths.is_folder(&skills) => {
            wrong("skills", "is not a folder");
        }
        Some(_) => {}
    }
    let mcp = join(folder, "mcp.json");
    match paths.inside(folder, "mcp.json") {
        None => wrong("mcp.json", "leads out of the plugin"),
        Some(_) if paths.exists(&mcp) && !paths.is_file(&mcp) => {
            wrong("mcp.json", "is not a file");
        }
        Some(_) => mcp::check(manifest, paths, folder, found),
    }
}
