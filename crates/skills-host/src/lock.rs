//! The `skills.lock` of a folder of installed skills: reads the file, and changes it for the journal of
//! `skills_store`.

use crate::files::data::DataFolder;
use crate::files::lock::{
    self, EntryChange, LOCK_FILE, LockChange, LockEntry, LockFormat, NewLock,
};
use crate::files::snapshot::Snapshot;
use crate::files::work::{Work, finish};
use skills_compiler::{Folder, LockKind};
use skills_format::{Digest, command, prose};
use skills_lint::PowerFile;
use skills_permit::Powers;
use skills_permit::power::PowerKind;
use skills_repository::{Lock, Locked, Provenance};
use skills_store::{Error, ErrorKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Reads the lock of a folder of skills, after finishing the change of a killed process. A missing lock lists no
/// skill.
///
/// # Errors
///
/// [`ErrorKind::Newer`] for a lock of a later version, and [`ErrorKind::Damaged`] for a file that is not a lock:
/// neither counts as an empty lock.
pub fn read_lock(target: &Path, data: &DataFolder) -> Result<Lock, Error> {
    finish(target, data, Rc::new(SkillsLock))?;
    read(target).map(|lock| Lock::clone(&lock))
}

/// Returns the powers of a folder's lock, by the folders of the skills, for
/// [`locked`](skills_session::powers::locked). Reads the lock and finishes no change, so that a
/// start of an agent writes nothing.
///
/// An entry whose powers nobody read gets those of its files, if these are the locked ones. Otherwise the skill is held to none.
///
/// # Errors
///
/// As [`read_lock`].
pub fn held(target: &Path) -> Result<Vec<(PathBuf, Powers)>, Error> {
    let lock = read(target)?;
    let held = lock.skills.iter().map(|(name, locked)| {
        let folder = target.join(name);
        let mut locked = locked.clone();
        fill_powers(&folder, &mut locked);
        (folder, locked.powers.unwrap_or_default())
    });
    Ok(held.collect())
}

/// Checks that the lock of a folder can be read. Writes nothing.
///
/// # Errors
///
/// As [`read_lock`].
pub fn check(target: &Path) -> Result<(), Error> {
    read(target).map(drop)
}

/// Returns the names of the skills in the lock of a folder. Writes nothing.
///
/// # Errors
///
/// As [`read_lock`].
pub fn names(target: &Path) -> Result<Vec<String>, Error> {
    Ok(read(target)?.skills.keys().cloned().collect())
}

/// Returns the sources of the skills in the lock of a folder, sorted. Writes nothing.
///
/// # Errors
///
/// As [`read_lock`].
pub fn sources(target: &Path) -> Result<Vec<String>, Error> {
    let lock = read(target)?;
    let from = lock.skills.values().filter_map(|it| it.provenance.as_ref());
    let sources: BTreeSet<String> = from.map(|from| from.source.clone()).collect();
    Ok(sources.into_iter().collect())
}

/// Removes versions from the store that no known lock, no entry of the trash and no digest of `kept` names. Returns their
/// number.
///
/// # Errors
///
/// If a known lock cannot be read: the versions that it names are then unknown.
pub fn collect(data: &DataFolder, kept: BTreeSet<Digest>) -> Result<usize, Error> {
    let locked = |target: &Path| {
        let lock = read(target)?;
        Ok(lock.skills.values().map(|locked| locked.digest).collect())
    };
    data.collect(kept, locked)
}

/// A folder of skills that only this process changes, with its lock.
#[derive(Debug)]
pub struct SkillsFolder(Work);

impl SkillsFolder {
    /// Opens a folder like [`Work::open`].
    pub fn open(
        target: &Path,
        data: &DataFolder,
        waiting: &dyn Fn(&Path, &str),
    ) -> Result<Self, Error> {
        Work::open(target, data, Rc::new(SkillsLock), waiting).map(Self)
    }

    /// Returns the present lock on the disk.
    pub fn lock(&self) -> Result<Rc<Lock>, Error> {
        let skills = self.0.skills();
        parse(skills.path(), lock::read(skills)?)
    }
}

impl Deref for SkillsFolder {
    type Target = Work;

    fn deref(&self) -> &Work {
        &self.0
    }
}

/// The format of `skills.lock`.
#[derive(Debug)]
struct SkillsLock;

impl LockFormat for SkillsLock {
    fn change(
        &self,
        folder: &Path,
        old: Option<&str>,
        changes: &[EntryChange],
    ) -> Result<NewLock, Error> {
        let old = parse(folder, old.map(ToOwned::to_owned))?;
        let mut skills = old.skills.clone();
        for (name, change) in changes {
            match change {
                LockChange::Keep => {}
                LockChange::Set(entry) => {
                    let locked = from_entry(entry).ok_or_else(|| {
                        let message = prose!("{}: no digest", folder);
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
            return Ok(NewLock::Same);
        }
        if new.kind == LockKind::Installed && new.skills.is_empty() {
            return Ok(NewLock::Removed);
        }
        let text = new.to_string();
        // If the file cannot be written, the next read gives another text, and this lock is not used.
        remember(text.clone(), Rc::new(new));
        Ok(NewLock::Text(text))
    }
}

/// Reads the powers of an entry that has none, if the files are those of the entry.
fn fill_powers(folder: &Path, locked: &mut Locked) {
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

/// Converts an entry of the lock to an entry of the store.
pub fn to_entry(locked: &Locked) -> LockEntry {
    let provenance = locked.provenance.clone().unwrap_or_default();
    LockEntry {
        digest: locked.digest.to_string(),
        size: locked.size,
        source: locked.provenance.as_ref().map(|from| from.source.clone()),
        path: provenance.path,
        requested: provenance.requested,
        commit: provenance.commit,
        powers: locked.powers.as_ref().map(lists),
    }
}

/// Returns the texts of powers by the names of their kinds, as the store holds them.
fn lists(powers: &Powers) -> BTreeMap<String, Vec<String>> {
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for power in powers.iter() {
        let list = lists.entry(power.kind.as_str().to_owned()).or_default();
        list.push(power.text);
    }
    lists
}

/// Makes powers without places of lists. Returns `None` for an unknown kind.
fn of_lists(lists: &BTreeMap<String, Vec<String>>) -> Option<Powers> {
    let mut powers = Powers::default();
    for (kind, texts) in lists {
        let kind = PowerKind::parse(kind)?;
        for text in texts {
            powers.insert(kind, text.as_str());
        }
    }
    Some(powers)
}

/// Converts an entry of the store to an entry of the lock; `None` if its digest is not a SHA-256.
pub(crate) fn from_entry(entry: &LockEntry) -> Option<Locked> {
    let mut locked = Locked::new(entry.digest()?, entry.size);
    locked.powers = entry.powers.as_ref().and_then(of_lists);
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

thread_local! {
    /// The last parsed lock files: of the changed folder, and of the folder from which a skill moves. A run needs the
    /// lock for the plan, before the change and after the change. To parse the lock of thousands of skills costs a
    /// hundred times as much as to read the file.
    static PARSED: RefCell<Vec<(String, Rc<Lock>)>> = const { RefCell::new(Vec::new()) };
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
pub(crate) fn read(target: &Path) -> Result<Rc<Lock>, Error> {
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
    tests::TIMES.set(tests::TIMES.get() + 1);
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

/// Returns the lock that `skills lock` would write for a folder.
pub(crate) fn bundle_of(target: &Path) -> Lock {
    let above = target.parent().unwrap_or(target);
    let name = target.file_name().unwrap_or_default();
    let folder = Folder::read(above, &name.to_string_lossy());
    Lock::of(&folder.compile().model)
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

/// Makes the lock of installed skills anew from a lock in which git has left conflict markers. Of each skill of the folder, the entry
/// that has its files is taken from either side; a skill that the folder does not have any more is left out.
///
/// # Errors
///
/// [`ErrorKind::Damaged`] if a side is not a lock, or no side has the files of a skill: then the files are to be merged first.
pub fn merged(target: &Path, text: &str) -> Result<Lock, Error> {
    let path = target.join(LOCK_FILE);
    let (_, entries) = Lock::parse_sides(text).map_err(|error| {
        let message = prose!("{}: {error}", &path);
        Error::new(ErrorKind::Damaged, message).help("restore one side from version control")
    })?;
    let mut known: BTreeMap<String, Vec<Locked>> = BTreeMap::new();
    for (name, locked) in entries {
        known.entry(name).or_default().push(locked);
    }
    let mut skills = BTreeMap::new();
    for (name, entries) in known {
        let folder = target.join(&name);
        if !folder.is_dir() {
            continue;
        }
        let digest = Snapshot::read(&folder)?.digest();
        let Some(locked) = entries.into_iter().find(|locked| locked.digest == digest) else {
            let message = prose!(
                "{}: neither side of the conflict has the files of '{name}'",
                &path
            );
            let help = "take the folder of one side, then run this again";
            return Err(Error::new(ErrorKind::Damaged, message).help(help));
        };
        skills.insert(name, locked);
    }
    Ok(Lock::installed(skills))
}

#[cfg(test)]
mod tests;
