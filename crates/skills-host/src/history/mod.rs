//! The history of a folder of skills that is a git repository of its own.
//!
//! A change is committed without a checkout and without `git add`: files are handed to git as they are,
//! so that no hook and no filter runs. Only the paths of the change are committed. What else a person
//! has changed or staged stays as it is. A folder of skills that merely lies in another repository is
//! committed there only when a person asks for it.
//!
//! The repository can be a stranger's, unpacked from an archive with a configuration that names programs. Each
//! call is a plumbing command that reads objects or references and asks for no attribute, so for no filter and no
//! driver; the index is written where no file of the person can be compared. A new call belongs in
//! `tests/hostile/src/git_configuration.rs`.

mod changed;
pub(crate) mod commit;
mod planted;
mod projects;
pub(crate) mod repository;
mod version;

pub use projects::Projects;
pub use repository::{History, Place};
pub use version::Version;
