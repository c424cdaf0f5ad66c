//! Agents' programs, skills that run at a time, and repairs of skills after a run.
//!
//! Internal, no stability: a part of the program `skills`. A host with an agent of its own calls [`improve::attempt`] for each
//! skill that was active in a run with an error.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

pub mod agent;
pub mod improve;
pub mod schedule;
mod word;

pub use skills_host::{Error, ErrorKind};
