//! What changed between two versions of skills: in words, and in what the skills may do.
//!
//! A [`Side`] is a folder, a commit, or one skill. [`compare`] pairs the skills of two sides.

pub mod difference;
mod fields;
mod leads;
mod locks;
mod lowered;
mod opened;
mod pairs;
mod plugin_files;
mod redirections;
mod revision;
mod shown;
pub mod side;
mod source;
#[cfg(test)]
mod tests;
pub mod words;

pub use crate::lock::snapshot_powers as powers_of;
pub use difference::{PowerChanges, SkillChange, SkillDifference, compare};
pub use fields::FieldDifference;
pub use leads::Leads;
pub use locks::{LockState, ReviewedLock};
pub use lowered::{LoweredLock, lowered_locks};
pub use plugin_files::changed_plugin_files;
pub use redirections::{Redirection, redirections};
pub use revision::{Revision, merge_base, of_revision, toplevel};
pub use shown::ShownDescription;
pub use side::{ReviewedSkill, Side};
pub use source::{Newest, newest_of};
pub use words::{Piece, PieceKind, SectionDifference};
