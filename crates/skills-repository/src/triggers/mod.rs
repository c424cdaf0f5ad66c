//! Trigger texts: texts for which a skill is meant, and whether its words match them.
//!
//! [`Loaded`] reads the skills of a bundle as a program loads them. [`Texts`] reads the trigger files of the
//! bundle. [`Judge`] compares their words.

mod judge;
mod load;
mod texts;

pub use judge::{Judge, Judged};
pub use load::{Loaded, LoadedSkill};
pub use texts::{Text, Texts};

/// The rank down to which a skill counts as found.
pub const TOP: usize = 3;
