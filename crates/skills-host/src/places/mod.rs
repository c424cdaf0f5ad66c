//! The places of skills on this machine: the folders of every client that is here, of a person and of a project.
//!
//! A client is found by its folders ([`Found`]). A [`Place`] is one folder on the disk, under all names that lead to it,
//! with the clients that read it. A [`Survey`] reads the skills of the places: one [`Version`] for each name and digest.
//!
//! Nothing here decides which of two versions is the right one: the survey reports which was changed last and what differs.

mod agents;
mod found;
mod place;
mod survey;
mod version;

pub use agents::Agent;
pub use found::{Found, Machine};
pub use place::{Place, blocked, places};
pub use survey::{Survey, count};
pub use version::{SkillCopy, Version, VersionState};
