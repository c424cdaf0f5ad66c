//! Runs: their jobs, how they begin and end, and what a killed process left.

use crate::schedule::due::{Due, SMALL_STEP_BACK};
use crate::schedule::entry::{DEFAULT_LIMIT, Schedule};
use crate::schedule::record::{Ended, Last, RunRecord, Running};
use crate::schedule::scheduler::{Scheduler, runs_now};
use crate::schedule::skill;
use crate::schedule::store::Schedules;
use jiff::Timestamp;
use skills_host::files::guard::Guard;
use skills_host::process::end_marked;
use skills_session::activation::note_of_run_by_hand;
use skills_store::Error;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The job of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The id of the run.
    pub id: String,
    /// The name of the skill.
    pub name: String,
    /// The folder of the skill.
    pub folder: PathBuf,
    /// The message for the model: the rules of the profile, the note of a manual run, and the skill.
    pub message: String,
    /// Maximum time of the run.
    pub limit: Duration,
    /// The mark of the run's processes, in their environment.
    pub(crate) mark: String,
}

/// A run that has begun: no other run of its schedule begins until it is finished. A run that is dropped without
/// [`Scheduler::finish`] counts as interrupted.
#[derive(Debug)]
pub struct Run {
    /// The name of the schedule.
    pub name: String,
    /// The job; an error if the run cannot begin: its skill is missing or fails the check. Finish the run then with
    /// [`Ended::failed`].
    pub job: Result<Job, Error>,
    running: Running,
    missed: u32,
    /// The lock of the schedule's runs, held until the run is dropped.
    _guard: Guard,
}

/// Carries out a run, and returns when no part of the run continues.
///
/// A host without threads does not need a runner: [`Scheduler::begin`] returns the job, and [`Scheduler::finish`]
/// takes the result.
pub trait Runner: Send + Sync {
    /// Runs the job until it ends, reaches its limit, or `stop` is true.
    ///
    /// A runner gives a run its own permissions at most, and never more.
    fn run(&self, job: &Job, stop: &AtomicBool) -> Ended;
}

impl Run {
    /// Carries out the run.
    pub fn carry_out(&self, runner: &dyn Runner, stop: &AtomicBool) -> Ended {
        match &self.job {
            Ok(job) => runner.run(job, stop),
            Err(error) => Ended::failed(error),
        }
    }

    /// Creates the record of the run for an end at `end`. [`Scheduler::finish`] writes the record.
    pub fn record(&self, ended: &Ended, end: Timestamp) -> RunRecord {
        RunRecord {
            missed: self.missed,
            ..RunRecord::new(&self.name, self.running.clone(), end, ended.clone())
        }
    }
}

impl Scheduler {
    /// After the clock went back by hours, times count from now: else nothing runs until the clock passes the last handled
    /// time. After a smaller step back, no time runs again. Returns the schedules.
    ///
    /// # Errors
    ///
    /// The errors of [`ScheduleFile::update`](crate::schedule::ScheduleFile::update).
    pub fn rewind(&self, now: Timestamp) -> Result<Schedules, Error> {
        let is_ahead = |schedule: &Schedule| {
            let ahead = schedule.handled.duration_since(now);
            schedule.cron.is_some() && ahead > SMALL_STEP_BACK
        };
        let all = self.file.whole()?;
        if !all.0.values().any(is_ahead) {
            return Ok(all);
        }
        let ((), all) = self.file.try_update(|schedules| {
            let ahead = schedules
                .0
                .values_mut()
                .filter(|schedule| is_ahead(schedule));
            ahead.for_each(|schedule| schedule.handled = now);
            Ok(())
        })?;
        Ok(all)
    }

    /// Begins a run, and records that it began: from here on the run is never begun again, whatever happens.
    ///
    /// Returns `None` if the schedule is no longer due, or if another process runs it.
    ///
    /// # Errors
    ///
    /// - `NotFound`, `Usage`: those of [`Scheduler::find`].
    /// - `Refused`: the user runs a skill that is running.
    /// - The errors of [`ScheduleFile::update`](crate::schedule::ScheduleFile::update). Then no run began.
    pub fn begin(
        &self,
        name: &str,
        due: Option<&Due>,
        now: Timestamp,
    ) -> Result<Option<Run>, Error> {
        let name = self.find(name)?;
        let guard = match (Guard::try_or_holder(&self.log.lock(&name))?, due) {
            (Ok(guard), _) => guard,
            (Err(_), Some(_)) => return Ok(None),
            (Err(holder), None) => return Err(runs_now(&name, &holder)),
        };
        // Under the lock of the runs: a run that the file still shows as running can only be of a killed process.
        self.recover_one(&name, now)?;
        let running = Running {
            id: self.log.free_id(&name, now),
            due: due.map(|due| due.at),
            start: now,
        };
        // Recorded before anything starts: a kill from here on leaves an interrupted run, and no second run.
        let (has_begun, _) = self.file.try_update(|schedules| {
            let Some(schedule) = schedules.0.get_mut(&name) else {
                // A skill without a schedule can only be run manually.
                return Ok(due.is_none());
            };
            if let Some(due) = due {
                // Checked again under the lock of the file: another process may have handled the time, or changed the
                // schedule, since `due` was computed.
                if schedule.due(now).as_ref() != Some(due) {
                    return Ok(false);
                }
                schedule.handled = due.at;
            }
            schedule.running = Some(running.clone());
            Ok(true)
        })?;
        Ok(has_begun.then(|| Run {
            // An error is a part of the run, which then fails and is recorded: returned here, the schedule would stay
            // due, and a daemon would try again at each tick.
            job: self.job(&name, &running.id, due.is_none()),
            running,
            missed: due.map_or(0, |due| due.missed),
            _guard: guard,
            name,
        }))
    }

    fn job(&self, name: &str, id: &str, by_hand: bool) -> Result<Job, Error> {
        let mut activation =
            skill::start(&self.skills, name, self.home.as_deref(), &*self.dialect)?;
        if by_hand {
            activation.note = note_of_run_by_hand(name);
        }
        let limit = self
            .file
            .whole()?
            .0
            .get(name)
            .map(|schedule| schedule.limit);
        let mut parts = vec![self.dialect.rules(), activation.message()];
        parts.retain(|part| !part.is_empty());
        Ok(Job {
            id: id.to_owned(),
            name: name.to_owned(),
            folder: self.skills.join(name),
            message: parts.join("\n\n"),
            limit: limit.unwrap_or(DEFAULT_LIMIT),
            mark: self.log.mark(name, id),
        })
    }

    /// Records the end of a run. A schedule that runs once has [ended](Schedule::is_ended) after [`Outcome::Ok`]: it
    /// stays, or goes with its skill ([`Scheduler::remove_ended`]).
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The run then still counts as begun: call this again.
    pub fn finish(&self, run: &Run, ended: &Ended, now: Timestamp) -> Result<RunRecord, Error> {
        let record = run.record(ended, now);
        // The record first: after a kill before `settle`, recovery finds the record, and does not report an
        // interrupted run.
        self.log.write(&record)?;
        self.settle(&record, now)?;
        Ok(record)
    }

    /// Updates the schedule from the record of its run.
    fn settle(&self, record: &RunRecord, now: Timestamp) -> Result<(), Error> {
        let (has_ended, _) = self.file.try_update(|schedules| {
            let schedule = schedules.0.get_mut(&record.name);
            // A person may have removed the schedule, or a new run may have begun. The state of that run must not be
            // overwritten.
            let is_it = |running: &Running| running.id == record.id;
            let schedule = schedule.filter(|it| it.running.as_ref().is_some_and(is_it));
            let Some(schedule) = schedule else {
                return Ok(false);
            };
            schedule.running = None;
            schedule.last = Some(Last {
                end: record.end,
                outcome: record.ended.outcome,
            });
            Ok(schedule.is_ended())
        })?;
        if has_ended && self.removes_ended {
            self.discard(&record.name, now)?;
        }
        Ok(())
    }

    /// Records the runs that killed processes began, ends their remaining processes, and removes the ended schedules
    /// that they left. Returns the records.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn recover(&self, now: Timestamp) -> Result<Vec<RunRecord>, Error> {
        let mut records = Vec::new();
        for (name, schedule) in self.file.whole()?.0 {
            let is_left = self.removes_ended && schedule.is_ended();
            if schedule.running.is_none() && !is_left {
                continue;
            }
            // The process of a run that continues holds the lock.
            let Ok(_guard) = Guard::try_or_holder(&self.log.lock(&name))? else {
                continue;
            };
            records.extend(self.recover_one(&name, now)?);
            if is_left {
                self.discard(&name, now)?;
            }
        }
        Ok(records)
    }

    /// Records one interrupted run. The caller holds the lock of the schedule's runs.
    fn recover_one(&self, name: &str, now: Timestamp) -> Result<Option<RunRecord>, Error> {
        let schedule = self.file.whole()?.0.remove(name);
        let Some(running) = schedule.and_then(|schedule| schedule.running) else {
            return Ok(None);
        };
        // The process may have been killed after it wrote the record.
        let record = if let Some(record) = self.log.get(name, &running.id) {
            record
        } else {
            // Before the record: once it is written, nothing looks for the remaining processes again.
            end_marked(&self.log.mark(name, &running.id));
            let why = "it was interrupted: the process that ran it was killed, or could not record its end";
            let record = RunRecord::new(name, running, now, Ended::failed(why));
            self.log.write(&record)?;
            record
        };
        self.settle(&record, now)?;
        Ok(Some(record))
    }
}
