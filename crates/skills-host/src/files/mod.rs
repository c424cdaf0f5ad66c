//! Folders of skills that are changed whole: read, staged, exchanged, and finished after a kill.
//!
//! A change of one skill is prepared in a hidden folder beside it (`.skills-work`), written down in
//! a journal, made, and recorded in `skills.lock`. Who is killed before the journal is there leaves
//! the old skill, and who is killed after it leaves a journal that the next run carries out.

pub mod clock;
pub(crate) mod copy;
pub mod data;
pub(crate) mod folder;
pub(crate) mod guard;
pub(crate) mod journal;
pub(crate) mod lock;
pub(crate) mod relative_path;
pub(crate) mod removal;
pub mod snapshot;
pub mod store;
pub(crate) mod target;
pub mod trash;
pub mod work;
