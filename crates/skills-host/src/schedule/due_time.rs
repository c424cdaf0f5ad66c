//! A due time of a schedule.

use crate::schedule::names::ScheduleName;
use jiff::Timestamp;

/// Maximum number of missed times that are counted.
pub const MOST_COUNTED: u32 = 1_000;

/// A due time of one schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Due {
    /// The name of the schedule.
    pub name: ScheduleName,
    /// The action for the time.
    pub action: DueAction,
    /// The latest due time.
    pub at: Timestamp,
    /// The number of times before `at` without a run; counted up to [`MOST_COUNTED`].
    pub missed: u32,
}

/// The action for a due time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueAction {
    /// Run the skill.
    Run,
    /// Record the time as missed.
    Miss,
    /// The clock went back by hours: count times from `at`, which is now.
    Rewind,
}
