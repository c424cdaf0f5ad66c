//! `skills.lock` of a folder of skills: when it is written. What it looks like, a [`LockFormat`] knows.

use crate::error::Error;
use crate::files::folder::OpenFolder;
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use std::fmt;
use std::io;
use std::path::Path;

/// The name of the file.
pub const LOCK_FILE: &str = "skills.lock";

/// The entry of a skill: what was installed, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockEntry {
    /// The digest as text. It is read from files that a person can edit.
    pub digest: String,
    /// Bytes of the files that the digest covers.
    pub size: u64,
    /// The URL, folder, archive or program that the skill came from.
    pub source: Option<String>,
    /// The path of the skill inside the source.
    pub path: Option<String>,
    /// The revision that was asked for.
    pub requested: Option<String>,
    /// The commit that the revision named then.
    pub commit: Option<String>,
}

impl LockEntry {
    /// The digest; `None` when it is not a SHA-256.
    pub fn digest(&self) -> Option<Digest> {
        Digest::parse(&self.digest)
    }
}

/// A change of one entry, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LockChange {
    /// The entry stays as it is.
    Keep,
    /// The skill gets this entry.
    Set(LockEntry),
    /// The skill has no entry.
    Remove,
}

/// A change of the entry of a skill.
pub type EntryChange = (String, LockChange);

/// The format of the lock, which its caller knows.
///
/// The journal holds changes of entries and not the new text of the lock: the journal is written for each skill, and the
/// text of a lock of 3,000 skills is 600 KB. So the text is made when the lock is written, also by the run that finishes
/// what a killed process began.
pub trait LockFormat: fmt::Debug {
    /// Makes the text of a lock with changed entries, in this order. Changing twice is changing once.
    ///
    /// # Errors
    ///
    /// The old text is not a lock, or a change is not valid. Then nothing is written.
    fn change(
        &self,
        folder: &Path,
        old: Option<&str>,
        changes: &[EntryChange],
    ) -> Result<NewLock, Error>;
}

/// What becomes of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewLock {
    /// The file stays as it is.
    Same,
    /// The file gets this text.
    Text(String),
    /// The file is removed: no entry is left.
    Removed,
}

/// Reads the text of the lock of an open folder; `None` when it is missing.
pub fn read(target: &OpenFolder) -> Result<Option<String>, Error> {
    match target.folder().text(Path::new(LOCK_FILE)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let path = target.path().join(LOCK_FILE);
            Err(Error::io(&path, "cannot be read", error))
        }
    }
}

/// Changes entries, in this order. Doing so twice is doing so once.
pub(crate) fn change(
    target: &OpenFolder,
    format: &dyn LockFormat,
    changes: &[EntryChange],
) -> Result<(), Error> {
    if changes
        .iter()
        .all(|(_, change)| *change == LockChange::Keep)
    {
        return Ok(());
    }
    let old = read(target)?;
    let done = match format.change(target.path(), old.as_deref(), changes)? {
        NewLock::Same => return Ok(()),
        NewLock::Text(text) => target.replace_file(LOCK_FILE, text.as_bytes()),
        NewLock::Removed => target.remove(LOCK_FILE),
    };
    done.map_err(|error| {
        error.help("free space or correct the rights of the folder; the next command here finishes the change")
    })
}
