//! Compares the skills of an untrusted source with the records of what a person trusted.
//!
//! Loading compares paths, lengths and times. It reads only files of which nothing but the time has
//! changed. Starting a skill compares the digests of all its files.

use crate::disk;
use crate::error::{Error, ErrorKind};
use crate::source::diagnostics::reading;
use crate::source::folder::{FolderSkill, FolderSkills, Root};
use crate::source::open_skill::{Listed, OpenSkill};
use crate::source::options::Limits;
use crate::source::trust::record::{TrustRecord, from_root, of_root};
use crate::source::trust::{FolderTrust, SkillTrust};
use skills_format::{Diagnostic, Digest};
use std::path::Path;
use std::sync::Arc;

/// Decides whether an untrusted source is trusted because of its records: each root that has skills
/// needs a record that matches them.
pub(crate) fn verify(
    folders: &FolderSkills,
    records: &[Arc<TrustRecord>],
    limits: Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> SkillTrust {
    let mut recorded = Vec::new();
    let mut found = Vec::new();
    for (index, root) in folders.roots.iter().enumerate() {
        let count = of_root(folders, index).count();
        let record = record_of(records, root, count);
        let matches = |record: &Arc<TrustRecord>| matches(record, folders, index, root, limits);
        let (trust, record) = match record {
            _ if count == 0 => (FolderTrust::Empty, None),
            None => (FolderTrust::Untrusted, None),
            Some(record) if matches(record).is_ok_and(|same| same) => {
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
        SkillTrust::Recorded(recorded)
    } else {
        SkillTrust::Untrusted(found)
    }
}

/// The last record of a root. The path of a root is resolved only when it has skills and there are
/// records.
fn record_of<'r>(
    records: &'r [Arc<TrustRecord>],
    root: &Root,
    skills: usize,
) -> Option<&'r Arc<TrustRecord>> {
    if skills == 0 || records.is_empty() {
        return None;
    }
    let path = disk::resolved(&root.path);
    records.iter().rev().find(|record| record.root == path)
}

/// Whether the files below a root have the paths, lengths and times of a record. A version control
/// system can write a file again with the same bytes: when only its time differs, its digest decides.
fn matches(
    record: &TrustRecord,
    folders: &FolderSkills,
    index: usize,
    root: &Root,
    limits: Limits,
) -> Result<bool, Error> {
    let mut count = 0;
    let mut rewritten = Vec::new();
    for skill in of_root(folders, index) {
        let open = OpenSkill::open(skill, Some(root), limits)?;
        for Listed { path, stat } in open.list()? {
            let Some(file) = record.file(&from_root(skill, root, &path)) else {
                return Ok(false);
            };
            if file.len != stat.len {
                return Ok(false);
            }
            if file.modified != stat.modified {
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

/// Checks that the files of a skill that is about to be started match the record. `skill_file` holds
/// the bytes of the `SKILL.md` that are used.
pub(crate) fn check_skill(
    open: &OpenSkill<'_>,
    record: &TrustRecord,
    root: &Root,
    skill: &FolderSkill,
    skill_file: &[u8],
) -> Result<(), Error> {
    let listed = open.list()?;
    let dir = from_root(skill, root, "");
    let recorded = record
        .files
        .iter()
        .filter(|file| file.path.starts_with(&dir));
    if recorded.count() != listed.len() {
        return Err(changed(skill));
    }
    for Listed { path, .. } in &listed {
        if *path == skill.file_name {
            check_file(record, root, skill, path, skill_file)?;
        } else {
            check_file(record, root, skill, path, &open.file(Path::new(path))?)?;
        }
    }
    Ok(())
}

/// Checks that the bytes of a file, as they are used, match the record.
pub(crate) fn check_file(
    record: &TrustRecord,
    root: &Root,
    skill: &FolderSkill,
    path: &str,
    bytes: &[u8],
) -> Result<(), Error> {
    match record.file(&from_root(skill, root, path)) {
        Some(file) if file.digest == Digest::of(bytes) => Ok(()),
        _ => Err(changed(skill)),
    }
}

fn changed(skill: &FolderSkill) -> Error {
    let message = format_args!(
        "skill '{}' has changed since a person trusted it",
        skill.name
    );
    Error::new(ErrorKind::Untrusted, message)
}
