//! The installed skills of a folder, and their local changes.

use crate::install::merge::ByHand;
use crate::lock::read_lock;
use skills_compiler::Locked;
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
        let state = state_of(target, &name, &locked, data)?;
        Ok((name, Installed { locked, state }))
    };
    lock.skills.into_iter().map(installed).collect()
}

pub(crate) fn state_of(
    target: &Path,
    name: &str,
    locked: &Locked,
    data: &DataFolder,
) -> Result<ByHandState, Error> {
    let path = target.join(name);
    if !is_there(&path)? {
        return Ok(ByHandState::Missing);
    }
    let Ok(now) = Snapshot::read(&path) else {
        return Ok(ByHandState::Changed);
    };
    if now.digest() == locked.digest {
        return Ok(ByHandState::Unchanged);
    }
    Ok(match data.store().get(locked.digest)? {
        Some(installed) if ByHand::between(&installed, &now).changed.is_empty() => {
            ByHandState::Added
        }
        _ => ByHandState::Changed,
    })
}
