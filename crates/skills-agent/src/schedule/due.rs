//! Computes what is due at a moment.

use crate::schedule::entry::Schedule;
use jiff::{SignedDuration, Timestamp};

/// Maximum step back of the clock after which no time runs again. After a larger step the new time is trusted.
pub(crate) const SMALL_STEP_BACK: SignedDuration = SignedDuration::from_hours(3);
/// Maximum number of missed times that are counted.
pub const MOST_COUNTED: u32 = 1_000;

/// The latest due time of one schedule. One run makes up for the times before it that had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The name of the schedule.
    pub name: String,
    /// The latest due time.
    pub at: Timestamp,
    /// The number of times before `at` without a run; counted up to [`MOST_COUNTED`].
    pub missed: u32,
}

impl Schedule {
    /// Returns what is due now. A pure function of the schedule and the time. A schedule with a running run is not
    /// due.
    pub fn due(&self, now: Timestamp) -> Option<Due> {
        if self.running.is_some() {
            return None;
        }
        let plan = self.plan().ok()?;
        let at = plan.timing.latest(now, &plan.zone)?;
        if at <= self.handled {
            return None;
        }
        let next = |after: &Timestamp| plan.timing.next(*after, &plan.zone);
        let times = std::iter::successors(next(&self.handled), next);
        let before = times.take_while(|time| *time < at);
        Some(Due {
            name: self.name.clone(),
            at,
            missed: before
                .zip(0..MOST_COUNTED)
                .map(|(_, n)| n + 1)
                .last()
                .unwrap_or(0),
        })
    }
}
