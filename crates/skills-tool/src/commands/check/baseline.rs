//! `--baseline`: the known findings of a repository, which are not reported.

use crate::commands::check::findings::Findings;
use crate::environment::Environment;
use crate::outcome::{Failure, write_elsewhere};
use crate::output::counted;
use serde::{Deserialize, Serialize};
use skills_format::disk::{Folder, read_text};
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Digest, Prose, command, prose};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

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
fn write(path: &Path, findings: &Findings, env: &Environment) -> Result<usize, Failure> {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for key in keys(path, findings, env) {
        *counts.entry(key).or_default() += 1;
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
    save(path, text.as_bytes(), env)?;
    Ok(document.findings.iter().map(|known| known.count).sum())
}

/// Moves known findings to the suppressed findings: all of them if the file does not exist, which is then written. Returns a
/// note if the file was written, or known findings are gone.
pub(super) fn apply(
    path: &Path,
    findings: &mut Findings,
    env: &Environment,
) -> Result<Option<Prose>, Failure> {
    let cannot = |error: &dyn Display| {
        Failure::failed(
            prose!("cannot read {}: {error}", path),
            "delete it: the next check writes it",
        )
    };
    let text = match read_text(&env.absolute(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let known = counted(write(path, findings, env)?, "finding");
            findings.suppressed.append(&mut findings.diagnostics);
            findings.sort();
            return Ok(Some(prose!("{known} written to {}", path)));
        }
        text => text.map_err(|error| cannot(&error))?,
    };
    let document: CheckBaselineDocument =
        serde_json::from_str(&text).map_err(|error| cannot(&error))?;
    let mut known: BTreeMap<Key, usize> = document
        .findings
        .into_iter()
        .map(|known| ((known.rule, known.path, known.line), known.count))
        .collect();
    let keys = keys(path, findings, env);
    for (finding, key) in std::mem::take(&mut findings.diagnostics)
        .into_iter()
        .zip(keys)
    {
        match known.get_mut(&key) {
            Some(left) if *left > 0 => {
                // A known finding suppresses a single finding: a further finding on an equal line is new.
                *left -= 1;
                findings.suppressed.push(finding);
            }
            _ => findings.diagnostics.push(finding),
        }
    }
    findings.sort();
    let base = base(path, findings, env);
    let is_checked = |path: &str| {
        let path = base.join(path);
        findings.repositories.iter().any(|it| it.asks(&path))
    };
    // The findings of paths that are not checked now can still be there.
    let gone = known.iter().filter(|((_, path, _), _)| is_checked(path));
    let gone: usize = gone.map(|(_, left)| left).sum();
    Ok((gone > 0).then(|| {
        let them = if gone == 1 { "it" } else { "them" };
        let gone = counted(gone, "finding");
        let write = command("check --baseline").path(path);
        prose!(
            "{gone} of {} gone: delete the file, and {} forgets {them}",
            path,
            write
        )
    }))
}

/// Returns the folder that the paths of a baseline start from, whatever the working folder is: the root of the git
/// repository that holds the baseline, or the folder of the baseline. A baseline outside of the repository can be about
/// several.
fn base(path: &Path, findings: &Findings, env: &Environment) -> PathBuf {
    let path = env.absolute(path);
    let root = findings.root().filter(|root| path.starts_with(root));
    let folder = root.or_else(|| path.parent());
    folder.unwrap_or(Path::new("/")).to_owned()
}

/// Returns the keys of the findings, in their order.
fn keys(path: &Path, findings: &Findings, env: &Environment) -> Vec<Key> {
    let base = base(path, findings, env);
    let is_root = findings.root() == Some(&base);
    let from_base = |shown: &str| {
        let path = env.absolute(Path::new(shown));
        let below = path.strip_prefix(&base).ok()?;
        Some(below.shown().into_owned())
    };
    // The findings are sorted by path, so each file is read once.
    let mut file = (String::new(), None);
    let mut lines: Vec<Range<usize>> = Vec::new();
    // A line of a megabyte can have ten thousand findings.
    let mut last: Option<(usize, String)> = None;
    let key = |finding: &Diagnostic| {
        if file.0 != finding.path {
            file = (finding.path.clone(), findings.source(&finding.path));
            let source = file.1.as_deref().unwrap_or_default();
            lines = lines_of(source);
            last = None;
        }
        let line = finding.start.line.checked_sub(1);
        let line = line.and_then(|line| file.1.as_deref()?.get(lines.get(line)?.clone()));
        // The text of the line and not its number: lines added above it do not make a known finding new.
        let line = match (line, &last) {
            (Some(_), Some((number, digest)))
                if finding.start != finding.end && *number == finding.start.line =>
            {
                digest.clone()
            }
            (Some(line), _) if finding.start != finding.end => {
                let digest = Digest::of(line.trim_ascii()).to_string();
                last = Some((finding.start.line, digest.clone()));
                digest
            }
            _ => Digest::of(finding.message.as_bytes()).to_string(),
        };
        let shown = &finding.path;
        let rooted = || findings.rooted_path(shown).filter(|_| is_root);
        let path = rooted().or_else(|| from_base(shown));
        let path = path.unwrap_or_else(|| shown.clone());
        (finding.rule.to_string(), path, line)
    };
    findings.diagnostics.iter().map(key).collect()
}

/// Returns the places of the lines of a text, without their line feeds.
fn lines_of(source: &[u8]) -> Vec<Range<usize>> {
    let mut next = 0;
    let lines = source.split(|byte| *byte == b'\n').map(|line| {
        let start = next;
        next += line.len() + 1;
        start..start + line.len()
    });
    lines.collect()
}

/// Replaces a file as a whole: a killed run leaves the old file or the new file.
pub(super) fn save(path: &Path, bytes: &[u8], env: &Environment) -> Result<(), Failure> {
    let on_disk = env.absolute(path);
    let written = || {
        let folder = Folder::open(on_disk.parent().unwrap_or(Path::new("/")))?;
        let name = on_disk.file_name().ok_or(ErrorKind::InvalidInput)?;
        folder.replace(name, bytes, None)
    };
    written().map_err(|error| {
        let fact = prose!("cannot write {}: {error}", path);
        Failure::failed(fact, write_elsewhere(&error))
    })
}
