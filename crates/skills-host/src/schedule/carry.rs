//! Runs: begun, finished, recovered after a kill, recorded as missed.

use crate::agent::marked::end_marked;
use crate::schedule::due_time::{Due, DueAction};
use crate::schedule::entry::{Last, Running};
use crate::schedule::record::{Outcome, RunId, RunRecord};
use crate::schedule::run::Run;
use crate::schedule::runner::{Ended, Job};
use crate::schedule::scheduler::Scheduler;
use crate::schedule::skill;
use jiff::Timestamp;
use skills_runtime::ActivationOptions;
use skills_runtime::activation::note_of_run_by_hand;
use skills_store::files::copy::is_there;
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};

/// Why a run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// It is due.
    Due(Due),
    /// A person runs it by hand. Its schedule stays as it is.
    ByHand,
}

/// A schedule that was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// Its name.
    pub name: String,
    /// Whether it had a skill, which is in the trash now.
    pub is_in_trash: bool,
}

impl Scheduler {
    /// What is due now, by name. Pure in the schedules and the time: see
    /// [`Schedule::due`](crate::schedule::Schedule::due).
    ///
    /// # Errors
    ///
    /// `schedules.json` cannot be read, or is damaged or newer.
    pub fn due(&self, now: Timestamp) -> Result<Vec<Due>, Error> {
        let schedules = self.file.whole()?;
        Ok(schedules
            .values()
            .filter_map(|schedule| schedule.due(now))
            .collect())
    }

    /// Begins a run, and writes down that it began: it is never begun twice, whatever happens from here on.
    ///
    /// `None`: it is no longer due, or another process runs it.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`], [`ErrorKind::Usage`]: as [`Scheduler::find`].
    /// - [`ErrorKind::Refused`]: by hand, while it runs.
    /// - The errors of [`ScheduleFile::update`](crate::schedule::ScheduleFile::update). Then nothing began.
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
                return Err(Error::new(ErrorKind::Refused, message)
                    .help("wait for its end; `skills schedule list` shows it"));
            }
        };
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
        if !self.write_begun(&name, trigger, running)? {
            return Ok(None);
        }
        Ok(Some(Run {
            job: self.job(&name, &id, trigger),
            id,
            due,
            missed,
            start: now,
            _guard: guard,
            name,
        }))
    }

    /// Writes down that a run began. `false`: it is no longer due.
    fn write_begun(&self, name: &str, trigger: &Trigger, running: Running) -> Result<bool, Error> {
        self.file.update(|schedules| {
            let Some(schedule) = schedules.get_mut(name) else {
                // A skill without a schedule runs by hand alone.
                return Ok(*trigger == Trigger::ByHand);
            };
            if let Trigger::Due(due) = trigger {
                if schedule.due(running.start).as_ref() != Some(due) {
                    return Ok(false);
                }
                schedule.handled = due.at;
            }
            schedule.running = Some(running);
            Ok(true)
        })
    }

    fn job(&self, name: &str, id: &RunId, trigger: &Trigger) -> Result<Job, Error> {
        let mut activation = skill::start(&self.skills, name, &self.places, &self.activation())?;
        if *trigger == Trigger::ByHand {
            activation.note = note_of_run_by_hand(name);
        }
        let schedules = self.file.whole()?;
        let limit = schedules.get(name).map(|schedule| schedule.limit);
        let parts = [self.profile.rules(), activation.message()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Ok(Job {
            id: id.clone(),
            name: name.to_owned(),
            folder: self.skills.join(name),
            message: parts.join("\n\n"),
            allowed_tools: activation.allowed_tools.into_owned(),
            limit: limit.unwrap_or_default(),
        })
    }

    fn activation(&self) -> ActivationOptions {
        let mut options = self.profile.activation();
        // The model cannot call a scheduled skill, so there is no call to stand for.
        options.tool = None;
        options
    }

    /// Records how a run ended. A schedule that runs once goes after a run that was due and is
    /// [`Outcome::Ok`]: its skill goes to the trash.
    ///
    /// # Errors
    ///
    /// A file cannot be written. The run is still begun: call it again.
    pub fn finish(&self, run: &Run, ended: &Ended, now: Timestamp) -> Result<RunRecord, Error> {
        let record = run.record(ended, now);
        self.log.write(&record)?;
        self.settle(&record)?;
        Ok(record)
    }

    /// Brings the schedule to what the record of its run says.
    fn settle(&self, record: &RunRecord) -> Result<(), Error> {
        let is_done = record.due.is_some() && record.outcome == Outcome::Ok;
        let schedules = self.file.whole()?;
        let schedule = schedules.get(&record.name);
        let Some(schedule) = schedule.filter(|schedule| schedule.is_run(&record.id)) else {
            return Ok(());
        };
        let ends = is_done && schedule.is_once() && schedule.next(record.end).is_none();
        if ends {
            let token = record.id.as_str();
            let place =
                self.trash
                    .place_again(&record.name, &self.skills, "schedule", record.end, token);
            place.receive_from(&self.skills.join(&record.name))?;
        }
        self.file.update(|schedules| {
            let Some(schedule) = schedules.get_mut(&record.name) else {
                return Ok(());
            };
            if schedule.is_run(&record.id) {
                if ends {
                    schedules.remove(&record.name);
                    return Ok(());
                }
                schedule.running = None;
                schedule.last = Some(Last::of(record));
            }
            Ok(())
        })?;
        if ends {
            self.prune_gone()?;
        }
        Ok(())
    }

    /// Records a due time as missed, or that the clock went back: no run is made.
    ///
    /// # Errors
    ///
    /// A file cannot be written: it is still due.
    pub fn pass(&self, due: &Due, now: Timestamp) -> Result<Option<RunRecord>, Error> {
        let name = &due.name;
        let Ok(_guard) = Guard::try_or_holder(&self.log.lock(name))? else {
            return Ok(None);
        };
        let record = (due.action == DueAction::Miss).then(|| RunRecord::missed(due, now));
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

    /// Records runs that a killed process began, and ends what is left of them. Returns their records.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written.
    pub fn recover(&self, now: Timestamp) -> Result<Vec<RunRecord>, Error> {
        let schedules = self.file.whole()?;
        let mut records = Vec::new();
        for schedule in schedules
            .values()
            .filter(|schedule| schedule.running.is_some())
        {
            // A process that still runs it has the lock.
            if let Ok(_guard) = Guard::try_or_holder(&self.log.lock(&schedule.name))? {
                records.extend(self.recover_one(&schedule.name, now)?);
            }
        }
        Ok(records)
    }

    /// The caller has the lock of the runs.
    fn recover_one(&self, name: &str, now: Timestamp) -> Result<Option<RunRecord>, Error> {
        let schedules = self.file.whole()?;
        let running = schedules
            .get(name)
            .and_then(|schedule| schedule.running.clone());
        let Some(running) = running else {
            return Ok(None);
        };
        // It can have been killed after the record was written.
        let record = if let Some(record) = self.log.get(name, &running.id) {
            record
        } else {
            end_marked(&running.id.mark(name));
            let Running { id, due, start } = running;
            let record = RunRecord::interrupted(name, id, due, start, now);
            self.log.write(&record)?;
            record
        };
        self.settle(&record)?;
        Ok(Some(record))
    }

    /// Removes a schedule. Its skill goes to the trash; the records of its runs stay while it is among the
    /// [`KEPT_GONE`](crate::schedule::KEPT_GONE) that ran last of those that are gone. A removal that a killed
    /// process began is finished first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], [`ErrorKind::Refused`] while it runs, and the errors of
    /// [`ScheduleFile::update`](crate::schedule::ScheduleFile::update).
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<Removed, Error> {
        let schedules = self.file.whole()?;
        self.trash.finish_moves(|record| {
            record.from != self.skills || schedules.contains_key(&record.name)
        })?;
        let name = self.find(name)?;
        let _guard = Guard::try_or_holder(&self.log.lock(&name))?.map_err(|holder| {
            Error::new(
                ErrorKind::Refused,
                format!("{name} runs now: {holder} runs it"),
            )
            .help("wait for its end, or end the daemon")
        })?;
        self.file.update(|schedules| {
            schedules.remove(&name);
            Ok(())
        })?;
        let folder = self.skills.join(&name);
        let is_in_trash = is_there(&folder);
        let token = now.as_nanosecond().to_string();
        let place = self
            .trash
            .place_again(&name, &self.skills, "schedule remove", now, &token);
        place.receive_from(&folder)?;
        self.prune_gone()?;
        Ok(Removed { name, is_in_trash })
    }
}
