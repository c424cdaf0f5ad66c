//! Installed skills that the lock of their folder names no longer, as the records of operations know them.

use crate::install::provenance::is_exported;
use crate::lock::{from_entry, read};
use skills_compiler::Provenance;
use skills_format::disk::resolve;
use skills_format::text::path::PathText as _;
use skills_store::Error;
use skills_store::files::data::DataFolder;
use skills_store::files::lock::LockEntry;
use skills_store::files::operation::OperationState;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Skills of one source that are in a folder, and whose entries in its lock are lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostEntries {
    /// The folder of skills.
    pub target: PathBuf,
    /// The names of the skills.
    pub names: Vec<String>,
    /// The source, as `install` takes it. `None` if it is not known, or a program or a crate carried the skills.
    pub source: Option<String>,
    /// The requested revision.
    pub revision: Option<String>,
}

/// Finds the skills whose last recorded operation left them installed, which are still there, and which no lock names. A
/// lock that cannot be read is reported elsewhere.
///
/// # Errors
///
/// If a record cannot be read.
pub fn lost_entries(data: &DataFolder) -> Result<Vec<LostEntries>, Error> {
    let mut entries: BTreeMap<(PathBuf, String), Option<LockEntry>> = BTreeMap::new();
    // In order of time: a later operation can have removed the skill.
    for record in data.operations().all()?.into_values().flatten() {
        if record.state != OperationState::Done {
            continue;
        }
        for change in record.changes {
            let entry = change.after.and_then(|after| after.entry);
            entries.insert((record.target.clone(), change.name), entry);
        }
    }
    let mut lost: BTreeMap<(PathBuf, Option<String>, Option<String>), Vec<String>> =
        BTreeMap::new();
    for ((target, name), entry) in entries {
        let Some(entry) = entry.filter(|_| target.join(&name).is_dir()) else {
            continue;
        };
        let is_named = read(&target).map_or(true, |lock| lock.skills.contains_key(&name));
        if !is_named {
            let from = from_entry(&entry).and_then(|locked| locked.provenance);
            let from = from.filter(|from| !is_exported(from));
            let source = from.as_ref().map(|from| source(from, &target));
            let revision = from.and_then(|from| from.requested);
            lost.entry((target, source, revision))
                .or_default()
                .push(name);
        }
    }
    let lost = lost.into_iter();
    let one = |((target, source, revision), names)| LostEntries {
        target,
        names,
        source,
        revision,
    };
    Ok(lost.map(one).collect())
}

/// Returns a source as a command takes it. A relative one is relative to the folder of the lock.
fn source(from: &Provenance, target: &Path) -> String {
    let text = from.shown_source().into_owned();
    if !text.starts_with('.') {
        return text;
    }
    let path = target.join(&text);
    resolve(&path).unwrap_or(path).shown().into_owned()
}
