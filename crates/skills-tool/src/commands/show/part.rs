//! `skills show --body` and `--file`: prints a part of each skill.

use crate::catalog::skill::body;
use crate::outcome::Failure;
use crate::output::{Format, Output};
use serde::Serialize;
use skills_format::{command, prose};
use skills_runtime::Entry;
use std::io::Write as _;

/// `show --body --format json` and `show --file PATH --format json`
#[derive(Serialize)]
struct ShowPartDocument<'p> {
    schema: u32,
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
pub(crate) fn bodies(
    entries: &[Entry<'_>],
    format: Format,
    output: &mut Output,
) -> Result<(), Failure> {
    if format == Format::Text {
        for entry in entries {
            output.foreign(&body(entry)?)?;
            writeln!(output)?;
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
    output.json(&ShowPartDocument { schema: 1, parts })
}

/// Prints a file of each skill.
pub(crate) fn files(
    entries: &[Entry<'_>],
    path: &str,
    format: Format,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut parts = Vec::new();
    for entry in entries {
        let bytes = entry.read(path).map_err(|error| {
            let show = command("show").word(&entry.id());
            Failure::not_so(&error, prose!("{} lists its files", show))
        })?;
        if format == Format::Text {
            output.file(&bytes)?;
            continue;
        }
        parts.push(PartJson {
            id: entry.id().into_owned(),
            file: Some(path),
            size: bytes.len(),
            text: String::from_utf8(bytes.into_owned()).ok(),
        });
    }
    if format == Format::Json {
        output.json(&ShowPartDocument { schema: 1, parts })?;
    }
    Ok(())
}
