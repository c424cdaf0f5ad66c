//! The `skills.lock` of a folder of installed skills, read after the change of a killed process is finished.

use crate::files::data::DataFolder;
use crate::files::lock::LockEntry;
pub use crate::files::lock::{read, snapshot_powers};
use crate::files::snapshot::Snapshot;
use crate::files::work::finish;
use skills_compiler::{Folder, LOCK_FILE};
use skills_format::prose;
use skills_permit::Powers;
use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Reads the lock of a folder of skills, after finishing the change of a killed process. A missing lock lists no
/// skill.
///
/// # Errors
///
/// [`ErrorKind::Newer`] for a lock of a later version, and [`ErrorKind::Damaged`] for a file that is not a lock:
/// neither counts as an empty lock.
pub fn read_lock(target: &Path, data: &DataFolder) -> Result<Lock, Error> {
    finish(target, data)?;
    read(target)
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
        let read = || {
            // An entry without powers, if the files are those of the entry.
            let now = Snapshot::read(&folder).ok()?;
            (now.digest() == locked.digest).then(|| snapshot_powers(&now).for_lock())
        };
        let powers = locked.powers.clone().or_else(read);
        (folder, powers.unwrap_or_default())
    });
    Ok(held.collect())
}

/// Removes versions from the store that no known lock and no entry of the trash names. Returns their number.
///
/// # Errors
///
/// If a known lock cannot be read: the versions that it names are then unknown.
pub fn collect(data: &DataFolder) -> Result<usize, Error> {
    let mut kept = BTreeSet::new();
    for target in data.known()?.iter().filter(|target| target.is_dir()) {
        kept.extend(read(target)?.skills.values().map(|locked| locked.digest));
    }
    for trashed in data.trash().list()? {
        let entry = trashed.record.entry.as_ref().and_then(LockEntry::locked);
        kept.extend(entry.map(|locked| locked.digest));
    }
    data.store().collect(&kept)
}

/// Returns the lock that `skills lock` would write for a folder.
pub(crate) fn bundle_of(target: &Path) -> Lock {
    let above = target.parent().unwrap_or(target);
    let name = target.file_name().unwrap_or_default();
    let folder = Folder::read(above, &name.to_string_lossy());
    Lock::of(&folder.compile().model)
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
    known.retain(|name, _| target.join(name).is_dir());
    for (name, mut entries) in known {
        let now = Snapshot::read(&target.join(&name))?;
        let here = entries.iter().find(|locked| locked.digest == now.digest());
        let locked = if let Some(here) = here {
            // git can have put the other side's into the entry.
            let mut here = here.clone();
            here.size = now.size();
            here.with_powers(&snapshot_powers(&now))
        } else if entries.windows(2).all(|pair| pair[0] == pair[1]) {
            // Both sides agree, and the folder has local changes, which the lock still tells from what was installed.
            entries.swap_remove(0)
        } else {
            let message = prose!("{}: the files of '{name}' match neither branch", &path);
            let help = "take the skill's folder from one side with `git checkout --ours` (or `--theirs`), then run this again";
            return Err(Error::new(ErrorKind::Damaged, message).help(help));
        };
        skills.insert(name, locked);
    }
    Ok(Lock::installed(skills))
}

#[cfg(test)]
mod tests;
