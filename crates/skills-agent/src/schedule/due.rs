//! Computes what is due at a moment.

use crate::schedule::entry::{Missed, Schedule, ZonedTiming};
use crate::schedule::record::{Due, DueAction, MOST_COUNTED};
use crate::schedule::time::Timing;
use jiff::{SignedDuration, Timestamp};

/// Maximum delay at which a time counts as on time. A later time counts as missed.
pub const ON_TIME: SignedDuration = SignedDuration::from_secs(60);
/// Maximum step back of the clock after which no time runs again. After a larger step the new time is trusted.
pub const SMALL_STEP_BACK: SignedDuration = SignedDuration::from_hours(3);
impl Schedule {
    /// Returns what is due now. A pure function of the schedule and the time. A schedule with a running run is not
    /// due.
    ///
    /// # Cost
    ///
    /// One search in the calendar for each time since the last handled time, at most [`MOST_COUNTED`], and at most 40
    /// further searches.
    pub fn due(&self, now: Timestamp) -> Option<Due> {
        let plan = self.plan.as_ref().ok()?;
        if self.running.is_some() {
            return None;
        }
        let due = |action, at, missed| {
            Some(Due {
                name: self.name.clone(),
                action,
                at,
                missed,
            })
        };
        let is_once = matches!(plan.timing, Timing::Once(_));
        if !is_once && self.handled.duration_since(now) > SMALL_STEP_BACK {
            return due(DueAction::Rewind, now, 0);
        }
        let (at, missed) = latest(plan, self.handled, now)?;
        let is_late = now.duration_since(at) > ON_TIME;
        match (is_late, self.missed) {
            (true, Missed::Skip) => due(DueAction::Miss, at, missed),
            _ => due(DueAction::Run, at, missed),
        }
    }
}

/// Returns the latest time after `handled` up to `now`, and the number of times before it.
fn latest(plan: &ZonedTiming, handled: Timestamp, now: Timestamp) -> Option<(Timestamp, u32)> {
    let next = |after| {
        let next = plan.timing.next(after, &plan.zone)?;
        (next <= now).then_some(next)
    };
    let mut at = next(handled)?;
    for missed in 0..MOST_COUNTED {
        let Some(later) = next(at) else {
            return Some((at, missed));
        };
        at = later;
    }
    // Too many times to step through: a clock can jump by thousands of years, and a schedule can run each minute.
    // Bisection finds the latest moment that is followed by a time up to now.
    let (mut after, mut end) = (at.as_second(), now.as_second());
    while end.saturating_sub(after) > 1 {
        let middle = after.midpoint(end);
        let found = Timestamp::from_second(middle).ok().and_then(next);
        match found {
            Some(_) => after = middle,
            None => end = middle,
        }
    }
    let last = Timestamp::from_second(after).ok().and_then(next);
    Some((last.unwrap_or(at), MOST_COUNTED))
}
