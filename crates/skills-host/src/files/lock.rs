//! When the `skills.lock` of a folder of skills is written. A [`LockFormat`] knows the format.

use serde::{Deserialize, Serialize};
use skills_format::Digest;
use skills_store::Error;
use skills_store::files::folder::OpenFolder;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// The name of the lock.
pub const LOCK_FILE: &str = "skills.lock";

/// The lock entry of a skill: the installed version, and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockEntry {
    /// The digest as text, since users can edit the files that it is read from.
    pub digest: String,
    /// The size of the files that the digest covers, in bytes.
    pub size: u64,
    /// The URL, folder, archive or program that is the source.
    pub source: Option<String>,
    /// The path of the skill in the source.
    pub path: Option<String>,
    /// The requested revision.
    pub requested: Option<String>,
    /// The commit that the revision resolved to.
    pub commit: Option<String>,
    /// The powers of the skill, by the names of the kinds. `None` if the powers are unknown.
    #[serde(default)]
    pub powers: Option<BTreeMap<String, Vec<String>>>,
}

impl LockEntry {
    /// Parses the digest; `None` if it is not a SHA-256.
    pub fn digest(&self) -> Option<Digest> {
        Digest::parse(&self.digest)
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

/// The format of the lock, which the caller implements.
///
/// The journal holds changes of entries, and not the new text of the lock: the journal is written for each skill, and
/// the lock of 3,000 skills has 600 KB. So the text is made when the lock is written, also by the run that finishes
/// the change of a killed process.
pub trait LockFormat: fmt::Debug {
    /// Creates the text of a lock with changed entries, in this order. Idempotent.
    ///
    /// # Errors
    ///
    /// If the old text is not a lock, or a change is invalid. Then nothing is written.
    fn change(
        &self,
        folder: &Path,
        old: Option<&str>,
        changes: &[EntryChange],
    ) -> Result<NewLock, Error>;
}

/// The result of a change of the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewLock {
    /// The file stays unchanged.
    Same,
    /// The new text of the file.
    Text(String),
    /// The file is removed, since no entry is left.
    Removed,
}

/// Reads the text of the lock in an open folder; `None` if it is missing.
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

/// Changes entries of the lock, in this order. Idempotent, since a finished journal repeats it.
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
