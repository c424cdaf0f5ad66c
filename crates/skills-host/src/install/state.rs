//! The installed skills of a folder, and their local changes.

use crate::files::data::DataFolder;
use crate::files::snapshot::{Entry, Snapshot};
use crate::install::merge::ByHand;
use crate::lock::{read_lock, snapshot_powers};
use skills_format::TRIGGERS_FILE;
use skills_permit::Power;
use skills_repository::Locked;
use skills_store::Error;
use skills_store::files::copy::is_there;
use std::collections::BTreeMap;
use std::path::Path;

/// The local changes of an installed skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Installed {
    /// The entry in the lock.
    pub locked: Locked,
    /// The local changes.
    pub state: ByHandState,
    /// What no digest covers: links, the `.git` of a repository, backups of an editor. An agent can read these files.
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
        let Present { state, litter, .. } = Present::read(target, &name, &locked, data)?;
        let installed = Installed {
            locked,
            state,
            litter,
        };
        Ok((name, installed))
    };
    lock.skills.into_iter().map(one).collect()
}

/// How the powers of a skill differ from those of its entry in a lock.
#[derive(Clone, Debug, Default)]
pub(crate) struct PowersBeside {
    /// The powers that the entry does not hold, with their places.
    pub(crate) gained: Vec<Power>,
    /// True if the entry holds powers that the skill does not have.
    is_wider: bool,
}

impl PowersBeside {
    /// Returns whether the powers differ.
    pub(crate) fn differ(&self) -> bool {
        self.is_wider || !self.gained.is_empty()
    }
}

/// The folder of an installed skill as it is now. Its files are read once for the state, the litter and the powers.
pub(crate) struct Present {
    pub(crate) state: ByHandState,
    /// What no digest covers. Tests of the skill's triggers are not litter: their author wrote them.
    pub(crate) litter: Vec<String>,
    /// The files. `None` if the folder is missing, is a link, or cannot be read.
    now: Option<Snapshot>,
}

impl Present {
    /// Compares the powers of the skill with those of its entry. An entry from before version 3 holds no powers to compare
    /// with.
    pub(crate) fn powers_beside(&self, locked: &Locked) -> PowersBeside {
        let (Some(now), Some(held)) = (&self.now, &locked.powers) else {
            return PowersBeside::default();
        };
        let now = snapshot_powers(now);
        let widenings = now.for_lock_with_places().widenings(held);
        PowersBeside {
            gained: widenings.into_iter().map(|it| it.power).collect(),
            is_wider: !held.widenings(&now.for_lock()).is_empty(),
        }
    }

    pub(crate) fn read(
        target: &Path,
        name: &str,
        locked: &Locked,
        data: &DataFolder,
    ) -> Result<Self, Error> {
        let path = target.join(name);
        if !is_there(&path)? {
            return Ok(Self::without_litter(ByHandState::Missing));
        }
        // A link is not the folder that was installed: what it leads to can be outside of the repository, and can
        // change without a trace in it.
        if path.is_symlink() {
            return Ok(Self::without_litter(ByHandState::Changed));
        }
        let Ok(now) = Snapshot::read(&path) else {
            return Ok(Self::without_litter(ByHandState::Changed));
        };
        let is_tests =
            |path: &str, entry: &Entry| path == TRIGGERS_FILE && matches!(entry, Entry::File(_));
        let beside = now.beside().filter(|(path, entry)| !is_tests(path, entry));
        let mut litter: Vec<String> = beside.map(|(path, _)| path.to_string()).collect();
        // A snapshot leaves its files out, and an agent can read them all the same.
        litter.extend(now.is_repository.then(|| ".git".to_owned()));
        Ok(Self {
            litter,
            state: state_of(&now, locked, data)?,
            now: Some(now),
        })
    }

    fn without_litter(state: ByHandState) -> Self {
        Self {
            state,
            litter: Vec::new(),
            now: None,
        }
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
    Ok(match data.store().look(locked.digest)? {
        Some(installed) if ByHand::between(&installed, now).changed.is_empty() => {
            ByHandState::Added
        }
        _ => ByHandState::Changed,
    })
}
