//! `skills show --body` and `--file`: prints a part of each skill.

use crate::catalog::skill::body;
use crate::outcome::Failure;
use crate::output::Ctx;
use serde::Serialize;
use skills_format::{command, prose};
use skills_runtime::Entry;
use std::io::Write as _;

/// `show --body --format json` and `show --file PATH --format json`
#[derive(Serialize)]
struct ShowPartDocument<'p> {
    parts: Vec<PartJson<'p>>,
}

#[derive(Serialize)]
struct PartJson<'p> {
    id: String,
    /// Null for the body.
    file: Option<&'p str>,
    size: usize,
    /// Null when the file is not UTF-8.
    text: Option<String>,
}

/// Prints the instructions of each skill.
pub(crate) fn bodies(entries: &[Entry<'_>], cx: &mut Ctx) -> Result<(), Failure> {
    if !cx.is_json {
        for entry in entries {
            cx.foreign(&body(entry)?)?;
            writeln!(cx)?;
        }
        return Ok(());
    }
    let part = |entry: &Entry<'_>| {
        let text = body(entry)?.into_owned();
        Ok(PartJson {
            id: entry.id().into_owned(),
            file: None,
            size: text.len(),
            text: Some(text),
        })
    };
    let parts = entries.iter().map(part).collect::<Result<_, Failure>>()?;
    cx.json(&ShowPartDocument { parts })
}

/// Prints a file of each skill.
pub(crate) fn files(entries: &[Entry<'_>], path: &str, cx: &mut Ctx) -> Result<(), Failure> {
    let mut parts = Vec::new();
    for entry in entries {
        let bytes = entry.read(path).map_err(|error| {
            let show = command("show").word(&entry.id());
            Failure::not_so(&error, prose!("{} lists its files", show))
        })?;
        if !cx.is_json {
            cx.file(&bytes)?;
            continue;
        }
        parts.push(PartJson {
            id: entry.id().into_owned(),
            file: Some(path),
            size: bytes.len(),
            text: String::from_utf8(bytes.into_owned()).ok(),
        });
    }
    if cx.is_json {
        cx.json(&ShowPartDocument { parts })?;
    }
    Ok(())
}
