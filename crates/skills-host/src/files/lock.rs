//! `skills.lock` of a folder of installed skills.

use crate::error::{Error, ErrorKind};
use crate::files::folder::OpenFolder;
use serde::{Deserialize, Serialize};
use skills_compiler::{Folder, LOCK_FILE, Lock, LockKind, Locked, Options, Provenance};
use skills_format::Digest;
use skills_format::disk::read_text;
use skills_format::text::path::PathText as _;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// A change of one entry, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LockChange {
    Keep,
    Set(LockEntry),
    Remove,
}

/// A change of the entry of a skill.
pub(crate) type EntryChange = (String, LockChange);

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

/// The lock of an open folder, parsed once for each text: a run over thousands of skills asks for it before and
/// after each, and parsing is a hundred times the cost of reading.
#[derive(Debug, Default)]
pub(crate) struct ParsedLock(RefCell<Option<(String, Rc<Lock>)>>);

impl ParsedLock {
    /// The lock as it is on the disk now.
    pub(crate) fn read(&self, target: &OpenFolder) -> Result<Rc<Lock>, Error> {
        let path = target.path().join(LOCK_FILE);
        let text = match target.folder().text(Path::new(LOCK_FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return parse_text(&path, Err(error)).map(Rc::new);
            }
            text => text.map_err(|error| Error::io(&path, "cannot be read", error))?,
        };
        let mut parsed = self.0.borrow_mut();
        if let Some((of, lock)) = &*parsed
            && *of == text
        {
            return Ok(Rc::clone(lock));
        }
        let lock = Rc::new(parse_text(&path, Ok(text.clone()))?);
        *parsed = Some((text, Rc::clone(&lock)));
        Ok(lock)
    }

    /// Notes what was written.
    fn wrote(&self, text: String, lock: Lock) {
        *self.0.borrow_mut() = Some((text, Rc::new(lock)));
    }
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

/// Changes entries, in this order. Doing so twice is doing so once.
pub(crate) fn change(
    target: &OpenFolder,
    parsed: &ParsedLock,
    changes: &[EntryChange],
) -> Result<(), Error> {
    if changes
        .iter()
        .all(|(_, change)| *change == LockChange::Keep)
    {
        return Ok(());
    }
    let old = parsed.read(target)?;
    let mut skills = old.skills.clone();
    for (name, change) in changes {
        match change {
            LockChange::Keep => {}
            LockChange::Set(entry) => {
                let locked = entry.locked().ok_or_else(|| {
                    let message = format!("{}: no digest", target.path().shown());
                    Error::new(ErrorKind::Damaged, message)
                })?;
                skills.insert(name.clone(), locked);
            }
            LockChange::Remove => {
                skills.remove(name);
            }
        }
    }
    let new = match old.kind {
        LockKind::Bundle => bundle(target.path(), Lock::clone(&old), skills),
        _ => Lock::installed(skills),
    };
    if new == *old {
        return Ok(());
    }
    drop(old);
    let done = if new.kind == LockKind::Installed && new.skills.is_empty() {
        target.remove(LOCK_FILE)
    } else {
        let text = new.to_string();
        let written = target.replace_file(LOCK_FILE, text.as_bytes());
        written.map(|()| parsed.wrote(text, new))
    };
    done.map_err(|error| {
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
