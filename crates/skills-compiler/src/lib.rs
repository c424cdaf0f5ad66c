//! Turns a folder of [Agent Skills](https://agentskills.io) into Rust tokens and a lock. The macro
//! `include_skills!` and build scripts run this crate.
//!
//! A build script uses [`Build`]. A program calls [`Folder::read`], then [`Folder::compile`]. Its
//! result has the [`BundleModel`], which would be baked. [`Lock::of`] makes the lock of the model, and
//! [`Report::of`] its sizes.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod build;
mod compile;
mod emit;
mod expand;
mod folder;
mod lock;
mod model;
mod module;
mod options;
mod out_dir;
// For `skills-repository`, which also asks the manifest and git.
#[doc(hidden)]
pub mod package;
mod report;
mod rustc;
mod tables;
#[cfg(test)]
mod tests;

pub use build::{Build, Error};
pub use compile::{Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
pub use lock::{Change, Lock, LockError, LockKind, Locked, Provenance};
pub use model::{BundleModel, FileModel, SkillModel, Usable};
pub use options::Options;
pub use report::{Report, ReportedFile, ReportedSkill};
// What `Build` and `Options` take.
pub use skills_lint::{Level, Sealed};
