//! Begins, finishes and recovers runs, and records missed times.

use crate::agent::marked::end_marked;
use crate::schedule::due_time::{Due, DueAction};
use crate::schedule::entry::{Last, Running};
use crate::schedule::names::ScheduleName;
use crate::schedule::record::{RunId, RunRecord};
use crate::schedule::run::Run;
use crate::schedule::runner::{Ended, Job};
use crate::schedule::scheduler::Scheduler;
use crate::schedule::skill;
use jiff::Timestamp;
use skills_format::{command, prose};
use skills_runtime::activation::note_of_run_by_hand;
use skills_store::files::copy::is_there;
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};

/// The reason why a run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The schedule is due.
    Due(Due),
    /// The user runs the skill manually. The schedule stays unchanged.
    ByHand,
}

/// A removed schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// The name of the schedule.
    pub name: ScheduleName,
    /// True if the schedule had a skill, which is now in the trash.
    pub is_in_trash: bool,
}

impl Scheduler {
    /// Returns the schedules that are due now, in order of names. A pure function of the schedules and the time: see
    /// [`Schedule::due`](crate::schedule::Schedule::due).
    ///
    /// # Errors
    ///
    /// If `schedules.json` is unreadable, damaged or newer.
    pub fn due(&self, now: Timestamp) -> Result<Vec<Due>, Error> {
        let schedules = self.file.whole()?;
        Ok(schedules
            .values()
            .filter_map(|schedule| schedule.due(now))
            .collect())
    }

    /// Begins a run, and records that it began: from here on the run is never begun again, whatever happens.
    ///
    /// Returns `None` if the schedule is no longer due, or if another process runs it.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`], [`ErrorKind::Usage`]: those of [`Scheduler::find`].
    /// - [`ErrorKind::Refused`]: the user runs a skill that is running.
    /// - The errors of [`ScheduleFile::update`](crate::schedule::ScheduleFile::update). Then no run began.
    pub fn begin(
        &self,
        name: &str,
        trigger: &Trigger,
        now: Timestamp,
    ) -> Result<Option<Run>, Error> {
        let name = self.find(name)?;
        let guard = match Guard::try_or_holder(&self.log.lock(&name))? {
            Ok(guard) => guard,
            Err(_) if matches!(trigger, Trigger::Due(_)) => return Ok(None),
            Err(holder) => {
                let message = format!("{name} runs now: {holder} runs it");
                return Err(Error::new(ErrorKind::Refused, message).help(prose!(
                    "wait for its end; {} shows it",
                    command("schedule list")
                )));
            }
        };
        // Under the lock of the runs: a run that the file still shows as running can only be of a killed process.
        self.recover_one(&name, now)?;
        let (due, missed) = match trigger {
            Trigger::Due(due) => (Some(due.at), due.missed),
            Trigger::ByHand => (None, 0),
        };
        let id = self.log.free_id(&name, now);
        let running = Running {
            id: id.clone(),
            due,
            start: now,
        };
        // Recorded before anything starts: a kill from here on leaves an interrupted run, and no second run.
        if !self.write_begun(&name, trigger, running)? {
            return Ok(None);
        }
        Ok(Some(Run {
            // An error is a part of the run, which then fails and is recorded: returned here, the schedule would stay
            // due, and a daemon would try again at each tick.
            job: self.job(&name, &id, trigger),
            id,
            due,
            missed,
            start: now,
            _guard: guard,
            name,
        }))
    }

    /// Records that a run began. Returns false if the schedule is no longer due.
    fn write_begun(&self, name: &str, trigger: &Trigger, running: Running) -> Result<bool, Error> {
        self.file.update(|schedules| {
            let Some(schedule) = schedules.get_mut(name) else {
                // A skill without a schedule can only be run manually.
                return Ok(*trigger == Trigger::ByHand);
            };
            if let Trigger::Due(due) = trigger {
                // Checked again under the lock of the file: another process may have handled the time, or changed the
                // schedule, since `due` was computed.
                if schedule.due(running.start).as_ref() != Some(due) {
                    return Ok(false);
                }
                schedule.handled = due.at;
            }
            schedule.running = Some(running);
            Ok(true)
        })
    }

    fn job(&self, name: &ScheduleName, id: &RunId, trigger: &Trigger) -> Result<Job, Error> {
        let mut activation = skill::start(&self.skills, name, &self.places, &self.profile)?;
        if *trigger == Trigger::ByHand {
            activation.note = note_of_run_by_hand(name);
        }
        let schedules = self.file.whole()?;
        let limit = schedules.get(name).map(|schedule| schedule.limit);
        let parts = [self.profile.rules(), activation.message()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Ok(Job {
            id: id.clone(),
            name: name.clone(),
            folder: self.skills.join(name),
            message: parts.join("\n\n"),
            allowed_tools: activation.allowed_tools.into_owned(),
            disallowed_tools: activation.disallowed_tools.into_owned(),
            limit: limit.unwrap_or_default(),
        })
    }

    /// Records the end of a run. A schedule that runs once stays, and has [ended](crate::schedule::Schedule::is_ended)
    /// after [`Outcome::Ok`](crate::schedule::Outcome::Ok).
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The run then still counts as begun: call this again.
    pub fn finish(&self, run: &Run, ended: &Ended, now: Timestamp) -> Result<RunRecord, Error> {
        let record = run.record(ended, now);
        // The record first: after a kill before `settle`, recovery finds the record, and does not report an
        // interrupted run.
        self.log.write(&record)?;
        self.settle(&record)?;
        Ok(record)
    }

    /// Updates the schedule from the record of its run.
    fn settle(&self, record: &RunRecord) -> Result<(), Error> {
        self.file.update(|schedules| {
            // A person may have removed the schedule, or a new run may have begun. The state of that run must not be
            // overwritten.
            if let Some(schedule) = schedules.get_mut(&record.name)
                && schedule.is_run(&record.id)
            {
                schedule.running = None;
                schedule.last = Some(Last::of(record));
            }
            Ok(())
        })
    }

    /// Records that a due time was missed, or that the clock went back, without a run.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The time then is still due.
    pub fn pass(&self, due: &Due, now: Timestamp) -> Result<Option<RunRecord>, Error> {
        let name = &due.name;
        // A run of the schedule holds the lock. The time stays due, and is recorded after that run.
        let Ok(_guard) = Guard::try_or_holder(&self.log.lock(name))? else {
            return Ok(None);
        };
        let record = (due.action == DueAction::Miss).then(|| RunRecord::missed(due, now));
        // The record first: it has an id made from the due time, so that a repetition after a kill replaces it.
        if let Some(record) = &record {
            self.log.write(record)?;
        }
        self.file.update(|schedules| {
            if let Some(schedule) = schedules.get_mut(name)
                && schedule.due(now).as_ref() == Some(due)
            {
                schedule.handled = due.at;
                schedule.last = record.as_ref().map(Last::of).or(schedule.last.take());
            }
            Ok(())
        })?;
        Ok(record)
    }

    /// Finishes the changes of killed processes, records the runs that they began, and ends their remaining processes. Returns the records.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn recover(&self, now: Timestamp) -> Result<Vec<RunRecord>, Error> {
        self.finish_changes()?;
        let schedules = self.file.whole()?;
        let mut records = Vec::new();
        for schedule in schedules
            .values()
            .filter(|schedule| schedule.running.is_some())
        {
            // The process of a run that continues holds the lock.
            if let Ok(_guard) = Guard::try_or_holder(&self.log.lock(&schedule.name))? {
                records.extend(self.recover_one(&schedule.name, now)?);
            }
        }
        Ok(records)
    }

    /// Records one interrupted run. The caller holds the lock of the schedule's runs.
    fn recover_one(&self, name: &ScheduleName, now: Timestamp) -> Result<Option<RunRecord>, Error> {
        let schedules = self.file.whole()?;
        let running = schedules
            .get(name)
            .and_then(|schedule| schedule.running.clone());
        let Some(running) = running else {
            return Ok(None);
        };
        // The process may have been killed after it wrote the record.
        let record = if let Some(record) = self.log.get(name, &running.id) {
            record
        } else {
            // Before the record: once it is written, nothing looks for the remaining processes again.
            end_marked(&running.id.mark(name));
            let Running { id, due, start } = running;
            let record = RunRecord::interrupted(name, id, due, start, now);
            self.log.write(&record)?;
            record
        };
        self.settle(&record)?;
        Ok(Some(record))
    }

    /// Removes a schedule. Its skill goes to the trash: after a kill, with the next command. The records of its runs stay while the schedule is among the
    /// [`KEPT_GONE`](crate::schedule::KEPT_GONE) removed schedules that ran last. First finishes the removal of a
    /// killed process.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], [`ErrorKind::Refused`] during a run, and the errors of
    /// [`ScheduleFile::update`](crate::schedule::ScheduleFile::update).
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<Removed, Error> {
        let schedules = self.file.whole()?;
        self.trash.finish_moves(|record| {
            record.from != self.skills || schedules.contains_key(record.name.as_str())
        })?;
        let name = self.find(name)?;
        let _guard = Guard::try_or_holder(&self.log.lock(&name))?.map_err(|holder| {
            Error::new(
                ErrorKind::Refused,
                format!("{name} runs now: {holder} runs it"),
            )
            .help("wait for its end, or end the daemon")
        })?;
        let is_in_trash = self.file.update(|schedules| {
            let is_in_trash = is_there(&self.skills.join(&name))?;
            if is_in_trash {
                self.mark_removed(&name, now)?;
            }
            schedules.remove(&name);
            Ok(is_in_trash)
        });
        let is_in_trash = is_in_trash.inspect_err(|_| {
            // A skill without a schedule would go to the trash later. The first error is reported.
            let _ = self.unmark_removed(&name);
        })?;
        self.finish_changes()?;
        self.prune_gone()?;
        Ok(Removed { name, is_in_trash })
    }
}
