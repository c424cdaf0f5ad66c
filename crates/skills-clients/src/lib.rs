//! Facts about other programs that use [Agent Skills](https://agentskills.io).
//!
//! - [`client`] is the table of the programs: names, folders, and what each program makes of a skill.
//! - [`check`] hands its facts to the rules of the linter. A test writes them as `docs/clients.md`.
//! - [`listing`] applies the facts about a program's list: how much of each description it shows a model.
//! - [`reading`] reads a folder of skills as a program does.
//! - [`overlaps`] finds skills whose descriptions cannot be distinguished.
//! - [`read_triggers`] reads `triggers.yaml`: the texts for which a skill is meant.
//!
//! Internal, no stability: what the program `skills` says about other programs; a host that lists skills for its own
//! model uses `skills-runtime`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod check;
pub mod client;
pub mod listing;
mod overlap;
#[cfg(test)]
mod page;
pub mod reading;
mod source;
mod triggers;

pub use overlap::differing::{Differing, DistinctWords};
pub use overlap::{Overlap, Pair, Relation, overlaps};
pub use source::Source;
pub use triggers::schema::triggers_schema;
pub use triggers::{TRIGGER_FILES, Trigger, Triggers, read_triggers};
