//! What is due at a moment: plain data from plain data.

use crate::schedule::due_time::{Due, DueAction, MOST_COUNTED};
use crate::schedule::entry::{Missed, Plan, Schedule};
use crate::schedule::timing::Timing;
use jiff::{SignedDuration, Timestamp};

/// A time counts as missed when it is dealt with later than this.
pub const ON_TIME: SignedDuration = SignedDuration::from_secs(60);
/// A clock that went back by less runs nothing again. A clock that went back by more is believed.
pub const SMALL_STEP_BACK: SignedDuration = SignedDuration::from_hours(3);

impl Schedule {
    /// What is due now. A function of the schedule and the time alone. A schedule whose run has not ended is
    /// not due.
    ///
    /// # Cost
    ///
    /// A search in the calendar for each time that passed since the last one that is dealt with, at most
    /// [`MOST_COUNTED`], and at most 40 more.
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

/// The latest time after `handled` up to `now`, and how many are before it.
fn latest(plan: &Plan, handled: Timestamp, now: Timestamp) -> Option<(Timestamp, u32)> {
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
    // There are too many to walk through. Of all moments after which there is a time up to now, the latest is
    // searched by halves: a clock can jump by thousands of years, and a schedule can run each minute.
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
