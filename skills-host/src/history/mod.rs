//! The history of a folder of skills that is a git repository of its own.
//!
//! A change is committed without a checkout and without `git add`: files are handed to git as they are,
//! so that no hook and no filter runs. Only the paths of the change are committed. What else a person
//! has changed or staged stays as it is. A folder of skills that merely lies in another repository is
//! committed there only when a person asks for it.

pub(crate) mod commit;
mod projects;
pub(crate) mod repository;
mod version;

pub use projects::Projects;
pub use repository::{History, Place};
pub use version::Version;
