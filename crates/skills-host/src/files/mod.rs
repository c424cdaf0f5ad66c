//! Atomic changes of folders of skills: read, staged, exchanged, and finished after a kill.
//!
//! A change of one skill is prepared in a hidden folder beside it (`.skills-work`), recorded in a journal, made, and
//! recorded in `skills.lock`. A process that is killed before the journal exists leaves the old skill. A process that
//! is killed later leaves a journal, which the next run carries out.

pub mod clock;
pub mod copy;
pub mod data;
pub mod executable;
pub mod folder;
pub mod guard;
mod journal;
pub mod lock;
pub mod relative_path;
pub mod removal;
pub mod snapshot;
pub mod store;
pub mod system;
mod target;
pub mod trash;
pub mod work;
#[cfg(test)]
mod world;

use skills_store::Error;

/// Returns an error once more, for another skill that it stops.
pub(crate) fn again(error: &Error) -> Error {
    Error::new(error.kind(), error).help(error.remedy_or("run the same command again"))
}
