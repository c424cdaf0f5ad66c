//! A run that was begun: nobody else begins one of that schedule until it is finished.

use crate::schedule::record::{RunId, RunRecord};
use crate::schedule::runner::{Ended, Job};
use jiff::Timestamp;
use skills_store::Error;
use skills_store::files::guard::Guard;

/// A run that was begun. When it is dropped without
/// [`Scheduler::finish`](crate::schedule::Scheduler::finish), it counts as interrupted.
#[derive(Debug)]
pub struct Run {
    pub(crate) name: String,
    pub(crate) id: RunId,
    pub(crate) due: Option<Timestamp>,
    pub(crate) missed: u32,
    pub(crate) start: Timestamp,
    pub(crate) job: Result<Job, Error>,
    /// Held until the run is dropped.
    pub(crate) _guard: Guard,
}

impl Run {
    /// Returns the name of the schedule.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time that the run was due; `None` for a run by hand.
    pub fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// What is run.
    ///
    /// # Errors
    ///
    /// The run cannot begin: its skill is gone or fails the check. Finish it with [`Ended::failed`].
    pub fn job(&self) -> Result<&Job, &Error> {
        self.job.as_ref()
    }

    /// The record of the run, if it ends now. [`Scheduler::finish`](crate::schedule::Scheduler::finish) writes it down.
    pub fn record(&self, ended: &Ended, end: Timestamp) -> RunRecord {
        RunRecord {
            version: 1,
            id: self.id.clone(),
            name: self.name.clone(),
            due: self.due,
            missed: self.missed,
            start: self.start,
            // The clock can have gone back.
            end: end.max(self.start),
            outcome: ended.outcome,
            code: ended.code,
            reason: ended.reason.clone(),
            output: ended.output.clone(),
            output_bytes: ended.output_bytes,
        }
    }
}
