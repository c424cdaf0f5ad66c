//! The installed skills of a folder, and their local changes.

use crate::files::copy::is_there;
use crate::files::data::DataFolder;
use crate::files::snapshot::{Entry, Snapshot};
use crate::install::merge::ByHand;
use crate::lock::read_lock;
use skills_format::TRIGGERS_FILE;
use skills_repository::Locked;
use skills_store::Error;
use std::collections::BTreeMap;
use std::path::Path;

/// The local changes of an installed skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByHandState {
    /// No local change.
    Unchanged,
    /// Files were added, and every installed file is unchanged.
    Added,
    /// Installed files were changed or removed.
    Changed,
    /// The folder of the skill is missing.
    Missing,
}

/// An installed skill.
#[derive(Clone, Debug)]
pub struct Installed {
    /// The entry in the lock.
    pub locked: Locked,
    /// The local changes.
    pub state: ByHandState,
    /// What no digest covers: links, the `.git` of a repository, backups of an editor. An agent can read these files. Tests of
    /// the skill's triggers are not litter: their author wrote them.
    pub litter: Vec<String>,
}

/// Returns the skills in the lock of a folder, by name.
///
/// # Errors
///
/// If the lock cannot be read.
///
/// # Cost
///
/// Reads and digests every file of every skill in the lock.
pub fn installed(target: &Path, data: &DataFolder) -> Result<BTreeMap<String, Installed>, Error> {
    let lock = read_lock(target, data)?;
    let one = |(name, locked): (String, Locked)| {
        let (installed, _) = Installed::read(target, &name, locked, data)?;
        Ok((name, installed))
    };
    lock.skills.into_iter().map(one).collect()
}

impl Installed {
    /// Reads the folder of a skill, and returns its files too. A link is not the folder that was installed: what it leads to can
    /// be outside of the repository, and can change without a trace in it.
    pub(crate) fn read(
        target: &Path,
        name: &str,
        locked: Locked,
        data: &DataFolder,
    ) -> Result<(Self, Option<Snapshot>), Error> {
        let path = target.join(name);
        let mut installed = Self {
            locked,
            state: ByHandState::Changed,
            litter: Vec::new(),
        };
        if !is_there(&path)? {
            installed.state = ByHandState::Missing;
            return Ok((installed, None));
        }
        if path.is_symlink() {
            return Ok((installed, None));
        }
        let Ok(now) = Snapshot::read(&path) else {
            return Ok((installed, None));
        };
        installed.state = state_of(&now, &installed.locked, data)?;
        let is_tests =
            |path: &str, entry: &Entry| path == TRIGGERS_FILE && matches!(entry, Entry::File(_));
        let beside = now.beside().filter(|(path, entry)| !is_tests(path, entry));
        installed.litter = beside.map(|(path, _)| path.to_string()).collect();
        // A snapshot leaves its files out, and an agent can read them all the same.
        let git = now.is_repository.then(|| ".git".to_owned());
        installed.litter.extend(git);
        Ok((installed, Some(now)))
    }
}

/// Returns the local changes of files that were read.
pub(crate) fn state_of(
    now: &Snapshot,
    locked: &Locked,
    data: &DataFolder,
) -> Result<ByHandState, Error> {
    if now.digest() == locked.digest {
        return Ok(ByHandState::Unchanged);
    }
    Ok(match data.store().get(locked.digest)? {
        Some(installed) if ByHand::between(&installed, now).changed.is_empty() => {
            ByHandState::Added
        }
        _ => ByHandState::Changed,
    })
}
