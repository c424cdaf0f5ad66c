//! The places of findings that other programs read: each path of a SARIF log, and of the workflow commands of GitHub,
//! leads to a file from the root of the repository.

use crate::folder::Folder;
use crate::program::Call;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::path::Path;

/// Returns what is wrong with the paths that a call of `check` printed.
pub(crate) fn faults(call: &Call, stdout: &str, folder: &Folder) -> Result<Vec<String>, String> {
    let paths = match call.format() {
        Some("sarif") if stdout.starts_with('{') => {
            let log = serde_json::from_str(stdout).map_err(|error| format!("SARIF: {error}"))?;
            let mut paths = Vec::new();
            uris(&log, &mut paths);
            paths
        }
        Some("github") => stdout.lines().filter_map(annotated).collect(),
        _ => return Ok(Vec::new()),
    };
    let project = folder.project();
    let is_root = |path: &&Path| path.join(".git").exists();
    let within = project
        .ancestors()
        .take_while(|above| above.starts_with(folder.path()));
    let root = within.into_iter().find(is_root).unwrap_or(&project);
    let shown = folder.written();
    let is_there = |path: &str| root.join(path.replace("[CASE]", &shown)).exists();
    let missing = paths.iter().filter(|path| !is_there(path));
    let of = call.arguments.join(" ");
    Ok(missing
        .map(|path| format!("`skills {of}`: {path} leads to nothing from the repository's root"))
        .collect())
}

/// Collects the decoded paths of a SARIF log.
fn uris(log: &Value, paths: &mut Vec<String>) {
    match log {
        Value::Object(fields) => {
            if let Some(uri) = fields
                .get("artifactLocation")
                .and_then(|it| it["uri"].as_str())
            {
                paths.push(percent_decode_str(uri).decode_utf8_lossy().into_owned());
            }
            fields.values().for_each(|value| uris(value, paths));
        }
        Value::Array(items) => items.iter().for_each(|item| uris(item, paths)),
        _ => {}
    }
}

/// Returns the decoded path of a workflow command, such as `::error file=a.md,line=1::`.
fn annotated(line: &str) -> Option<String> {
    let (properties, _) = line.strip_prefix("::")?.split_once("::")?;
    let (_, properties) = properties.split_once(' ')?;
    let mut properties = properties.split(',');
    let path = properties.find_map(|property| property.strip_prefix("file="))?;
    // GitHub's runner decodes these five, and no other.
    let codes = [
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ];
    Some(codes.iter().fold(path.to_owned(), |path, (code, text)| {
        path.replace(code, text)
    }))
}
