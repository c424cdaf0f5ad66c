//! `--write-baseline` and `--baseline`: the known findings of a repository, which are not reported.

use crate::commands::check::findings::Findings;
use crate::environment::Environment;
use crate::outcome::Failure;
use serde::{Deserialize, Serialize};
use skills_format::disk::{Folder, read_text};
use skills_format::{Digest, command, prose};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

/// The file of the known findings.
#[derive(Deserialize, Serialize)]
struct CheckBaselineDocument {
    schema: u32,
    findings: Vec<Known>,
}

/// The known findings of one rule about equal lines of a file.
#[derive(Clone, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct Known {
    rule: String,
    path: String,
    /// The SHA-256 of the line, or of the message when the finding has no line.
    line: String,
    count: usize,
}

type Key = (String, String, String);

/// Writes the present findings to a file, and returns their number.
pub(super) fn write(
    path: &Path,
    findings: &Findings,
    environment: &Environment,
) -> Result<usize, Failure> {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for finding in &findings.diagnostics {
        *counts.entry(key(findings, finding)).or_default() += 1;
    }
    let known = counts.into_iter().map(|((rule, path, line), count)| Known {
        rule,
        path,
        line,
        count,
    });
    let document = CheckBaselineDocument {
        schema: 1,
        findings: known.collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    save(path, text.as_bytes(), environment)?;
    Ok(document.findings.iter().map(|known| known.count).sum())
}

/// Moves known findings to the suppressed findings.
pub(super) fn apply(
    path: &Path,
    findings: &mut Findings,
    environment: &Environment,
) -> Result<(), Failure> {
    let cannot = |error: &dyn Display| {
        Failure::failed(
            prose!("cannot read {}: {error}", path),
            prose!(
                "write it with {}",
                command("check --write-baseline").path(path)
            ),
        )
    };
    let text = read_text(&environment.absolute(path)).map_err(|error| cannot(&error))?;
    let document: CheckBaselineDocument =
        serde_json::from_str(&text).map_err(|error| cannot(&error))?;
    let mut known: BTreeMap<Key, usize> = document
        .findings
        .into_iter()
        .map(|known| ((known.rule, known.path, known.line), known.count))
        .collect();
    let all = std::mem::take(&mut findings.diagnostics);
    for finding in all {
        match known.get_mut(&key(findings, &finding)) {
            Some(left) if *left > 0 => {
                // A known finding suppresses a single finding: a further finding on an equal line is new.
                *left -= 1;
                findings.suppressed.push(finding);
            }
            _ => findings.diagnostics.push(finding),
        }
    }
    findings.sort();
    Ok(())
}

fn key(findings: &Findings, finding: &skills_format::Diagnostic) -> Key {
    // The text of the line and not its number: lines added above it do not make a known finding new.
    let source = findings.source(&finding.path);
    let line = source.as_deref().and_then(|source| {
        let line = finding.start.line.checked_sub(1)?;
        source.split(|byte| *byte == b'\n').nth(line)
    });
    let text = match line {
        Some(line) if finding.start != finding.end => line.trim_ascii(),
        _ => finding.message.as_bytes(),
    };
    let line = Digest::of(text).to_string();
    (finding.rule.to_string(), finding.path.clone(), line)
}

/// Replaces a file as a whole: a killed run leaves the old file or the new file.
pub(super) fn save(path: &Path, bytes: &[u8], environment: &Environment) -> Result<(), Failure> {
    let on_disk = environment.absolute(path);
    let written = || {
        let folder = Folder::open(on_disk.parent().unwrap_or(Path::new("/")))?;
        let name = on_disk
            .file_name()
            .ok_or(std::io::ErrorKind::InvalidInput)?;
        folder.replace(name, bytes, None)
    };
    written().map_err(|error| {
        let fact = prose!("cannot write {}: {error}", path);
        Failure::failed(fact, "name a file in a folder that exists")
    })
}
