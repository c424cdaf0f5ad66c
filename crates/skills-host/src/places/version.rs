//! One version of a skill, and its copies.

use crate::install::{ByHandState, FileDifference};
use jiff::Timestamp;
use serde::Serialize;
use skills_format::{Digest, Prose};
use skills_repository::Locked;
use std::path::PathBuf;

/// The copies of a skill with one name and the same files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Version {
    /// The name of the skill's folder.
    pub name: String,
    /// The digest of the files. `None` if they cannot be read.
    pub digest: Option<Digest>,
    /// The copies, in the order of the places.
    pub copies: Vec<SkillCopy>,
    /// The state beside the other copies of the name.
    pub state: VersionState,
    /// The differences from the version that was changed last; for that version, from the version changed before it.
    pub difference: Vec<FileDifference>,
    /// True if the name has other versions, and all of them were changed earlier.
    pub is_newest: bool,
    /// The names of the clients that list the skill's name twice.
    pub twice: Vec<&'static str>,
    /// The names of the clients that can list another version in the place of this one, or this one in the place of
    /// another: they read several files at once, and the file that is read last wins.
    pub unsure: Vec<&'static str>,
}

/// The state of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum VersionState {
    /// Several places have these files, and no place has others.
    Same,
    /// Another place has other files under the name.
    Differs,
    /// One place has the skill.
    OnlyHere,
    /// The files cannot be read.
    Unreadable,
}

/// A skill in one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkillCopy {
    /// The index of the place in [`Survey::places`](crate::places::Survey::places).
    pub place: usize,
    /// The folder of the skill.
    pub path: PathBuf,
    /// The folder to which `path` leads, if it is a link.
    pub link: Option<PathBuf>,
    /// The entry in the lock of the place.
    pub locked: Option<Locked>,
    /// The local changes since the installation. `None` if the lock does not name the skill.
    pub by_hand: Option<ByHandState>,
    /// True if an update passes over the copy.
    pub is_pinned: bool,
    /// The time of the last change of a file.
    pub modified: Option<Timestamp>,
    /// The names of the clients that list the copy.
    pub clients: Vec<&'static str>,
    /// The reason why the files cannot be read.
    pub fault: Option<Prose>,
}
