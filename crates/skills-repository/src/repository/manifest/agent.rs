//! The manifest of an Agent Plugin and its `mcp.json`, by version 1.0.0 of <https://agent-plugins.org/specification>.

use super::form::{is_object, text};
use super::{Manifest, Paths, Report};
use skills_format::{Diagnostic, PluginManifest, Severity, Span, join};

/// The identifier of the schema of `mcp.json`. A client takes no other text.
const MCP: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

impl Manifest {
    /// Returns whether the manifest is meant as one of an Agent Plugin: other programs have a `plugin.json` at the same
    /// place, without such a schema.
    pub(crate) fn is_agent_plugin(&self) -> bool {
        let schema = self.file.get("$schema").and_then(text);
        let address = schema.and_then(|schema| schema.split_once("://"));
        address.is_some_and(|(_, rest)| rest.to_ascii_lowercase().starts_with("agent-plugins.org"))
    }
}

/// Checks the manifest, and the fixed places: the folder `skills` and the file `mcp.json`.
pub(super) fn check(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let mut report = Report::new(manifest);
    match PluginManifest::read(&manifest.text) {
        Ok(plugin) => {
            for fault in plugin.into_iter().flat_map(|plugin| plugin.faults) {
                report.at(
                    fault.rule,
                    Severity::Error,
                    fault.span,
                    fault.message,
                    fault.help.to_owned(),
                );
            }
        }
        // The file is JSON, so it is too large.
        Err(fault) => {
            let help = "keep the manifest small; a client may reject the plugin otherwise";
            report.form_error(Span::at(fault.offset), fault.message, help);
        }
    }
    let mut mcp = Vec::new();
    for (name, is_file) in [("skills", false), ("mcp.json", true)] {
        let place = join(folder, name);
        let what = match paths.inside(folder, name) {
            None => "leads out of the plugin",
            Some(_) if !paths.exists(&place) => continue,
            Some(_) if is_file && !paths.is_file(&place) => "is not a file",
            Some(_) if !is_file && !paths.is_folder(&place) => "is not a folder",
            Some(_) if is_file => {
                mcp = servers(manifest, paths, folder);
                continue;
            }
            Some(_) => continue,
        };
        let message = format!("`{name}` {what}; clients skip it");
        let start = Span::at(manifest.file.span.start);
        report.path_error(start, message, String::new());
    }
    let mut found = report.end();
    found.append(&mut mcp);
    found
}

/// Checks the `mcp.json` beside a manifest.
fn servers(plugin: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    const HELP: &str = "correct it; a client starts none of the servers otherwise";
    let mut found = Vec::new();
    let above = plugin.shown.rsplit_once('/').map_or("", |(above, _)| above);
    let text_of = paths.text(&join(folder, "mcp.json"));
    let Some(manifest) = Manifest::read(join(above, "mcp.json"), text_of, HELP, &mut found) else {
        return found;
    };
    let file = &manifest.file;
    let mut report = Report::new(&manifest);
    let mut form = |span, message: String| {
        report.form_error(span, message, HELP);
    };
    let schema = file.get("$schema");
    if schema.and_then(text) != Some(MCP) {
        let span = schema.map_or(Span::at(file.span.start), |schema| schema.span);
        form(span, format!("`$schema` is not `{MCP}`"));
    }
    for (key, _) in file.entries() {
        if let Some(field) = key
            .as_str()
            .filter(|it| !matches!(*it, "$schema" | "mcpServers"))
        {
            form(key.span, format!("`{field}` is not a field of `mcp.json`"));
        }
    }
    if !file.get("mcpServers").is_some_and(is_object) {
        let start = Span::at(file.span.start);
        form(start, "it has no object `mcpServers`".to_owned());
    }
    report.end()
}
