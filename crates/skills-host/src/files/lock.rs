//! The `skills.lock` of a folder: reads the file, and changes its entries, as the journal and the trash keep them.
//!
//! The journal holds changes of entries, and not the new text of the lock: the lock of 3,000 skills has 600 KB. The text is made
//! when the lock is written, also by the run that finishes the change of a killed process.

use crate::files::folder::OpenFolder;
use crate::files::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use skills_compiler::{LOCK_FILE, LockKind};
use skills_format::{command, prose};
use skills_lint::PowerFile;
use skills_permit::Powers;
use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::io;
use std::path::Path;

/// The lock entry of a skill, as the text of a lock that lists this skill alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockEntry(String);

impl LockEntry {
    /// Creates the text of an entry.
    pub fn new(locked: &Locked) -> Self {
        // The text stands beside the name of its skill.
        let skills = [("skill".to_owned(), locked.clone())].into();
        Self(Lock::installed(skills).to_string())
    }

    /// Parses the text; `None` if it is no entry: users can edit the files that it is read from.
    pub fn locked(&self) -> Option<Locked> {
        Lock::parse(&self.0).ok()?.skills.into_values().next()
    }
}

/// A change of one entry, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LockChange {
    /// Keep the entry.
    Keep,
    /// Set the entry.
    Set(LockEntry),
    /// Remove the entry.
    Remove,
}

/// A change of the entry of a skill, with the skill's name.
pub type EntryChange = (String, LockChange);

/// Reads the lock in an open folder.
pub(crate) fn read_open(folder: &OpenFolder) -> Result<Lock, Error> {
    parse(folder.path(), folder.folder().text(Path::new(LOCK_FILE)))
}

/// Changes entries of the lock, in this order. Idempotent, since a finished journal repeats it.
pub(crate) fn change(target: &OpenFolder, changes: &[EntryChange]) -> Result<(), Error> {
    if changes
        .iter()
        .all(|(_, change)| *change == LockChange::Keep)
    {
        return Ok(());
    }
    let old = read_open(target)?;
    let mut new = old.clone();
    for (name, change) in changes {
        match change {
            LockChange::Keep => {}
            LockChange::Set(entry) => {
                let mut locked = entry.locked().ok_or_else(|| {
                    let folder = target.path();
                    let message = prose!("{}: the entry of `{name}` cannot be read", folder);
                    Error::new(ErrorKind::Damaged, message)
                })?;
                // What changes a skill leaves its `triggers.yaml` alone.
                locked.triggers = old.skills.get(name).and_then(|old| old.triggers);
                new.skills.insert(name.clone(), locked);
            }
            LockChange::Remove => {
                new.skills.remove(name);
            }
        }
    }
    if new == old {
        return Ok(());
    }
    let written = if new.kind == LockKind::Installed && new.skills.is_empty() {
        target.remove(LOCK_FILE)
    } else {
        target.replace_file(LOCK_FILE, new.to_string().as_bytes())
    };
    written.map_err(|error| {
        error.help("free space or correct the rights of the folder; the next command here finishes the change")
    })
}

/// Reads what the skill of a snapshot may do.
pub fn snapshot_powers(snapshot: &Snapshot) -> Powers {
    let files = snapshot.files().map(|(path, file)| PowerFile {
        path,
        bytes: Some(&file.bytes),
        is_executable: file.executable,
    });
    skills_lint::powers(files)
}

/// Reads the lock of a folder as it is. Writes nothing: the change of a killed process is not finished.
///
/// # Errors
///
/// As [`read_lock`](crate::lock::read_lock).
pub fn read(target: &Path) -> Result<Lock, Error> {
    parse(
        target,
        skills_format::disk::read_text(&target.join(LOCK_FILE)),
    )
}

/// Parses the lock of a folder; a missing one lists nothing.
fn parse(folder: &Path, text: io::Result<String>) -> Result<Lock, Error> {
    let path = folder.join(LOCK_FILE);
    let text = match text {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Lock::installed([].into()));
        }
        text => text.map_err(|error| Error::io(&path, "cannot be read", error))?,
    };
    Lock::parse(&text).map_err(|error| {
        let line = text.get(..error.span.start).unwrap_or_default();
        let line = line.matches('\n').count() + 1;
        let message = prose!("{}:{line}: {error}", &path);
        if error.newer {
            Error::new(ErrorKind::Newer, message).help("use that version of `skills` here")
        } else if error.conflict {
            let next = command("lock").path(folder);
            Error::new(ErrorKind::Damaged, message).help(prose!("merge the skills, then run {}", next))
        } else {
            Error::new(ErrorKind::Damaged, message).help(
                "correct the file or restore it from version control; or remove it, and install its skills again with --force",
            )
        }
    })
}
