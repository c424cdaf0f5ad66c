//! The installed skills of a folder, and their local changes.

use crate::install::merge::ByHand;
use crate::lock::{read_lock, snapshot_powers};
use skills_compiler::Locked;
use skills_format::{Power, TRIGGERS_FILE, is_no_part};
use skills_store::Error;
use skills_store::files::copy::is_there;
use skills_store::files::data::DataFolder;
use skills_store::files::snapshot::Snapshot;
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
    /// Files that no digest covers, such as backups of an editor. An agent can read these files.
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
    let installed = |(name, locked): (String, Locked)| {
        let Present { state, litter } = Present::read(target, &name, &locked, data)?;
        let installed = Installed {
            locked,
            state,
            litter,
        };
        Ok((name, installed))
    };
    lock.skills.into_iter().map(installed).collect()
}

/// Returns the powers of a skill in a folder that its entry in the lock does not hold, with their places, and whether
/// the entry holds powers that the skill does not have. Neither for an entry from before version 3, which holds no
/// powers, and for a folder that cannot be read.
///
/// # Cost
///
/// Reads the text of every file of the skill.
pub fn powers_beside(target: &Path, name: &str, locked: &Locked) -> (Vec<Power>, bool) {
    let Some(held) = &locked.powers else {
        return (Vec::new(), false);
    };
    let path = target.join(name);
    let now = Some(path).filter(|path| !path.is_symlink());
    let Some(now) = now.and_then(|path| Snapshot::read(&path).ok()) else {
        return (Vec::new(), false);
    };
    let now = snapshot_powers(&now);
    let widenings = now.for_lock_with_places().widenings(held);
    let gained = widenings.into_iter().map(|widening| widening.power);
    let is_wider = !held.widenings(&now.for_lock()).is_empty();
    (gained.collect(), is_wider)
}

/// The folder of an installed skill as it is now. Its files are read once for the state and the litter.
pub(crate) struct Present {
    pub(crate) state: ByHandState,
    /// The files that no digest covers. Tests of the skill's triggers are not litter: their author wrote them.
    pub(crate) litter: Vec<String>,
}

impl Present {
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
        let paths = now.beside().map(|(path, _)| path);
        let litter = paths.filter(|path| is_no_part(path) && ***path != *TRIGGERS_FILE);
        Ok(Self {
            litter: litter.map(ToString::to_string).collect(),
            state: state_of(&now, locked, data)?,
        })
    }

    fn without_litter(state: ByHandState) -> Self {
        Self {
            state,
            litter: Vec::new(),
        }
    }
}

fn state_of(now: &Snapshot, locked: &Locked, data: &DataFolder) -> Result<ByHandState, Error> {
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
