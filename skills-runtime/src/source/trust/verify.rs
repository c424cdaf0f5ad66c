//! Whether the skills of an untrusted source may be started after all, found out while it is loaded.
//!
//! Paths, lengths and times are compared with a person's record, which reads no file but those of
//! which nothing but the time is another.

use crate::disk;
use crate::error::Error;
use crate::source::diagnostics::reading;
use crate::source::folder::{FolderSkills, Root};
use crate::source::open_skill::{Listed, OpenSkill};
use crate::source::options::Limits;
use crate::source::trust::{Trust, from_root, of_root};
use crate::source::{FolderTrust, Standing};
use skills_format::{Diagnostic, Digest};
use std::path::Path;
use std::sync::Arc;

/// Whether an untrusted source is trusted after all: every root that holds skills has a record that
/// they look like.
pub(crate) fn standing(
    folders: &FolderSkills,
    records: &[Arc<Trust>],
    limits: Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Standing {
    let mut recorded = Vec::new();
    let mut found = Vec::new();
    for (index, root) in folders.roots.iter().enumerate() {
        let count = of_root(folders, index).count();
        let record = record_of(records, root, count);
        let is_same = |record: &Arc<Trust>| is_same(record, folders, index, root, limits);
        let (trust, record) = match record {
            _ if count == 0 => (FolderTrust::Empty, None),
            None => (FolderTrust::Untrusted, None),
            Some(record) if is_same(record).is_ok_and(|same| same) => {
                (FolderTrust::Recorded, Some(Arc::clone(record)))
            }
            Some(_) => (FolderTrust::Changed, None),
        };
        match trust {
            FolderTrust::Untrusted => diagnostics.push(reading::untrusted(&root.path, count)),
            FolderTrust::Changed => diagnostics.push(reading::no_longer_trusted(&root.path)),
            _ => {}
        }
        found.push(trust);
        recorded.push(record);
    }
    let waits =
        |trust: &FolderTrust| matches!(trust, FolderTrust::Untrusted | FolderTrust::Changed);
    if found.contains(&FolderTrust::Recorded) && !found.iter().any(waits) {
        Standing::Recorded(recorded)
    } else {
        Standing::Untrusted(found)
    }
}

/// What was last recorded of a root; of one without skills, and without records, its path is not
/// resolved.
fn record_of<'r>(records: &'r [Arc<Trust>], root: &Root, skills: usize) -> Option<&'r Arc<Trust>> {
    if skills == 0 || records.is_empty() {
        return None;
    }
    let path = disk::resolved(&root.path);
    records.iter().rev().find(|record| record.root == path)
}

/// Whether the files below a root have the paths and lengths of a record, and its times. A file that
/// was only written again, as a version control system does, has another time and the same digest.
fn is_same(
    record: &Trust,
    folders: &FolderSkills,
    index: usize,
    root: &Root,
    limits: Limits,
) -> Result<bool, Error> {
    let mut count = 0;
    let mut rewritten = Vec::new();
    for skill in of_root(folders, index) {
        let open = OpenSkill::open(skill, Some(root), limits)?;
        for Listed { path, look } in open.list()? {
            let Some(file) = record.file(&from_root(skill, root, &path)) else {
                return Ok(false);
            };
            if file.len != look.len {
                return Ok(false);
            }
            if file.modified != look.modified {
                rewritten.push((skill, path, file.digest));
            }
            count += 1;
        }
    }
    if count != record.files.len() {
        return Ok(false);
    }
    for (skill, path, digest) in rewritten {
        let open = OpenSkill::open(skill, Some(root), limits)?;
        if Digest::of(&open.file(Path::new(&path))?) != digest {
            return Ok(false);
        }
    }
    Ok(true)
}
