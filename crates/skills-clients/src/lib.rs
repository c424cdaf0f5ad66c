//! Facts about other programs that use [Agent Skills](https://agentskills.io).
//!
//! - [`client`] holds the facts: how much of each description a program shows a model.
//! - [`reading`] reads a folder of skills as a program does.
//! - [`overlaps`] finds skills whose descriptions cannot be distinguished.
//! - [`read_triggers`] reads `triggers.yaml`: the texts for which a skill is meant.
//!
//! Internal, no stability: what the program `skills` says about other programs; a host that lists skills for its own
//! model uses `skills-runtime`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod check;
pub mod client;
mod overlap;
pub mod reading;
mod triggers;

pub use overlap::differing::{Differing, DistinctWords};
pub use overlap::{Overlap, Pair, Relation, overlaps};
pub use triggers::schema::triggers_schema;
pub use triggers::{TRIGGER_FILES, Trigger, Triggers, read_triggers};
