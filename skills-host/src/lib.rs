//! The files of a host program: which skills are disabled, and which skills are trusted.
//!
//! Every operation works on the files that the caller names.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

#[cfg(feature = "agent")]
pub mod agent;
mod disk;
mod error;
pub mod export;
pub mod files;
#[cfg(feature = "install")]
pub mod git;
#[cfg(feature = "install")]
pub mod history;
#[cfg(feature = "install")]
pub mod install;
mod json_file;
#[cfg(feature = "schedule")]
pub mod schedule;
mod state_file;
mod trust_file;

pub use error::{Error, ErrorKind};
pub use json_file::Stored;
pub use state_file::StateFile;
pub use trust_file::{TrustFile, TrustedTexts};
