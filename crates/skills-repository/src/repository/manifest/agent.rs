//! The manifest of an Agent Plugin and its `mcp.json`, by version 1.0.0 of <https://agent-plugins.org/specification>.

use super::form::{Harm, is_object, text};
use super::{Manifest, Paths, Report};
use skills_format::yaml::Node;
use skills_format::{Diagnostic, PluginManifest, Severity, Span, join};

/// The identifier of the schema of `mcp.json`. A client takes no other text.
const MCP: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// The types of a server, the field that each must have, and its other fields.
const SERVERS: [(&str, &str, &[&str]); 3] = [
    ("stdio", "command", &["type", "args", "env", "cwd"]),
    ("streamable-http", "url", &["type", "headers"]),
    ("sse", "url", &["type", "headers"]),
];

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
    match file.get("mcpServers").filter(|servers| is_object(servers)) {
        None => form(
            Span::at(file.span.start),
            "it has no object `mcpServers`".to_owned(),
        ),
        Some(servers) => {
            for (key, server) in servers.entries() {
                if !report.is_full() {
                    self::server(key, server, &mut report, paths, folder);
                }
            }
        }
    }
    report.end()
}

fn server(key: &Node, server: &Node, report: &mut Report<'_>, paths: &Paths<'_>, folder: &str) {
    let name = key.as_str().unwrap_or_default();
    if let Some((span, what)) = server_fault(server) {
        let message = format!("the server `{name}` {what}");
        let help = "correct it; a client skips the server otherwise";
        let span = span.unwrap_or(key.span);
        return report.form_error(span, message, help);
    }
    let command = server.get("command");
    let Some((value, path)) = command.and_then(|command| Some((command, text(command)?))) else {
        return;
    };
    if !path.starts_with("./") {
        return;
    }
    let (what, help) = match paths.inside(folder, path) {
        None => (
            "leads out of the plugin",
            "write a path below the folder, without `..`",
        ),
        Some(place) if !paths.is_file(&place) => {
            ("does not exist", "write a path that exists, or remove it")
        }
        Some(_) => return,
    };
    let message = format!("`command` names `{path}`, which {what}");
    let help = Harm::Part.help(help, "a client");
    report.path_error(value.span, message, help);
}

/// Returns the fault of a server, and its place within the server.
fn server_fault(server: &Node) -> Option<(Option<Span>, String)> {
    let at = |value: &Node, what: String| Some((Some(value.span), what));
    if !is_object(server) {
        return Some((None, "is not an object".to_owned()));
    }
    let kind = server.get("type").and_then(text).unwrap_or_default();
    let Some((_, needed, others)) = SERVERS.iter().find(|(known, ..)| *known == kind) else {
        let what = "has no known `type`: write `stdio`, `streamable-http` or `sse`";
        return at(server.get("type").unwrap_or(server), what.to_owned());
    };
    for (key, _) in server.entries() {
        let field = key.as_str().unwrap_or_default();
        if field != *needed && !others.contains(&field) {
            return at(key, format!("has `{field}`, which its type does not have"));
        }
    }
    let Some(value) = server.get(needed) else {
        return Some((None, format!("has no `{needed}`")));
    };
    let given = text(value).unwrap_or_default();
    let starts = |starts: &[&str]| starts.iter().any(|start| given.starts_with(start));
    // A path can hold spaces. A name with spaces is a command line, which no client splits.
    let is_name = !given.is_empty() && !given.contains(['/', '\\', ' ', '\t', '\n']);
    match *needed {
        "url"
            if !starts(&[
                "https://",
                "http://localhost",
                "http://127.0.0.1",
                "http://[::1]",
            ]) =>
        {
            at(value, "has a `url` that is not HTTPS".to_owned())
        }
        "command" if !is_name && !starts(&["./"]) => at(
            value,
            "has a `command` that is not one name or a path that begins with `./`".to_owned(),
        ),
        _ => None,
    }
}
