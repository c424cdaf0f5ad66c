//! The events of a daemon, and their watcher.

use crate::schedule::record::RunRecord;
use jiff::Timestamp;
use skills_store::Error;

/// A watcher of a daemon.
pub trait DaemonWatcher {
    /// Receives an event.
    fn event(&self, event: &DaemonEvent<'_>);

    /// Returns whether the daemon was asked to end since the last call. After the first request no new run begins,
    /// and the present runs may continue for the daemon's grace period. After the second request they are ended.
    fn is_asked_to_stop(&self) -> bool;
}

/// An event of a daemon.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DaemonEvent<'e> {
    /// The daemon waits for due times.
    Ready {
        /// The number of schedules.
        schedules: usize,
    },
    /// A run begins.
    Begins {
        /// The name of the schedule.
        name: &'e str,
        /// The due time.
        due: Timestamp,
        /// The number of earlier times without a run.
        missed: u32,
    },
    /// A run ended, a time was missed, or an interrupted run was found.
    Ended(&'e RunRecord),
    /// The clock went back by hours. The times of the schedule now count from the present time.
    ClockWentBack {
        /// The name of the schedule.
        name: &'e str,
    },
    /// An operation failed, and will be tried again. The same error is not repeated.
    Failed {
        /// The name of the schedule; `None` for all schedules.
        name: Option<&'e str>,
        /// The error.
        error: &'e Error,
    },
    /// The daemon was asked to end.
    Stops {
        /// The number of runs that continue.
        running: usize,
    },
}
