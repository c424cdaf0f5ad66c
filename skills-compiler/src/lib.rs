//! A folder of [Agent Skills](https://agentskills.io) to Rust tokens and to a lock: what
//! `include_skills!` and build scripts run.
//!
//! In a build script, [`Build`]. In a program, [`Folder::read`], then [`Folder::compile`]: the
//! [`BundleModel`] is what would be baked, [`Lock::of`] its lock, [`Report::of`] its sizes.

mod build;
mod compile;
mod emit;
mod expand;
mod folder;
mod ignore;
mod input;
mod lock;
mod model;
mod module;
mod options;
mod out_dir;
mod package;
mod report;
mod repository;
mod rustc;
mod tables;
#[cfg(test)]
mod tests;

pub use build::{Build, Error};
pub use compile::{Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
pub use lock::{Change, Lock, LockError, LockKind, Locked, Provenance};
pub use model::{BundleModel, FileModel, SkillModel};
pub use options::Options;
pub use package::package_losses;
pub use report::{Report, ReportedFile, ReportedSkill};
