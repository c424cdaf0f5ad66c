//! What a model is given when a skill starts.

use crate::failure::Failure;
use skills_runtime::{Entry, Location};
use std::fmt::Write as _;

/// The text of an activation.
pub(crate) fn activation(entry: &Entry<'_>, arguments: &str) -> Result<String, Failure> {
    let unreadable = |error| Failure::unreadable(entry, &error);
    let body = entry.body().map_err(unreadable)?;
    let resources = entry.resources().map_err(unreadable)?;
    let directory = match entry.location() {
        Location::Folder(path) => path.display().to_string(),
        _ => format!("skill://{}/{}", entry.source().name(), entry.name()),
    };
    let mut text = format!(
        "<skill_content name=\"{}\" source=\"{}\" directory=\"{directory}\">\n{body}\n",
        entry.name(),
        entry.source().name(),
    );
    if !arguments.is_empty() {
        let _ = write!(text, "\nARGUMENTS: {arguments}\n");
    }
    if !resources.is_empty() {
        text.push_str("\n<skill_resources>\n");
        for resource in resources {
            let _ = writeln!(text, "{}", resource.path);
        }
        text.push_str("</skill_resources>\n");
    }
    text.push_str("</skill_content>\n");
    Ok(text)
}
