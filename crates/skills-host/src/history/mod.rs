//! The history of a folder of skills that is a git repository of its own.
//!
//! A change is committed without a checkout and without `git add`: git gets the contents of files directly, so that
//! no hook and no filter runs. Only the paths of the change are committed. Other changed or staged files of the user
//! stay as they are. A folder of skills inside another repository is committed there only on the user's request.
//!
//! The repository can be foreign, unpacked from an archive with a configuration that names programs. Each call is a
//! plumbing command that reads objects or references and needs no attribute, so no filter and no driver. The index is
//! written in a folder without files to compare. The hooks that a configuration names are turned off by their names. A
//! new call belongs in `tests/hostile/src/git_configuration.rs`.

mod changed;
pub(crate) mod commit;
mod hooks;
mod planted;
mod projects;
pub(crate) mod repository;
mod version;

pub use projects::Projects;
pub use repository::{History, Place};
pub use version::Version;
