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
#[cfg(feature = "package")]
mod git;
mod lock;
mod model;
mod module;
mod options;
mod out_dir;
mod package;
#[cfg(feature = "page")]
pub mod page;
mod report;
#[cfg(feature = "package")]
pub mod repository;
mod rustc;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(feature = "package")]
pub mod triggers;

pub use build::{Build, Error};
pub use compile::{Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
pub use lock::{Change, Lock, LockError, LockKind, Locked, Provenance};
pub use model::{BundleModel, FileModel, SkillModel};
pub use options::Options;
#[cfg(feature = "package")]
pub use package::losses::package_losses;
pub use report::{Report, ReportedFile, ReportedSkill};
// What `Build` and `Options` take.
pub use skills_format::{Level, Sealed};
