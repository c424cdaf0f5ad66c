//! What is known of the skills of a folder: where they came from, and whether they were changed.

use crate::install::merge::ByHand;
use crate::lock::read_lock;
use skills_compiler::Locked;
use skills_store::Error;
use skills_store::files::copy::is_there;
use skills_store::files::data::DataFolder;
use skills_store::files::snapshot::Snapshot;
use std::collections::BTreeMap;
use std::path::Path;

/// What a person did to an installed skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ByHandState {
    /// Nothing.
    Unchanged,
    /// Files were added, and every installed file is as it was.
    Added,
    /// Installed files were changed or removed.
    Changed,
    /// The folder is gone.
    Missing,
}

/// An installed skill.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Installed {
    /// Its lock entry.
    pub locked: Locked,
    /// What a person did to it.
    pub state: ByHandState,
}

/// The skills that the lock of a folder names, by name.
///
/// # Errors
///
/// A lock that cannot be read.
///
/// # Cost
///
/// Every file of every skill in the lock is read and digested.
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
    if !is_there(&path) {
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
