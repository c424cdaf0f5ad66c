//! The conflicts of a merge, and the answers of a person, as data.

use serde::Serialize;
use skills_compiler::Locked;
use skills_store::files::snapshot::{FileBytes, Snapshot};
use std::collections::BTreeMap;

/// A file that cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Conflict {
    /// The path, relative to the skill's folder.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
    /// True if both versions are text, so that conflict markers can be written.
    pub text: bool,
}

/// The answer of a person to a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Keep the local version, which can be a removal.
    Ours,
    /// Take the version of the source.
    Theirs,
    /// Take this text.
    Text(Vec<u8>),
}

/// The answers for one skill, by the path of the file.
pub type Answers = BTreeMap<String, Answer>;

/// The versions of a skill whose merge has conflicts. The versions are kept, so that an answer needs no second fetch, and a
/// source that moves meanwhile changes nothing.
#[derive(Clone, Debug)]
pub(crate) struct Unmerged {
    pub(crate) installed: Snapshot,
    pub(crate) now: Snapshot,
    pub(crate) upstream: Snapshot,
    pub(crate) locked: Locked,
}

/// Says the first conflict, and the number of the others.
pub(crate) fn reason(conflicts: &[Conflict]) -> String {
    let more = match conflicts.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    conflicts.first().map_or_else(String::new, |first| {
        format!("{}: {}{more}", first.path, first.reason)
    })
}

/// Returns whether a version can be shown between conflict markers.
pub(crate) fn is_text(file: &FileBytes) -> bool {
    !file.bytes.contains(&0)
}
