//! What happens in a daemon, and who watches it.

use crate::schedule::record::RunRecord;
use jiff::Timestamp;
use skills_store::Error;

/// Watches a daemon.
pub trait DaemonWatcher {
    /// Something happened.
    fn event(&self, event: &DaemonEvent<'_>);

    /// Whether somebody asked the daemon to end since the last question. The first time, no new run begins,
    /// and the runs have the time that the daemon grants; the second time they are ended.
    fn is_asked_to_stop(&self) -> bool;
}

/// What happens in a daemon.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DaemonEvent<'e> {
    /// It waits for what is due.
    Ready {
        /// How many schedules there are.
        schedules: usize,
    },
    /// A run begins.
    Begins {
        /// The schedule.
        name: &'e str,
        /// The time that it was due.
        due: Timestamp,
        /// How many times before that had no run.
        missed: u32,
    },
    /// A run ended, a time was missed, or a run was found that had been interrupted.
    Ended(&'e RunRecord),
    /// The clock went back by hours; the times of the schedule are counted from now.
    ClockWentBack {
        /// The schedule.
        name: &'e str,
    },
    /// Something failed; it is tried again. The same error is not repeated.
    Failed {
        /// The schedule; `None`: all of them.
        name: Option<&'e str>,
        /// What failed.
        error: &'e Error,
    },
    /// It was asked to end.
    Stops {
        /// How many runs go on.
        running: usize,
    },
}
