//! The JSON Schemas of `docs/schema`: every document that a case prints is valid, and has no field that is missing in
//! its schema.

use crate::case::Case;
use crate::program::Call;
use jsonschema::{Registry, Validator};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The base URL of the schemas.
const BASE: &str = "https://skills.invalid/schema/";

/// The schemas by the names of their commands, such as `list` and `schedule-add`.
static SCHEMAS: LazyLock<Result<BTreeMap<String, Validator>, String>> = LazyLock::new(load);

/// Returns what is wrong with the document of a call; `None` if it is valid, or the call prints text.
pub(crate) fn fault(call: &Call, stdout: &str) -> Result<Option<String>, String> {
    if !asks_for_json(call) {
        return Ok(None);
    }
    let of = call.arguments.join(" ");
    let document: Value = match serde_json::from_str(stdout) {
        Ok(document) => document,
        Err(error) => return Ok(Some(format!("`skills {of}`: not one document: {error}"))),
    };
    let schemas = SCHEMAS.as_ref().map_err(Clone::clone)?;
    let is_error = document
        .as_object()
        .is_some_and(|it| it.keys().eq(["schema", "error"]));
    let name = if is_error {
        "error".to_owned()
    } else {
        named(call, schemas)
    };
    let Some(schema) = schemas.get(&name) else {
        return Ok(Some(format!(
            "`skills {of}`: docs/schema/{name}.json is missing"
        )));
    };
    let faults = schema.iter_errors(&document);
    let faults: Vec<String> = faults
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    Ok((!faults.is_empty()).then(|| {
        let faults = faults.join("\n");
        format!("`skills {of}`: docs/schema/{name}.json:\n{faults}\n{stdout}")
    }))
}

/// Returns the names of the schemas without a document in a case.
pub fn unshown(cases: &[Case]) -> Result<Vec<String>, String> {
    let schemas = SCHEMAS.as_ref().map_err(Clone::clone)?;
    let calls = cases.iter().flat_map(Case::calls);
    let shown = calls.filter(|call| asks_for_json(call));
    let shown: BTreeSet<String> = shown.map(|call| named(call, schemas)).collect();
    let unshown = schemas.keys().filter(|name| !shown.contains(*name));
    Ok(unshown.filter(|name| *name != "error").cloned().collect())
}

/// Returns whether a call prints a document.
fn asks_for_json(call: &Call) -> bool {
    call.format() == Some("json")
}

/// Returns the name of a call's command: its words joined by hyphens.
fn named(call: &Call, schemas: &BTreeMap<String, impl Sized>) -> String {
    // Of a folder, `show --powers` prints a document of its own.
    let is_folder = |word: &String| word.contains('/');
    if call.arguments.iter().any(|word| word == "--powers") && call.arguments.iter().any(is_folder)
    {
        return "powers".to_owned();
    }
    if call.arguments.iter().any(|word| word == "--commands") {
        return "list-commands".to_owned();
    }
    let words = call.arguments.iter();
    let words: Vec<&str> = words
        .map(String::as_str)
        .filter(|word| !word.starts_with('-'))
        // The program replaces the name before it parses the line.
        .map(|word| if word == "outdated" { "update" } else { word })
        .collect();
    for at in 0..words.len() {
        let joined = |count: usize| words.get(at..at + count).map(|words| words.join("-"));
        // The longest first: `inspect tools` has two words.
        let mut names = (1..=3).rev().filter_map(joined);
        if let Some(name) = names.find(|name| schemas.contains_key(name)) {
            return name;
        }
    }
    call.arguments.join("-")
}

fn load() -> Result<BTreeMap<String, Validator>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema");
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(|error| failed(&error))? {
        let path = entry.map_err(|error| failed(&error))?.path();
        let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let schema: Value =
            serde_json::from_str(&text).map_err(|error| failed(&format!("{name}: {error}")))?;
        all.insert(name, schema);
    }
    let mut registry = Registry::new();
    for (name, schema) in &all {
        let address = format!("{BASE}{name}.json");
        registry = registry
            .add(address, schema)
            .map_err(|error| failed(&error))?;
    }
    let registry = registry.prepare().map_err(|error| failed(&error))?;
    let mut schemas = BTreeMap::new();
    for (name, schema) in all.iter().filter(|(name, _)| *name != "parts") {
        let options = jsonschema::draft202012::options();
        let options = options
            .with_registry(&registry)
            .with_base_uri(format!("{BASE}{name}.json"));
        let schema = options
            .build(schema)
            .map_err(|error| failed(&format!("{name}: {error}")))?;
        schemas.insert(name.clone(), schema);
    }
    Ok(schemas)
}
