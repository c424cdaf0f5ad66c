//! The options of a plan for dependencies.

use crate::install::candidate::Strictness;
use crate::install::decide::OnConflict;
use skills_format::command;
use skills_format::text::command::Command;

/// The options of a plan for dependencies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DepsOptions {
    /// The dependencies whose skills are installed.
    pub reach: Reach,
    /// The treatment of errors of a strict check.
    pub strictness: Strictness,
    /// The action for local changes, and for an existing skill of another origin.
    pub on_conflict: OnConflict,
    /// The treatment of the lock.
    pub lock: LockUse,
    /// The command of the sync, with its folder of skills. Helps add options to it.
    pub sync: Command,
}

impl Default for DepsOptions {
    fn default() -> Self {
        Self {
            reach: Reach::default(),
            strictness: Strictness::default(),
            on_conflict: OnConflict::default(),
            lock: LockUse::default(),
            sync: command("deps sync"),
        }
    }
}

/// The dependencies whose skills are installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The direct dependencies. Crates that the lock names stay until they are no dependency at all.
    #[default]
    Direct,
    /// The transitive dependencies too.
    All,
}

/// The treatment of the lock of the folder of skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockUse {
    /// The lock follows the dependencies.
    #[default]
    Follow,
    /// Exactly the skills of the lock are installed, and the lock stays.
    Frozen,
}
