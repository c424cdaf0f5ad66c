//! The differences between two versions of a skill.

use crate::files::snapshot::{FileBytes, Snapshot};
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeSet;

/// Maximum size of a text that is compared line by line.
const MAX_TEXT: usize = 1024 * 1024;

/// A file that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
pub enum FileChange {
    /// Only the new version has the file.
    Added,
    /// Only the old version has the file.
    Removed,
    /// The bytes differ.
    Changed,
}

/// Returns the differences between two versions, in order of paths.
pub fn between(old: &Snapshot, new: &Snapshot) -> Vec<FileDifference> {
    let paths: BTreeSet<&str> = old
        .files()
        .chain(new.files())
        .map(|(path, _)| path)
        .collect();
    let mut all = Vec::new();
    for path in paths {
        let (before, after) = (old.get(path), new.get(path));
        if before == after {
            continue;
        }
        let sides = before.zip(after);
        let is_same = sides.is_some_and(|(old, new)| old.bytes == new.bytes);
        let (old_text, new_text) = (before.map(text), after.map(text));
        let is_text = [old_text, new_text]
            .into_iter()
            .flatten()
            .all(|it| it.is_some());
        let texts = (old_text.flatten(), new_text.flatten());
        all.push(FileDifference {
            path: path.to_owned(),
            change: match (before, after) {
                (None, _) => FileChange::Added,
                (_, None) => FileChange::Removed,
                _ => FileChange::Changed,
            },
            unified: if is_same {
                Some(String::new())
            } else {
                is_text.then(|| unified(path, texts.0, texts.1))
            },
            executable: sides
                .filter(|(old, new)| old.executable != new.executable)
                .map(|(_, new)| new.executable),
        });
    }
    all
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
