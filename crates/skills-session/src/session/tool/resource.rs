//! The tool `read_skill_resource`: reads a file beside a `SKILL.md`, also of a bundled skill.

use crate::dialect::specs::ToolSpec;
use crate::session::tool::call::{CallArguments, ToolError, ToolErrorKind, echoed, find};
use serde_json::json;
use skills_format::nfc;
use skills_format::text::percent;
use skills_runtime::{Catalog, Error, Skill, Surface};
use std::borrow::Cow;

/// The maximum number of bytes of a file that the tool returns.
const MOST_BYTES: usize = 256 * 1024;

/// The tool's name.
pub(crate) const NAME: &str = "read_skill_resource";

/// Returns the definition of the tool that reads a skill's files.
pub(crate) fn spec() -> ToolSpec {
    let name = json!({ "description": "The skill's name.", "type": "string" });
    let path = json!({
        "description": "The file's path relative to the skill's folder, or its skill:// address.",
        "type": "string",
    });
    ToolSpec::new(
        NAME,
        "Reads a text file of a skill, such as references/checklist.md.".to_owned(),
        [("name".to_owned(), name), ("path".to_owned(), path)],
        &["path"],
    )
}

/// Answers a call of the tool.
pub(crate) fn call(catalog: &Catalog, json: &str) -> Result<String, ToolError> {
    let mut call = CallArguments::read(NAME, &["name", "path"], json)?;
    let path = call.text("path")?;
    let (id, path) = match address(&path) {
        Some(address) => address,
        None => (call.text("name")?, path.into()),
    };
    let skill = skill(catalog, id.trim(), &path)?;
    let bytes = skill
        .read(&path)
        .map_err(|error| unreadable(&error, &path))?;
    if bytes.len() > MOST_BYTES {
        let kib = bytes.len().div_ceil(1024);
        let message = format!("'{path}' has {kib} KiB; the limit is 256 KiB.");
        return Err(ToolError::new(ToolErrorKind::Files, message));
    }
    let text = std::str::from_utf8(&bytes).map(str::to_owned);
    text.map_err(|_| {
        let message = format!("'{path}' is not a text file.");
        ToolError::new(ToolErrorKind::Files, message)
    })
}

/// Returns the skill of a call. The model may read the files of a skill that only a person may start,
/// but not its instructions.
fn skill<'c>(catalog: &'c Catalog, id: &str, path: &str) -> Result<Skill<'c>, ToolError> {
    let found = find(catalog, id);
    match found {
        Err(_) if !is_skill_file(path) => {
            let by_user = catalog.find(id, Surface::User);
            by_user.or(found)
        }
        found => found,
    }
}

/// Splits `skill://SOURCE/NAME/PATH` into a qualified id and a path.
fn address(path: &str) -> Option<(String, Cow<'_, str>)> {
    let (source, rest) = path.strip_prefix("skill://")?.split_once('/')?;
    let (name, path) = rest.split_once('/')?;
    Some((format!("{source}:{name}"), percent_decoded(path)))
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    match percent::decode(text) {
        Cow::Borrowed(text) => nfc(text),
        Cow::Owned(text) => nfc(&text).into_owned().into(),
    }
}

/// Makes the error for a file. The path is shortened, because a model can write a path of any length.
fn unreadable(error: &Error, path: &str) -> ToolError {
    let message = format!("{error:#}");
    let message = match echoed(path) {
        Cow::Borrowed(_) => message,
        Cow::Owned(short) => message.replace(path, &short),
    };
    ToolError::new(ToolErrorKind::Files, message)
}

fn is_skill_file(path: &str) -> bool {
    // `./SKILL.md` is the same file: compared as written, it would disclose instructions that the model
    // may not read.
    let mut parts = path
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "."));
    let first = parts.next().unwrap_or_default();
    first.eq_ignore_ascii_case("skill.md") && parts.next().is_none()
}
