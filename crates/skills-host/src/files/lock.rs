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
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::rc::Rc;

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

/// Reads the text of the lock in an open folder; `None` if it is missing.
fn text(folder: &OpenFolder) -> Result<Option<String>, Error> {
    match folder.folder().text(Path::new(LOCK_FILE)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(
            &folder.path().join(LOCK_FILE),
            "cannot be read",
            error,
        )),
    }
}

/// Reads the lock in an open folder.
pub(crate) fn read_open(folder: &OpenFolder) -> Result<Rc<Lock>, Error> {
    parse(folder.path(), text(folder)?)
}

/// Changes entries of the lock, in this order. Idempotent, since a finished journal repeats it.
pub(crate) fn change(target: &OpenFolder, changes: &[EntryChange]) -> Result<(), Error> {
    if changes
        .iter()
        .all(|(_, change)| *change == LockChange::Keep)
    {
        return Ok(());
    }
    let folder = target.path();
    let old = read_open(target)?;
    let mut skills = old.skills.clone();
    for (name, change) in changes {
        match change {
            LockChange::Keep => {}
            LockChange::Set(entry) => {
                let locked = entry.locked().ok_or_else(|| {
                    let message = prose!("{}: the entry of `{name}` cannot be read", folder);
                    Error::new(ErrorKind::Damaged, message)
                })?;
                skills.insert(name.clone(), locked);
            }
            LockChange::Remove => {
                skills.remove(name);
            }
        }
    }
    for (name, locked) in &mut skills {
        fill_powers(&folder.join(name), locked);
    }
    let new = match old.kind {
        LockKind::Bundle => bundle(Lock::clone(&old), skills),
        LockKind::Installed => Lock::installed(skills),
    };
    if new == *old {
        return Ok(());
    }
    let written = if new.kind == LockKind::Installed && new.skills.is_empty() {
        target.remove(LOCK_FILE)
    } else {
        let text = new.to_string();
        let written = target.replace_file(LOCK_FILE, text.as_bytes());
        // If the file cannot be written, the next read gives another text, and this lock is not used.
        remember(text, Rc::new(new));
        written
    };
    written.map_err(|error| {
        error.help("free space or correct the rights of the folder; the next command here finishes the change")
    })
}

/// Reads the powers of an entry that has none, if the files are those of the entry.
pub(crate) fn fill_powers(folder: &Path, locked: &mut Locked) {
    if locked.powers.is_some() {
        return;
    }
    let now = Snapshot::read(folder)
        .ok()
        .filter(|now| now.digest() == locked.digest);
    if let Some(now) = now {
        locked.powers = Some(snapshot_powers(&now).for_lock());
    }
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

thread_local! {
    /// The last parsed lock files: of the changed folder, and of the folder from which a skill moves. A run needs the
    /// lock for the plan, before the change and after the change. To parse the lock of thousands of skills costs a
    /// hundred times as much as to read the file.
    pub(crate) static PARSED: RefCell<Vec<(String, Rc<Lock>)>> = const { RefCell::new(Vec::new()) };
}

#[cfg(test)]
thread_local! {
    /// How often a text was parsed.
    pub(crate) static TIMES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The most texts that are remembered.
const REMEMBERED: usize = 2;

fn remember(text: String, lock: Rc<Lock>) {
    PARSED.with_borrow_mut(|parsed| {
        parsed.insert(0, (text, lock));
        parsed.truncate(REMEMBERED);
    });
}

/// Reads the lock of a folder as it is. Writes nothing: the change of a killed process is not finished.
///
/// # Errors
///
/// As [`read_lock`](crate::lock::read_lock).
pub fn read(target: &Path) -> Result<Rc<Lock>, Error> {
    let path = target.join(LOCK_FILE);
    match skills_format::disk::read_text(&path) {
        Ok(text) => parse(target, Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => parse(target, None),
        Err(error) => Err(Error::io(&path, "cannot be read", error)),
    }
}

/// The lock of a text; without a text it lists nothing.
fn parse(folder: &Path, text: Option<String>) -> Result<Rc<Lock>, Error> {
    let Some(text) = text else {
        return Ok(Rc::new(Lock::installed([].into())));
    };
    let known = PARSED.with_borrow(|parsed| {
        let known = parsed.iter().find(|(known, _)| *known == text)?;
        Some(Rc::clone(&known.1))
    });
    if let Some(lock) = known {
        return Ok(lock);
    }
    #[cfg(test)]
    TIMES.set(TIMES.get() + 1);
    let lock = Rc::new(parse_text(&folder.join(LOCK_FILE), &text)?);
    remember(text, Rc::clone(&lock));
    Ok(lock)
}

fn parse_text(path: &Path, text: &str) -> Result<Lock, Error> {
    Lock::parse(text).map_err(|error| {
        let line = text.get(..error.span.start).unwrap_or_default();
        let line = line.matches('\n').count() + 1;
        let message = prose!("{}:{line}: {error}", path);
        if error.newer {
            Error::new(ErrorKind::Newer, message).help("use that version of `skills` here")
        } else if error.conflict {
            let folder = path.parent().unwrap_or(path);
            let next = command("lock").path(folder);
            Error::new(ErrorKind::Damaged, message).help(prose!("merge the skills, then run {}", next))
        } else {
            Error::new(ErrorKind::Damaged, message).help(
                "correct the file or restore it from version control; or remove it, and install its skills again with --force",
            )
        }
    })
}

/// Changes the skills in the lock of a bundle.
fn bundle(mut lock: Lock, mut skills: BTreeMap<String, Locked>) -> Lock {
    for (name, locked) in &mut skills {
        // What changes a skill leaves its `triggers.yaml` alone.
        locked.triggers = lock.skills.get(name).and_then(|old| old.triggers);
    }
    lock.skills = skills;
    lock
}
