//! The installed skills of a folder, and their local changes.

use crate::install::merge::ByHand;
use crate::lock::read_lock;
use skills_compiler::Locked;
use skills_format::{TRIGGERS_FILE, is_no_part};
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
    /// Files that no digest covers, such as backups of an editor. An agent can read them.
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
        let state = state_of(target, &name, &locked, data)?;
        let litter = litter_of(&target.join(&name))?;
        let installed = Installed {
            locked,
            state,
            litter,
        };
        Ok((name, installed))
    };
    lock.skills.into_iter().map(installed).collect()
}

/// Lists the files of a skill that no digest covers. Tests of the skill's triggers are not litter: their author wrote
/// them.
pub(crate) fn litter_of(skill: &Path) -> Result<Vec<String>, Error> {
    // A link counts as changed.
    if !is_there(skill)? || skill.is_symlink() {
        return Ok(Vec::new());
    }
    // A folder that cannot be read as a skill counts as changed, which is told instead.
    let Ok(now) = Snapshot::read(skill) else {
        return Ok(Vec::new());
    };
    let paths = now.beside().map(|(path, _)| path);
    let litter = paths.filter(|path| is_no_part(path) && ***path != *TRIGGERS_FILE);
    Ok(litter.map(ToString::to_string).collect())
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
    // A link is not the folder that was installed: what it leads to can be outside of the repository, and can change
    // without a trace in it.
    if path.is_symlink() {
        return Ok(ByHandState::Changed);
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
