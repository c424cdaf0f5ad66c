//! The differences between two versions of a skill.

use crate::files::snapshot::{FileBytes, Snapshot};
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeSet;

/// Maximum size of a text that is compared line by line.
const MAX_TEXT: usize = 1024 * 1024;

/// A file that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileDifference {
    /// The path, relative to the skill's folder.
    pub path: String,
    /// The kind of the change.
    pub change: FileChange,
    /// The unified diff; `None` if a side is not text, or is too large.
    pub unified: Option<String>,
    /// The run bit of the new version, if it is not that of the old version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<bool>,
}

/// The kind of a change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FileChange {
    /// Only the new version has the file.
    Added,
    /// Only the old version has the file.
    Removed,
    /// The bytes differ.
    Changed,
}

impl FileDifference {
    /// Compares two versions of a text file. `None` is a version without the file.
    pub fn of_texts(path: &str, old: Option<&str>, new: Option<&str>) -> Self {
        Self {
            path: path.to_owned(),
            change: FileChange::of(old.is_some(), new.is_some()),
            unified: Some(unified(path, old, new)),
            executable: None,
        }
    }

    /// Names a differing file whose texts are unknown.
    pub fn of_unknown(path: &str, change: FileChange) -> Self {
        Self {
            path: path.to_owned(),
            change,
            unified: None,
            executable: None,
        }
    }
}

impl FileChange {
    fn of(was_there: bool, is_there: bool) -> Self {
        match (was_there, is_there) {
            (false, _) => Self::Added,
            (_, false) => Self::Removed,
            _ => Self::Changed,
        }
    }
}

/// Returns the differences between two versions, in order of paths.
pub fn between(old: &Snapshot, new: &Snapshot) -> Vec<FileDifference> {
    let paths: BTreeSet<&str> = old
        .files()
        .chain(new.files())
        .map(|(path, _)| path)
        .collect();
    let differs = |path: &&str| old.get(path) != new.get(path);
    let difference = |path: &str| {
        let (before, after) = (old.get(path), new.get(path));
        let run_bit = match (before, after) {
            (Some(old), Some(new)) if old.executable != new.executable => Some(new.executable),
            _ => None,
        };
        FileDifference {
            executable: run_bit,
            ..of_bytes(path, before, after)
        }
    };
    paths.into_iter().filter(differs).map(difference).collect()
}

/// Returns the difference of the bytes. Equal bytes have an empty unified diff.
fn of_bytes(path: &str, before: Option<&FileBytes>, after: Option<&FileBytes>) -> FileDifference {
    let is_same = before.map(|file| &file.bytes) == after.map(|file| &file.bytes);
    if is_same {
        return FileDifference {
            unified: Some(String::new()),
            ..FileDifference::of_unknown(path, FileChange::Changed)
        };
    }
    let mut sides = [before, after].into_iter().flatten();
    if sides.all(|file| text(file).is_some()) {
        return FileDifference::of_texts(path, before.and_then(text), after.and_then(text));
    }
    let change = FileChange::of(before.is_some(), after.is_some());
    FileDifference::of_unknown(path, change)
}

/// Returns the unified diff of two texts. `None` is a missing text.
pub fn unified(path: &str, old: Option<&str>, new: Option<&str>) -> String {
    let name = |side: Option<&str>, letter: char| match side {
        Some(_) => format!("{letter}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
    let header = (name(old, 'a'), name(new, 'b'));
    let mut unified = diff.unified_diff();
    unified.header(&header.0, &header.1).to_string()
}

/// Returns the text of a file; `None` if it is not text, or is too large.
fn text(file: &FileBytes) -> Option<&str> {
    let text = std::str::from_utf8(&file.bytes).ok()?;
    (text.len() <= MAX_TEXT && !text.contains('\0')).then_some(text)
}
