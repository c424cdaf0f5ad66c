//! Checks the manifests of plugins and marketplaces: their form, the paths that they name, and their names.

pub(crate) mod agent;
mod mcp;
pub(crate) mod paths;
pub(crate) mod read;
#[cfg(test)]
mod tests;

use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::{MAX_FINDINGS, Manifest, is_full};
use serde_json::Value;
use skills_format::{Diagnostic, RuleId};
use std::collections::BTreeSet;

/// Replaces the findings beyond the maximum by one that says so.
fn cut(manifest: &Manifest, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if is_full(&found) {
        found.truncate(MAX_FINDINGS);
        let message = "there are more faults, which are not shown".to_owned();
        let finding = manifest.finding(RuleId::ManifestForm, message);
        found.push(finding.help("correct the faults that are shown first"));
    }
    found
}

/// Checks a plugin's manifest. `folder` is the plugin's folder.
pub(crate) fn plugin(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !manifest.value.is_object() {
        let message = "it is not a JSON object".to_owned();
        found.push(manifest.finding(RuleId::ManifestForm, message));
    } else if !agent::check(manifest, paths, folder, &mut found) {
        skills(manifest, &manifest.value, paths, folder, &mut found);
    }
    cut(manifest, found)
}

/// Checks a marketplace. `folder` is the folder that its sources are relative to.
pub(crate) fn marketplace(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Some(plugins) = manifest.value.get("plugins").and_then(Value::as_array) else {
        let message = "it has no list `plugins`".to_owned();
        found.push(manifest.finding(RuleId::ManifestForm, message));
        return found;
    };
    let root = manifest.value.pointer("/metadata/pluginRoot");
    let root = root.and_then(Value::as_str).unwrap_or_default();
    let mut names = BTreeSet::new();
    for entry in plugins {
        if is_full(&found) {
            break;
        }
        match entry.get("name").and_then(Value::as_str) {
            None | Some("") => {
                let message = "an entry of `plugins` has no text `name`".to_owned();
                found.push(manifest.finding(RuleId::ManifestForm, message));
            }
            Some(name) if !names.insert(name) => {
                let message = format!("two plugins are named `{name}`");
                let finding = manifest.at_last(RuleId::ManifestName, name, message);
                found.push(finding.help("give each plugin a name of its own"));
            }
            Some(_) => {}
        }
        // A source that is an object is fetched from elsewhere.
        let Some(source) = entry.get("source").and_then(Value::as_str) else {
            continue;
        };
        match paths
            .inside(folder, root)
            .and_then(|root| paths.inside(&root, source))
        {
            None => found.push(manifest.leads_out("source", source)),
            Some(plugin) if !paths.is_folder(&plugin) => {
                found.push(manifest.missing("source", source));
            }
            Some(plugin) => skills(manifest, entry, paths, &plugin, &mut found),
        }
    }
    cut(manifest, found)
}

/// Checks the paths in `skills`: one path, or a list.
fn skills(
    manifest: &Manifest,
    entry: &Value,
    paths: &Paths<'_>,
    folder: &str,
    found: &mut Vec<Diagnostic>,
) {
    let listed = match entry.get("skills") {
        Some(Value::Array(listed)) => listed.iter().collect(),
        Some(one) => vec![one],
        None => return,
    };
    for path in listed {
        if is_full(found) {
            return;
        }
        let Some(path) = path.as_str() else {
            let message = "`skills` is not a path or a list of paths".to_owned();
            found.push(manifest.finding(RuleId::ManifestForm, message));
            continue;
        };
        match paths.inside(folder, path) {
            None => found.push(manifest.leads_out("skills", path)),
            Some(place) if !paths.exists(&place) => found.push(manifest.missing("skills", path)),
            Some(_) => {}
        }
    }
}
