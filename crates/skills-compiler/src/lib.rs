//! Compiles a folder of [Agent Skills](https://agentskills.io) to Rust tokens and a lock, for the macro
//! `include_skills!` and for build scripts.
//!
//! A build script uses [`Build`]. A program calls [`Folder::read`], then [`Folder::compile`]. The result holds
//! the [`BundleModel`] to bake. [`Digests`] are what a build compares with a lock.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod build;
mod compile;
mod emit;
mod expand;
mod folder;
mod lock;
mod model;
mod module;
mod rustc;
#[cfg(feature = "arguments")]
mod schema;
#[cfg(not(feature = "arguments"))]
#[path = "no_schema.rs"]
mod schema;
mod tables;
#[cfg(test)]
mod tests;

pub use build::{Build, Error};
pub use compile::{Check, Compiled, Named};
pub use expand::include_skills;
pub use folder::{Folder, LOCK_FILE};
pub use lock::{Digests, LOCK_VERSION, LockError, LockKind, SkillDigests, lock_text};
pub use model::{BundleModel, FileModel, SkillModel};
