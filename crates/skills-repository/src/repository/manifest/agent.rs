//! The manifest of an Agent Plugin, by version 1.0.0 of <https://agent-plugins.org/specification>.

use crate::repository::manifest::mcp;
use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::Manifest;
use skills_format::{Diagnostic, PluginManifest, RuleId, Span, join};

/// Checks a manifest that is meant as one of an Agent Plugin. Returns `false` for the manifest of another program.
pub(super) fn check(
    manifest: &Manifest,
    paths: &Paths<'_>,
    folder: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    match PluginManifest::read(&manifest.text) {
        Ok(None) => return false,
        Ok(Some(plugin)) => found.extend(plugin.faults.into_iter().map(|fault| {
            let finding = manifest.finding(fault.rule, fault.message);
            let finding = finding.at(manifest.text.as_bytes(), fault.span);
            finding.help(fault.help)
        })),
        // The file is JSON, so it is too large or too deep.
        Err(error) => {
            let finding = manifest.finding(RuleId::ManifestForm, error.message);
            let finding = finding.at(manifest.text.as_bytes(), Span::at(error.offset));
            found.push(
                finding.help("keep the manifest small; a client may reject the plugin otherwise"),
            );
        }
    }
    components(manifest, paths, folder, found);
    true
}

/// Returns whether a manifest is meant as one of an Agent Plugin: other programs have a `plugin.json` at the same
/// place, without such a schema.
pub(crate) fn is_agent_plugin(manifest: &Manifest) -> bool {
    PluginManifest::read(&manifest.text).is_ok_and(|plugin| plugin.is_some())
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
