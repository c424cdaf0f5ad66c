//! Operations of a host on skills, beside running them: install, update, schedule and improve.
//!
//! Internal, no stability: the operations of the program `skills`; a host that stores the decisions of people and
//! changes skills on disk uses `skills-store`.
//!
//! Every operation works on the folders that the caller names. The files of disabled and trusted skills are in
//! [`skills_store`].
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `agent` (default) | the start of an agent's program |
//! | `improve` (default) | repairs of skills after a run, and rollbacks; turns `agent` and `install` on |
//! | `install` (default) | installs from folders, archives and git repositories, history and updates |
//! | `schedule` (default) | scheduled skills; turns `agent` on |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

#[cfg(feature = "agent")]
pub mod agent;
#[cfg(feature = "install")]
pub mod deps;
#[cfg(feature = "install")]
pub mod git;
#[cfg(feature = "install")]
pub mod history;
#[cfg(feature = "improve")]
pub mod improve;
#[cfg(feature = "install")]
pub mod install;
pub mod lock;
#[cfg(feature = "install")]
pub mod pager;
#[cfg(feature = "install")]
pub mod places;
#[cfg(feature = "install")]
pub mod review;
#[cfg(feature = "schedule")]
pub mod schedule;
#[cfg(any(feature = "agent", feature = "install"))]
pub mod waited;

pub use skills_store::{Error, ErrorKind};
