//! Operations of a host on the files of skills: install, update, compare.
//!
//! Internal, no stability: the operations of the program `skills`; a host that stores the decisions of people and
//! changes skills on disk uses `skills-store`.
//!
//! Every operation works on the folders that the caller names. The files of disabled and trusted skills are in
//! [`skills_store`].

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

pub mod deps;
pub mod files;
pub mod git;
pub mod history;
pub mod install;
pub mod lock;
pub mod pager;
pub mod places;
pub mod process;
pub mod review;
pub mod waited;

pub use skills_store::{Error, ErrorKind};
