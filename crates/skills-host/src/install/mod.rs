//! Installs skills from folders, archives and git repositories, and updates, merges, uninstalls and restores them.
//!
//! Each operation first makes a plan, which is data and writes nothing, and then applies the plan. Nothing of a
//! source is run, unpacked or checked out: its files are read, checked, kept in the store and written.

pub(crate) mod apply;
mod archive;
pub(crate) mod candidate;
mod copy;
pub(crate) mod crate_source;
pub(crate) mod decide;
mod download;
pub(crate) mod fetch;
mod locked;
mod merge;
mod offer;
mod page;
mod pins;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod provenance;
mod remove;
mod restore;
mod revision;
pub(crate) mod source;
pub(crate) mod state;
pub(crate) mod temporary;
pub(crate) mod tree;
pub(crate) mod update;
mod url;

pub use crate::files::trash::Operation;
pub use crate::review::difference::{FileChange, FileDifference, between, unified};
pub use apply::{Applied, apply, apply_as};
pub use candidate::{Offered, checked};
pub use copy::plan_copy;
pub use crate_source::CrateSource;
pub use decide::OnConflict;
pub use fetch::Host;
pub use locked::{LockDifference, lock_differences, locked_sources, plan_locked};
pub use merge::Conflict;
pub use offer::{Chosen, InstallOptions, Offer};
pub use pins::Pins;
pub use plan::{Action, LeftOut, Plan, PlannedFile, PlannedSkill};
pub use program::{Program, bundled_snapshot};
pub use provenance::{LockedSource, SourcePlace};
pub use remove::plan_uninstall;
pub use restore::plan_restore;
pub use source::{Origin, Source};
pub use state::{ByHandState, Installed, installed};
pub use temporary::Temporary;
pub use tree::NotOffered;
pub use update::{UpdateOptions, installed_names, plan_update};
