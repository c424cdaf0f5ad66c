//! A repository of [Agent Skills](https://agentskills.io) as people lay it out.
//!
//! - [`repository`] finds the bundles of a repository, their mirrors, the manifests of plugins, and ignored files.
//! - [`check`] finds the problems of a whole repository.
//! - [`triggers`] tests whether the words of each skill match the texts that the skill is meant for.
//! - [`test!`] makes a test of the folder of skills that a program ships.
//! - [`page`] renders an HTML page about skills.
//!
//! Internal, no stability: what the program `skills` reads of a whole repository; a build script reads a folder of
//! skills with `skills-compiler`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod check;
mod git;
pub mod lock;
pub mod page;
pub mod repository;
pub mod tested;
pub mod triggers;

pub use git::attributes::Rewrites;
pub use git::index::TrackedSkills;
pub use lock::{Change, Lock, Locked, Provenance};
