//! A run that has begun: no other run of its schedule begins until it is finished.

use crate::schedule::names::ScheduleName;
use crate::schedule::record::{RunId, RunRecord};
use crate::schedule::runner::{Ended, Job};
use jiff::Timestamp;
use skills_store::Error;
use skills_store::files::guard::Guard;

/// A run that has begun. A run that is dropped without
/// [`Scheduler::finish`](crate::schedule::Scheduler::finish) counts as interrupted.
#[derive(Debug)]
pub struct Run {
    pub(crate) name: ScheduleName,
    pub(crate) id: RunId,
    pub(crate) due: Option<Timestamp>,
    pub(crate) missed: u32,
    pub(crate) start: Timestamp,
    pub(crate) job: Result<Job, Error>,
    /// The lock of the schedule's runs, held until the run is dropped.
    pub(crate) _guard: Guard,
}

impl Run {
    /// Returns the name of the schedule.
    pub fn name(&self) -> &ScheduleName {
        &self.name
    }

    /// Returns the due time; `None` for a manual run.
    pub fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// Returns the job of the run.
    ///
    /// # Errors
    ///
    /// If the run cannot begin: its skill is missing or fails the check. Finish the run with [`Ended::failed`].
    pub fn job(&self) -> Result<&Job, &Error> {
        self.job.as_ref()
    }

    /// Creates the record of the run for an end at `end`. [`Scheduler::finish`](crate::schedule::Scheduler::finish)
    /// writes the record.
    pub fn record(&self, ended: &Ended, end: Timestamp) -> RunRecord {
        RunRecord {
            version: 1,
            id: self.id.clone(),
            name: self.name.clone(),
            due: self.due,
            missed: self.missed,
            start: self.start,
            // The clock may have gone back.
            end: end.max(self.start),
            outcome: ended.outcome,
            code: ended.code,
            reason: ended.reason.clone(),
            output: ended.output.clone(),
            output_bytes: ended.output_bytes,
        }
    }
}
