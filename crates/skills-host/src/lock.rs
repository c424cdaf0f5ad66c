//! The `skills.lock` of a folder of installed skills: reads the file, and changes it for the journal of
//! `skills_store`.

use skills_compiler::{Change, Folder, Lock, LockKind, Locked, Options, Provenance};
use skills_format::Digest;
use skills_format::text::path::PathText as _;
use skills_store::files::data::DataFolder;
use skills_store::files::lock::{
    self, EntryChange, LOCK_FILE, LockChange, LockEntry, LockFormat, NewLock,
};
use skills_store::files::store::{Collected, Removal};
use skills_store::files::work::{Work, finish};
use skills_store::{Error, ErrorKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::rc::Rc;

/// Reads the lock of a folder of skills, after finishing the change of a killed process. A missing lock lists no
/// skill.
///
/// # Errors
///
/// [`ErrorKind::Newer`] for a lock of a later version, and [`ErrorKind::Damaged`] for a file that is not a lock:
/// neither counts as an empty lock.
pub fn read_lock(target: &Path, data: &DataFolder) -> Result<Lock, Error> {
    finish(target, data, Rc::<ParsedLock>::default())?;
    parse(target)
}

/// Removes versions from the store that no known lock, no entry of the trash and no digest of `kept` names.
///
/// # Errors
///
/// If a known lock cannot be read: the versions that it names are then unknown.
pub fn collect(
    data: &DataFolder,
    kept: BTreeSet<Digest>,
    removal: Removal,
) -> Result<Collected, Error> {
    let locked = |target: &Path| {
        let lock = parse(target)?;
        Ok(lock.skills.values().map(|locked| locked.digest).collect())
    };
    data.collect(kept, locked, removal)
}

/// A folder of skills that only this process changes, with its lock.
#[derive(Debug)]
pub(crate) struct SkillsFolder {
    work: Work,
    lock: Rc<ParsedLock>,
}

impl SkillsFolder {
    /// Opens a folder like [`Work::open`].
    pub(crate) fn open(
        target: &Path,
        data: &DataFolder,
        waiting: &dyn Fn(&Path, &str),
    ) -> Result<Self, Error> {
        let lock = Rc::<ParsedLock>::default();
        let work = Work::open(target, data, lock.clone(), waiting)?;
        Ok(Self { work, lock })
    }

    /// Returns the present lock on the disk.
    pub(crate) fn lock(&self) -> Result<Rc<Lock>, Error> {
        let skills = self.work.skills();
        let text = lock::read(skills)?;
        self.lock.parse(skills.path(), text.as_deref())
    }
}

impl Deref for SkillsFolder {
    type Target = Work;

    fn deref(&self) -> &Work {
        &self.work
    }
}

/// A lock, parsed once for each text. A run over thousands of skills reads the lock before and after each skill, and
/// parsing costs a hundred times as much as reading.
#[derive(Debug, Default)]
struct ParsedLock(RefCell<Option<(String, Rc<Lock>)>>);

impl ParsedLock {
    fn parse(&self, folder: &Path, text: Option<&str>) -> Result<Rc<Lock>, Error> {
        let Some(text) = text else {
            return Ok(Rc::new(Lock::installed([].into())));
        };
        let mut parsed = self.0.borrow_mut();
        if let Some((of, lock)) = &*parsed
            && of == text
        {
            return Ok(Rc::clone(lock));
        }
        let lock = Rc::new(parse_text(&folder.join(LOCK_FILE), text)?);
        *parsed = Some((text.to_owned(), Rc::clone(&lock)));
        Ok(lock)
    }
}

impl LockFormat for ParsedLock {
    fn change(
        &self,
        folder: &Path,
        old: Option<&str>,
        changes: &[EntryChange],
    ) -> Result<NewLock, Error> {
        let old = self.parse(folder, old)?;
        let mut skills = old.skills.clone();
        for (name, change) in changes {
            match change {
                LockChange::Keep => {}
                LockChange::Set(entry) => {
                    let locked = from_entry(entry).ok_or_else(|| {
                        let message = format!("{}: no digest", folder.shown());
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
            LockKind::Bundle => bundle(folder, Lock::clone(&old), skills),
            _ => Lock::installed(skills),
        };
        if new == *old {
            return Ok(NewLock::Same);
        }
        if new.kind == LockKind::Installed && new.skills.is_empty() {
            return Ok(NewLock::Removed);
        }
        let text = new.to_string();
        // If the file cannot be written, the next read gives another text, and this lock is not used.
        *self.0.borrow_mut() = Some((text.clone(), Rc::new(new)));
        Ok(NewLock::Text(text))
    }
}

/// Converts an entry of the lock to an entry of the store.
pub(crate) fn to_entry(locked: &Locked) -> LockEntry {
    let provenance = locked.provenance.clone().unwrap_or_default();
    LockEntry {
        digest: locked.digest.to_string(),
        size: locked.size,
        source: locked.provenance.as_ref().map(|from| from.source.clone()),
        path: provenance.path,
        requested: provenance.requested,
        commit: provenance.commit,
    }
}

/// Converts an entry of the store to an entry of the lock; `None` if its digest is not a SHA-256.
pub(crate) fn from_entry(entry: &LockEntry) -> Option<Locked> {
    let locked = Locked::new(entry.digest()?, entry.size);
    Some(match &entry.source {
        None => locked,
        Some(source) => {
            let mut provenance = Provenance::new(source);
            provenance.path.clone_from(&entry.path);
            provenance.requested.clone_from(&entry.requested);
            provenance.commit.clone_from(&entry.commit);
            locked.from(provenance)
        }
    })
}

fn parse(target: &Path) -> Result<Lock, Error> {
    let path = target.join(LOCK_FILE);
    match skills_format::disk::read_text(&path) {
        Ok(text) => parse_text(&path, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Lock::installed([].into())),
        Err(error) => Err(Error::io(&path, "cannot be read", error)),
    }
}

fn parse_text(path: &Path, text: &str) -> Result<Lock, Error> {
    Lock::parse(text).map_err(|error| {
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

/// Changes the skills in the lock of a bundle. If all skills match the lock, the digest becomes that of the folder.
/// Otherwise the digest stays, so that the lock is stale until `skills lock` is run.
fn bundle(target: &Path, mut lock: Lock, skills: BTreeMap<String, Locked>) -> Lock {
    lock.skills = skills;
    let (Some(above), Some(name)) = (target.parent(), target.file_name()) else {
        return lock;
    };
    let folder = Folder::read(above, &name.to_string_lossy(), &Options::default());
    let now = Lock::of(&folder.compile().model);
    let differences = lock.changes(&now);
    if differences
        .iter()
        .all(|change| matches!(change, Change::Moved))
    {
        lock.digest = now.digest;
    }
    lock
}
