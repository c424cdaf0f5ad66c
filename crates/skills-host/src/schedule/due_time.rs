//! A time of a schedule that is due.

use jiff::Timestamp;

/// The most missed times that are counted.
pub const MOST_COUNTED: u32 = 1_000;

/// What is due of one schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Due {
    /// The schedule.
    pub name: String,
    /// What is done.
    pub action: DueAction,
    /// The latest time that is due.
    pub at: Timestamp,
    /// How many times before `at` had no run; at most [`MOST_COUNTED`] are counted.
    pub missed: u32,
}

/// What is done about a time that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueAction {
    /// The skill runs.
    Run,
    /// The time is recorded as missed.
    Miss,
    /// The clock went back by hours: times are counted from `at`, which is now.
    Rewind,
}
