//! What a host does with skills beside running them: install, update, export, schedule and repair.
//!
//! Every operation works on the folders that the caller names. The files for what a person disabled and trusted are
//! in [`skills_store`].
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `agent` (default) | starts the program of an agent |
//! | `improve` (default) | skills that are repaired after a run, and rolled back; turns `agent` and `install` on |
//! | `install` (default) | skills from folders, archives and git repositories, their history and updates |
//! | `schedule` (default) | skills that run at a time; turns `agent` on |
//! | `clap` | a ready subcommand for programs that carry skills |
//!
//! `export` needs no feature.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

#[cfg(feature = "agent")]
pub mod agent;
pub mod export;
#[cfg(feature = "install")]
pub mod git;
#[cfg(feature = "install")]
pub mod history;
#[cfg(feature = "improve")]
pub mod improve;
#[cfg(feature = "install")]
pub mod install;
pub mod lock;
#[cfg(feature = "schedule")]
pub mod schedule;

pub use skills_store::{Error, ErrorKind};
