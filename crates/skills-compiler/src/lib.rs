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
mod folder;
// Public for `skills-runtime`, which reads the skills again while a program runs.
#[cfg(feature = "hot")]
#[doc(hidden)]
pub mod hot;
mod literal;
mod lock;
mod looking;
mod model;
mod module;
mod options;
mod out_dir;
// Public for `skills-repository`, which adds the losses by `include`, `exclude` and git.
#[doc(hidden)]
pub mod package;
mod report;
mod rustc;
mod schema;
// Public for `skills-runtime`, as `hot`.
#[doc(hidden)]
pub mod tables;
#[cfg(test)]
mod tests;

pub use build::{Build, Error};
pub use compile::{Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
#[cfg(feature = "powers")]
pub use lock::check::powers_widened;
pub use lock::{Change, Lock, LockError, LockKind, Locked, Provenance};
pub use model::{BundleModel, FileModel, SkillModel, Usable};
pub use options::Options;
pub use report::{Report, ReportedFile, ReportedSkill};
// The argument types of `Build` and `Options`.
pub use skills_lint::{Level, Sealed};
