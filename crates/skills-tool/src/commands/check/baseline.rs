//! `--baseline`: the known findings of a repository, which are not reported.

use crate::commands::check::findings::Findings;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Ctx, counted};
use serde::Deserialize;
use serde_json::json;
use skills_format::disk::{Folder, read_text};
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Digest, Prose, prose};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The file of the known findings.
#[derive(Deserialize)]
struct CheckBaselineDocument {
    findings: Vec<Known>,
}

/// The known findings of one rule about equal lines of a file.
#[derive(Deserialize)]
struct Known {
    rule: String,
    path: String,
    /// The SHA-256 of the line, or of the message when the finding has no line.
    line: String,
    count: usize,
}

type Key = (String, String, String);

/// Moves known findings to the suppressed findings. If the file is missing, the present findings are written to it.
pub(super) fn apply(path: &Path, findings: &mut Findings, cx: &mut Ctx) -> Result<(), Failure> {
    let keys = keys(path, findings, cx.env);
    let cannot = |error: Prose| {
        let help = "correct the file, or remove it: it is then written again";
        Failure::failed(prose!("cannot read {}: {}", path, error), help)
    };
    let mut known: BTreeMap<Key, usize> = BTreeMap::new();
    match read_text(&cx.env.absolute(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            for key in &keys {
                *known.entry(key.clone()).or_default() += 1;
            }
            write(path, &known, cx.env)?;
            let written = counted(keys.len(), "finding");
            cx.note(prose!("{written} written to {}", path));
        }
        Err(error) => return Err(cannot(prose!("{error}"))),
        Ok(text) => {
            let document: CheckBaselineDocument =
                serde_json::from_str(&text).map_err(|error| cannot(prose!("{error}")))?;
            for Known {
                rule,
                path,
                line,
                count,
            } in document.findings
            {
                known.insert((rule, path, line), count);
            }
        }
    }
    let found = std::mem::take(&mut findings.diagnostics).into_iter();
    for (finding, key) in found.zip(keys) {
        match known.get_mut(&key) {
            // A known finding suppresses a single finding: a further finding on an equal line is new.
            Some(left) if *left > 0 => {
                *left -= 1;
                findings.suppressed.push(finding);
            }
            _ => findings.diagnostics.push(finding),
        }
    }
    findings.sort();
    Ok(())
}

/// Writes the file as a whole: a killed run leaves no half of it.
fn write(path: &Path, known: &BTreeMap<Key, usize>, env: &Environment) -> Result<(), Failure> {
    let known = known.iter().map(|((rule, path, line), count)| {
        json!({ "rule": rule, "path": path, "line": line, "count": count })
    });
    let document = json!({ "schema": 1, "findings": known.collect::<Vec<_>>() });
    let written = || {
        let mut text = serde_json::to_string_pretty(&document).map_err(io::Error::from)?;
        text.push('\n');
        let file = env.absolute(path);
        let name = file.file_name().ok_or(ErrorKind::InvalidInput)?;
        let folder = Folder::open(file.parent().unwrap_or(Path::new("/")))?;
        folder.replace(name, text.as_bytes(), None)
    };
    written().map_err(|error: io::Error| {
        let help = "name a file in a folder that you can write to";
        Failure::unwritten(path, &error, help)
    })
}

/// Returns the keys of the findings, in their order. Their paths start from the root of the repository, or from the folder of
/// the file: they are the same in every working folder.
fn keys(path: &Path, findings: &Findings, env: &Environment) -> Vec<Key> {
    let file = env.absolute(path);
    let base = file.parent().unwrap_or(Path::new("/"));
    // A file outside of the repository can be about several: their paths from the root would be the same.
    let is_inside = findings.root().is_some_and(|root| file.starts_with(root));
    let from_base = |shown: &str| {
        let path = env.absolute(Path::new(shown));
        Some(path.strip_prefix(base).ok()?.shown().into_owned())
    };
    let rooted = |shown: &str| findings.rooted_path(shown).filter(|_| is_inside);
    // The findings are sorted by path, so each file is read once.
    let mut file = (String::new(), Vec::new());
    let key = |finding: &Diagnostic| {
        let shown = &finding.path;
        if file.0 != *shown {
            let source = findings.source(shown).unwrap_or_default();
            let lines = source.split(|byte| *byte == b'\n');
            let digests = lines.map(|line| Digest::of(line.trim_ascii()).to_string());
            file = (shown.clone(), digests.collect());
        }
        let line = finding.start.line.checked_sub(1);
        let line = line.filter(|_| finding.start != finding.end);
        // The text of the line and not its number: lines added above it do not make a known finding new.
        let digest = line.and_then(|line| file.1.get(line).cloned());
        let digest = digest.unwrap_or_else(|| Digest::of(finding.message.as_bytes()).to_string());
        let path = rooted(shown).or_else(|| from_base(shown));
        (
            finding.rule.to_string(),
            path.unwrap_or_else(|| shown.clone()),
            digest,
        )
    };
    findings.diagnostics.iter().map(key).collect()
}
