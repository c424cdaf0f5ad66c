//! `skills.lock` of a folder of installed skills.

use crate::error::{Error, ErrorKind};
use crate::files::folder::OpenFolder;
use serde::{Deserialize, Serialize};
use skills_compiler::{Folder, LOCK_FILE, Lock, LockKind, Locked, Options, Provenance};
use skills_format::Digest;
use skills_format::disk::read_text;
use skills_format::text::path::PathText as _;
use std::io;
use std::path::Path;

/// A change of one entry, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LockChange {
    Keep,
    Set(LockEntry),
    Remove,
}

/// An entry as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockEntry {
    digest: String,
    size: u64,
    source: Option<String>,
    path: Option<String>,
    requested: Option<String>,
    commit: Option<String>,
}

impl From<&Locked> for LockEntry {
    fn from(locked: &Locked) -> Self {
        let provenance = locked.provenance.clone().unwrap_or_default();
        Self {
            digest: locked.digest.to_string(),
            size: locked.size,
            source: locked.provenance.as_ref().map(|from| from.source.clone()),
            path: provenance.path,
            requested: provenance.requested,
            commit: provenance.commit,
        }
    }
}

impl LockEntry {
    /// The entry; `None` when its digest is not a SHA-256.
    pub fn locked(&self) -> Option<Locked> {
        let locked = Locked::new(Digest::parse(&self.digest)?, self.size);
        Some(match &self.source {
            None => locked,
            Some(source) => {
                let mut provenance = Provenance::new(source);
                provenance.path.clone_from(&self.path);
                provenance.requested.clone_from(&self.requested);
                provenance.commit.clone_from(&self.commit);
                locked.from(provenance)
            }
        })
    }
}

/// Reads the lock of a folder. A lock that is missing lists nothing.
///
/// # Errors
///
/// [`ErrorKind::Newer`] for a lock of a later version and [`ErrorKind::Damaged`] for a file that is
/// not a lock: neither counts as an empty lock.
pub(crate) fn parse(target: &Path) -> Result<Lock, Error> {
    let path = target.join(LOCK_FILE);
    parse_text(&path, read_text(&path))
}

/// The same in an open folder.
pub(crate) fn parse_in(target: &OpenFolder) -> Result<Lock, Error> {
    let text = target.folder().text(Path::new(LOCK_FILE));
    parse_text(&target.path().join(LOCK_FILE), text)
}

fn parse_text(path: &Path, text: io::Result<String>) -> Result<Lock, Error> {
    let text = match text {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Lock::installed([].into()));
        }
        Err(error) => return Err(Error::io(path, "cannot be read", error)),
    };
    Lock::parse(&text).map_err(|error| {
        let line = text.get(..error.span.start).unwrap_or_default();
        let line = line.matches('\n').count() + 1;
        let message = format!("{}:{line}: {error}", path.shown());
        if error.newer {
            Error::new(ErrorKind::Newer, message).help("use that version of `skills` here")
        } else {
            Error::new(ErrorKind::Damaged, message).help(
                "correct the file, or restore it from version control; it is never taken for empty",
            )
        }
    })
}

/// Changes one entry. Doing so twice is doing so once.
pub(crate) fn change(target: &OpenFolder, name: &str, change: &LockChange) -> Result<(), Error> {
    let old = parse_in(target)?;
    let mut skills = old.skills.clone();
    match change {
        LockChange::Keep => return Ok(()),
        LockChange::Set(entry) => {
            let locked = entry.locked().ok_or_else(|| {
                Error::new(
                    ErrorKind::Damaged,
                    format!("{}: no digest", target.path().shown()),
                )
            })?;
            skills.insert(name.to_owned(), locked);
        }
        LockChange::Remove => {
            skills.remove(name);
        }
    }
    let new = match old.kind {
        LockKind::Bundle => bundle(target.path(), old.clone(), skills),
        _ => Lock::installed(skills),
    };
    if new == old {
        return Ok(());
    }
    let changed = if new.kind == LockKind::Installed && new.skills.is_empty() {
        target.remove(LOCK_FILE)
    } else {
        target.replace_file(LOCK_FILE, new.to_string().as_bytes())
    };
    changed.map_err(|error| {
        error.help("free space or correct the rights of the folder; the next command here finishes the change")
    })
}

/// The lock of a bundle with other skills. Its digest is that of the folder when all skills are as
/// they are locked; else it stays as it is, so that the lock is stale and `skills lock` is run.
fn bundle(
    target: &Path,
    mut lock: Lock,
    skills: std::collections::BTreeMap<String, Locked>,
) -> Lock {
    lock.skills = skills;
    let (Some(above), Some(name)) = (target.parent(), target.file_name()) else {
        return lock;
    };
    let folder = Folder::read(above, &name.to_string_lossy(), &Options::default());
    let now = Lock::of(&folder.compile().model);
    let differences = lock.changes(&now);
    if differences
        .iter()
        .all(|change| matches!(change, skills_compiler::Change::Moved))
    {
        lock.digest = now.digest;
    }
    lock
}
