//! What differs between two versions of a skill.

use crate::files::snapshot::{FileBytes, Snapshot};
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeSet;

/// Longest text that is compared line by line.
const MAX_TEXT: usize = 1024 * 1024;

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileDifference {
    /// Relative to the skill's folder.
    pub path: String,
    /// How it differs.
    pub change: FileChange,
    /// The unified difference; `None` when a side is not text, or very long.
    pub unified: Option<String>,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FileChange {
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
    /// Its bytes differ.
    Changed,
}

/// The differences between two versions, in the order of paths.
pub(crate) fn between(old: &Snapshot, new: &Snapshot) -> Vec<FileDifference> {
    let paths: BTreeSet<&str> = old
        .files()
        .chain(new.files())
        .map(|(path, _)| path)
        .collect();
    let differs = |path: &&str| {
        let bytes = |of: &Snapshot| of.get(path).map(|file| file.bytes.clone());
        bytes(old) != bytes(new)
    };
    let difference = |path: &str| {
        let (before, after) = (old.get(path), new.get(path));
        FileDifference {
            path: path.to_owned(),
            change: match (before, after) {
                (None, _) => FileChange::Added,
                (_, None) => FileChange::Removed,
                _ => FileChange::Changed,
            },
            unified: unified(path, before, after),
        }
    };
    paths.into_iter().filter(differs).map(difference).collect()
}

fn unified(path: &str, old: Option<&FileBytes>, new: Option<&FileBytes>) -> Option<String> {
    let (before, after) = (text(old)?, text(new)?);
    let name = |side: Option<&FileBytes>, letter: char| match side {
        Some(_) => format!("{letter}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(before, after);
    let header = (name(old, 'a'), name(new, 'b'));
    let mut unified = diff.unified_diff();
    Some(unified.header(&header.0, &header.1).to_string())
}

fn text(file: Option<&FileBytes>) -> Option<&str> {
    let Some(file) = file else {
        return Some("");
    };
    let text = std::str::from_utf8(&file.bytes).ok()?;
    (text.len() <= MAX_TEXT && !text.contains('\0')).then_some(text)
}
