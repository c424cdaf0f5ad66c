//! Compares the skills of a source with the records of trusted skills.
//!
//! Loading compares paths, kinds, lengths and times, and reads only the files of which nothing but the
//! time has changed. Starting a skill compares the digests of all files.

use crate::error::{Error, ErrorKind};
use crate::source::changes::Changes;
use crate::source::diagnostics::reading;
use crate::source::folder::{FolderSkill, FolderSkills, Root};
use crate::source::open_skill::OpenSkill;
use crate::source::options::Limits;
use crate::source::trust::Verdict;
use crate::source::trust::entries::{Found, FoundKind, entries};
use crate::source::trust::record::{
    TrustRecord, TrustedContent, TrustedEntry, below, record_files,
};
use skills_format::disk;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Digest};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Decides for each skill of a source whether a record makes it trusted.
pub(crate) fn verify(
    folders: &FolderSkills,
    records: &[Arc<TrustRecord>],
    limits: Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = folders.skills.iter().map(|_| Verdict::Untrusted).collect();
    for (index, root) in folders.roots.iter().enumerate() {
        let records = of_root(records, root);
        let skills = folders.skills.iter().zip(&mut verdicts);
        let mut waiting = 0;
        for (skill, verdict) in skills.filter(|(skill, _)| skill.root == index) {
            let folder = below(skill, root);
            if let Some(record) = records.get(&*folder) {
                let unread;
                (*verdict, unread) = decide(record, skill, root, limits);
                if let Verdict::Changed(_, changes) = verdict {
                    let words =
                        unread.map_or_else(|| changes.to_string(), |error| format!("{error:#}"));
                    diagnostics.push(reading::no_longer_trusted(&skill.dir, &skill.name, &words));
                }
            }
            if matches!(verdict, Verdict::Untrusted) {
                waiting += 1;
            }
        }
        if waiting > 0 {
            diagnostics.push(reading::untrusted(&root.path, waiting));
        }
    }
    verdicts
}

/// Returns the last record of each skill below a root. The path of the root is resolved only if there
/// are records.
fn of_root<'r>(
    records: &'r [Arc<TrustRecord>],
    root: &Root,
) -> HashMap<&'r Path, &'r Arc<TrustRecord>> {
    if records.is_empty() {
        return HashMap::new();
    }
    let path = disk::resolved(&root.path);
    let of_root = records.iter().filter(|record| record.root == path);
    of_root.map(|record| (&*record.folder, record)).collect()
}

/// Compares a skill with its record. Also returns the error of a skill that cannot be compared and
/// therefore counts as changed.
fn decide(
    record: &Arc<TrustRecord>,
    skill: &FolderSkill,
    root: &Root,
    limits: Limits,
) -> (Verdict, Option<Error>) {
    let changes = match &skill.memory {
        Some(files) => Ok(record.difference(&record_files(files, skill, root))),
        None => OpenSkill::open(skill, Some(root), limits)
            .and_then(|open| changes_at_a_glance(record, &open)),
    };
    let record = Arc::clone(record);
    match changes {
        Ok(changes) if changes == Changes::default() => (Verdict::Trusted(record), None),
        Ok(changes) => (Verdict::Changed(record, changes), None),
        Err(error) => (Verdict::Changed(record, Changes::default()), Some(error)),
    }
}

/// Compares paths, kinds, lengths and times. A version control system can rewrite a file with the same
/// bytes: if only the time differs, the digest decides.
fn changes_at_a_glance(record: &TrustRecord, open: &OpenSkill<'_>) -> Result<Changes, Error> {
    compare(record, &entries(open)?, |path, old, now| {
        Ok(old.0 == now || Digest::of(&open.file(path)?) == old.1)
    })
}

/// Checks that the folder of a skill matches the record before the skill starts: every file by its
/// digest. `skill_file` holds the bytes of the `SKILL.md` that are used.
pub(crate) fn check_skill(
    open: &OpenSkill<'_>,
    record: &TrustRecord,
    skill: &FolderSkill,
    skill_file: &[u8],
) -> Result<(), Error> {
    let name = Path::new(&*skill.file_name);
    let changes = compare(record, &entries(open)?, |path, (_, digest), _| {
        // The bytes that are used, not the file again: it could have changed since it was read.
        Ok(if path == name {
            Digest::of(skill_file) == digest
        } else {
            Digest::of(&open.file(path)?) == digest
        })
    })?;
    if changes != Changes::default() {
        return Err(changed(skill, &changes.to_string()));
    }
    // `SKILL.md` can be a link. Then `compare` saw only the target of the link, and not the bytes that
    // are used.
    check_file(record, skill, name, skill_file)
}

/// Checks that the bytes of a file match the record.
pub(crate) fn check_file(
    record: &TrustRecord,
    skill: &FolderSkill,
    path: &Path,
    bytes: &[u8],
) -> Result<(), Error> {
    match record.file(path) {
        Some(digest) if digest == Digest::of(bytes) => Ok(()),
        Some(_) => Err(changed(skill, &format!("changed {}", path.shown()))),
        None => Err(changed(skill, &format!("added {}", path.shown()))),
    }
}

/// Compares entries with a record. `same` decides about files of the same length: its arguments are the
/// path, the time and the digest of the record, and the time now.
fn compare(
    record: &TrustRecord,
    now: &[Found],
    same: impl Fn(&Path, (i64, Digest), i64) -> Result<bool, Error>,
) -> Result<Changes, Error> {
    let is_same = |old: &TrustedEntry, now: &Found| match (&old.content, &now.kind) {
        (TrustedContent::Folder, FoundKind::Folder) => Ok(true),
        (TrustedContent::Link { target }, FoundKind::Link(now)) => {
            Ok(target.as_os_str() == now.as_os_str())
        }
        (
            TrustedContent::File {
                len,
                modified,
                digest,
            },
            FoundKind::File(stat),
        ) => Ok(*len == stat.len && same(&now.path, (*modified, *digest), stat.modified)?),
        _ => Ok(false),
    };
    record.changes(now, |found| &found.path, is_same)
}

fn changed(skill: &FolderSkill, what: &str) -> Error {
    let name = &skill.name;
    let message = format_args!("skill '{name}' has changed since you trusted it: {what}");
    Error::new(ErrorKind::Untrusted, message)
}
