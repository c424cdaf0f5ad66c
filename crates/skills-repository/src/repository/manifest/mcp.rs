//! Checks the `mcp.json` of an Agent Plugin: the form of each server, and paths that lead out of the plugin.

use crate::repository::manifest::paths::{Paths, is_missing};
use crate::repository::manifest::read::{MAX_FINDINGS, Manifest, is_full};
use serde_json::{Map, Value};
use skills_format::{Diagnostic, RuleId, join};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The identifier of the schema. A client takes no other text.
const MCP: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// The variables that a client sets itself.
const RESERVED: [&str; 2] = ["PLUGIN_ROOT", "PLUGIN_DATA"];

/// Checks the `mcp.json` beside a manifest, if there is one.
pub(super) fn check(
    plugin: &Manifest,
    paths: &Paths<'_>,
    folder: &str,
    found: &mut Vec<Diagnostic>,
) {
    let path = join(folder, "mcp.json");
    let shown = match plugin.shown.rsplit_once('/') {
        Some((above, _)) => format!("{above}/mcp.json"),
        None => "mcp.json".to_owned(),
    };
    let text = match paths.text(&path) {
        Ok(text) => text,
        Err(error) if is_missing(&error) => return,
        Err(error) => {
            let manifest = Manifest {
                shown,
                text: String::new(),
                value: Value::Null,
                placed: Cell::default(),
            };
            found.push(
                manifest.finding(RuleId::ManifestForm, format!("it cannot be read: {error}")),
            );
            return;
        }
    };
    let (value, reason) = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(value) => (value, None),
        Err(error) => (Value::Null, Some(error.to_string())),
    };
    let manifest = Manifest {
        shown,
        text,
        value,
        placed: Cell::default(),
    };
    if let Some(reason) = reason {
        let message = format!("it is not JSON: {reason}");
        found.push(manifest.finding(RuleId::ManifestForm, message));
        return;
    }
    servers(&manifest, paths, folder, found);
}

fn servers(manifest: &Manifest, paths: &Paths<'_>, folder: &str, found: &mut Vec<Diagnostic>) {
    let mut report = |at: &str, message: String| {
        let finding = manifest.at(RuleId::ManifestForm, at, message);
        found.push(finding.help("correct it; a client starts none of the servers otherwise"));
    };
    let schema = manifest.value.get("$schema");
    if schema.is_none_or(|schema| schema != MCP) {
        let at = schema.and_then(Value::as_str).unwrap_or("$schema");
        report(at, format!("`$schema` is not `{MCP}`"));
    }
    let fields = manifest.value.as_object();
    for field in fields.into_iter().flat_map(Map::keys).take(MAX_FINDINGS) {
        if !matches!(field.as_str(), "$schema" | "mcpServers") {
            report(field, format!("`{field}` is not a field of `mcp.json`"));
        }
    }
    let Some(servers) = manifest.value.get("mcpServers").and_then(Value::as_object) else {
        report("mcpServers", "it has no object `mcpServers`".to_owned());
        return;
    };
    for (name, server) in servers {
        if is_full(found) {
            return;
        }
        if let Err(Fault { at, what }) = server_of(server) {
            let at = at.unwrap_or_else(|| name.clone());
            let finding = manifest.at(
                RuleId::ManifestForm,
                &at,
                format!("the server `{name}` {what}"),
            );
            found.push(finding.help("correct it; a client skips the server otherwise"));
            continue;
        }
        let text = |field| server.get(field).and_then(Value::as_str);
        if let Some(command) = text("command").filter(|command| command.starts_with("./")) {
            match paths.inside(folder, command) {
                None => found.push(manifest.leads_out("command", command)),
                Some(place) if !paths.is_file(&place) => {
                    found.push(manifest.missing("command", command));
                }
                Some(_) => {}
            }
        }
        let cwd = text("cwd").filter(|cwd| !cwd.starts_with("${PLUGIN_DATA}"));
        if let Some(cwd) = cwd {
            let below = cwd.strip_prefix("${PLUGIN_ROOT}").unwrap_or(cwd);
            if paths
                .inside(folder, below.trim_start_matches('/'))
                .is_none()
            {
                found.push(manifest.leads_out("cwd", cwd));
            }
        } else if text("cwd").is_some_and(|cwd| cwd.split('/').any(|part| part == "..")) {
            found.push(manifest.leads_out("cwd", text("cwd").unwrap_or_default()));
        }
    }
}

/// The fault of a server, and the text where it is.
struct Fault {
    at: Option<String>,
    what: String,
}

fn fault<T>(at: Option<&str>, what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        at: at.map(str::to_owned),
        what: what.into(),
    })
}

/// Checks the form of a server: one of three closed variants.
fn server_of(server: &Value) -> Result<(), Fault> {
    let Some(fields) = server.as_object() else {
        return fault(None, "is not an object");
    };
    let kind = fields.get("type").and_then(Value::as_str);
    let known: &[&str] = match kind {
        Some("stdio") => &["type", "command", "args", "env", "cwd"],
        Some("streamable-http" | "sse") => &["type", "url", "headers"],
        Some(kind) => return fault(Some(kind), format!("has the unknown type `{kind}`")),
        None => return fault(None, "has no text `type`"),
    };
    for (field, value) in fields {
        if !known.contains(&field.as_str()) {
            return fault(
                Some(field),
                format!("has `{field}`, which its type does not have"),
            );
        }
        let texts = |value: &Value| {
            value
                .as_object()
                .is_some_and(|all| all.values().all(Value::is_string))
        };
        let is_right = match field.as_str() {
            "args" => value
                .as_array()
                .is_some_and(|args| args.iter().all(Value::is_string)),
            "env" | "headers" => texts(value),
            _ => value.as_str().is_some_and(|text| !text.is_empty()),
        };
        if !is_right {
            return fault(Some(field), format!("has a wrong value of `{field}`"));
        }
    }
    let text = |field| fields.get(field).and_then(Value::as_str);
    if kind == Some("stdio") {
        let Some(command) = text("command") else {
            return fault(None, "has no `command`");
        };
        // A path can hold spaces. A name with spaces is a command line, which no client splits.
        let is_bare = !command.contains(['/', '\\']) && !command.contains(char::is_whitespace);
        if !is_bare && !command.starts_with("./") {
            let what = format!(
                "has the command `{command}`, which is not one name or a path that begins with `./`"
            );
            return fault(Some(command), what);
        }
        let roots = ["${PLUGIN_ROOT}", "${PLUGIN_DATA}"];
        let is_rooted = |cwd: &str| {
            let mut rests = roots.iter().filter_map(|root| cwd.strip_prefix(root));
            cwd.starts_with("./") || rests.any(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if let Some(cwd) = text("cwd").filter(|cwd| !is_rooted(cwd)) {
            let what = format!(
                "has the `cwd` `{cwd}`, which begins with neither `./` nor a variable of the plugin"
            );
            return fault(Some(cwd), what);
        }
        let env = fields.get("env").and_then(Value::as_object);
        if let Some(name) = RESERVED
            .iter()
            .find(|name| env.is_some_and(|env| env.contains_key(**name)))
        {
            return fault(Some(name), format!("sets `{name}`, which the client sets"));
        }
        return Ok(());
    }
    match text("url") {
        None => fault(None, "has no `url`"),
        Some(url) if is_url(url) => headers(fields.get("headers").and_then(Value::as_object)),
        Some(url) => fault(
            Some(url),
            format!("has the `url` `{url}`, which is not HTTPS, or holds a user or a fragment"),
        ),
    }
}

/// Checks the headers of a remote server: fields of HTTP, each name once in any case.
fn headers(headers: Option<&Map<String, Value>>) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    for (name, value) in headers.into_iter().flatten() {
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_token) {
            return fault(
                Some(name),
                format!("has the header `{name}`, which is not a name of HTTP"),
            );
        }
        let value = value.as_str().unwrap_or_default();
        if value.chars().any(|c| c.is_control() && c != '\t') {
            return fault(
                Some(name),
                format!("has a control character in the header `{name}`"),
            );
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            return fault(Some(name), format!("has the header `{name}` twice"));
        }
    }
    Ok(())
}

/// Returns whether a text is an address over HTTPS, or over HTTP on this machine, without a user and a fragment.
pub(super) fn is_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_local = host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    let is_plain = !url.contains('#') && !authority.contains('@') && !host.is_empty();
    let is_graphic = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    is_plain
        && is_graphic
        && (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") && is_local)
}
