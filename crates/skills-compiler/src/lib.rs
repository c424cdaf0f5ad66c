//! Compiles a folder of [Agent Skills](https://agentskills.io) to Rust tokens and a lock, for the macro
//! `include_skills!` and for build scripts.
//!
//! A build script uses [`Build`]. A program calls [`Folder::read`], then [`Folder::compile`]. The result holds
//! the [`BundleModel`] to bake. [`Lock::of`] makes the lock of the model, and [`Report::of`] its sizes.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod build;
mod compile;
mod emit;
mod expand;
mod flat;
mod folder;
mod literal;
mod lock;
mod looking;
mod model;
mod module;
mod out_dir;
mod report;
mod rustc;
mod schema;
mod tables;
#[cfg(test)]
mod tests;

pub use build::{Build, Error};
pub use compile::{Check, Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
#[cfg(feature = "powers")]
pub use lock::check::powers_widened;
pub use lock::{Change, Lock, LockError, LockKind, Locked, Provenance};
pub use model::{BundleModel, FileModel, SkillModel, Usable};
pub use report::{Report, ReportedFile, ReportedSkill};
