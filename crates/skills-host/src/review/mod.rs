//! What changed between two versions of skills: nothing that changed goes unseen, and nothing that was not compared is called
//! safe.
//!
//! A [`Side`] is a folder, a commit, or one skill. [`compare`] pairs the skills of two sides; [`Changes::passes`] is the one gate
//! of `skills diff --deny widening`, of `skills update --yes` and of repairs.

mod beside;
pub mod changes;
pub(crate) mod difference;
mod fields;
mod files;
mod front;
pub(crate) mod item;
mod leads;
mod named;
mod names;
mod others;
mod outside;
mod pairs;
mod places;
mod plugin_files;
mod revision;
pub mod side;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trees;
pub(crate) mod walk;

pub use crate::lock::snapshot_powers as powers_of;
pub use changes::{Changes, SkillChange, SkillChanges, compare, compare_snapshots};
pub use fields::FieldDifference;
pub use files::{ChangedFile, ChangedKind};
pub use leads::Leads;
pub use others::others;
pub use revision::{Revision, merge_base, of_revision, of_working_folder, toplevel};
pub use side::{ReviewedSkill, Side};

/// Counts steps that must stay linear in what is compared. Only tests read the count.
#[inline]
fn step(count: usize) {
    #[cfg(test)]
    tests::STEPS.set(tests::STEPS.get() + count);
    #[cfg(not(test))]
    let _ = count;
}
