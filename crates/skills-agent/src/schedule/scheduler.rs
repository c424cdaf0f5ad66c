//! The schedules of one folder of scheduled skills.

use crate::schedule::entry::{Limit, Missed, Schedule, ZonedTiming};
use crate::schedule::names::{ScheduleName, named, short_name};
use crate::schedule::record::{RunLog, RunRecord};
use crate::schedule::skill::{self, TaskWords};
use crate::schedule::store::ScheduleFile;
use crate::schedule::time::{TimeWords, Timing, WHEN, Zone};
use jiff::Timestamp;
use skills_host::files::trash::Trash;
use skills_runtime::Diagnostic;
use skills_session::Dialect;
use skills_store::files::copy::{is_there, list};
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The schedules of one folder of scheduled skills.
///
/// `schedules.json` is beside the folder. No schedule is inferred: the caller names its times and its task.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub(crate) skills: PathBuf,
    pub(crate) file: ScheduleFile,
    pub(crate) log: RunLog,
    pub(crate) dialect: Arc<dyn Dialect>,
    pub(crate) home: Option<PathBuf>,
    pub(crate) removes_ended: bool,
    trash: Trash,
}

/// The user's request for a new schedule.
#[derive(Clone, Copy, Debug)]
pub struct NewSchedule<'n> {
    /// The short name and the task.
    pub words: TaskWords<'n>,
    /// The times; `None` if missing.
    pub time: Option<TimeWords<'n>>,
    /// The zone of the times.
    pub zone: &'n Zone,
    /// The treatment of missed times.
    pub missed: Missed,
    /// Maximum time of a run.
    pub limit: Limit,
}

/// A valid new schedule: the plan of [`Scheduler::add`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Draft {
    /// The schedule.
    pub schedule: Schedule,
    /// The text of the new `SKILL.md`.
    pub text: String,
}

/// A change of a schedule that exists. A field with `None` stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScheduleChange<'c> {
    /// The times of the runs.
    pub time: Option<TimeWords<'c>>,
    /// The zone of the times. Without it, that of the schedule.
    pub zone: Option<&'c Zone>,
    /// The treatment of missed times.
    pub missed: Option<Missed>,
    /// Maximum time of a run.
    pub limit: Option<Limit>,
}

/// The schedules, and the scheduled skills without a schedule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// The schedules, by name.
    pub schedules: Vec<Schedule>,
    /// The names of the skills in the folder that have no schedule.
    pub unscheduled: Vec<String>,
    /// The names of the schedules whose run was killed. The next run, or a daemon, records the interruption.
    pub interrupted: Vec<ScheduleName>,
    /// The problems of `schedules.json`.
    pub diagnostics: Vec<Diagnostic>,
}

impl Scheduler {
    /// Opens the schedules of a folder, which need not exist. Records go to `runs`, and removed skills to the trash.
    /// The dialect decides how a skill is written for a model.
    pub fn new(
        skills: impl Into<PathBuf>,
        runs: impl Into<PathBuf>,
        trash: Trash,
        dialect: impl Dialect + 'static,
    ) -> Self {
        let skills = skills.into();
        Self {
            file: ScheduleFile::beside(&skills),
            skills,
            log: RunLog::new(runs),
            trash,
            dialect: Arc::new(dialect),
            home: None,
            removes_ended: false,
        }
    }

    /// Sets the home folder: a model is shown paths below it with `~`.
    #[must_use]
    pub fn home(mut self, home: Option<PathBuf>) -> Self {
        self.home = home;
        self
    }

    /// Removes a schedule that runs once after its success, as Agenvoy does: its skill goes to the trash. Without
    /// this, the schedule stays, and has [ended](Schedule::is_ended).
    #[must_use]
    pub fn remove_ended(mut self, is_removed: bool) -> Self {
        self.removes_ended = is_removed;
        self
    }

    /// Returns the file of the schedules.
    pub fn file(&self) -> &ScheduleFile {
        &self.file
    }

    /// Returns the folder of the scheduled skills.
    pub fn folder(&self) -> &Path {
        &self.skills
    }

    pub(crate) fn daemon_lock(&self) -> PathBuf {
        self.file.path().with_file_name(".schedules.daemon")
    }

    /// Returns whether a daemon runs these schedules now.
    pub fn has_daemon(&self) -> bool {
        let lock = self.daemon_lock();
        // First whether the file exists: to try the lock would create it.
        lock.exists() && matches!(Guard::try_once(&lock), Ok(None))
    }

    /// Lists the schedules, and the skills without a schedule.
    ///
    /// # Errors
    ///
    /// If the folder or `schedules.json` cannot be read.
    pub fn list(&self) -> Result<Listing, Error> {
        let stored = self.file.read()?;
        let mut unscheduled = self.folders()?;
        unscheduled.retain(|name| !stored.value.contains_key(name.as_str()));
        let schedules: Vec<Schedule> = stored.value.into_values().collect();
        let mut interrupted = Vec::new();
        for schedule in &schedules {
            // The process of a run holds the lock, so a free lock shows that the process is gone.
            let lock = self.log.lock(&schedule.name);
            if schedule.running.is_some() && matches!(Guard::try_once(&lock), Ok(Some(_))) {
                interrupted.push(schedule.name.clone());
            }
        }
        Ok(Listing {
            schedules,
            unscheduled,
            interrupted,
            diagnostics: stored.diagnostics,
        })
    }

    /// Finds the full name of a schedule, or of a skill without a schedule. `name` is a full name, or a unique short
    /// name.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: no schedule has the name.
    /// - [`ErrorKind::Usage`]: several schedules have the short name.
    /// - The errors of [`ScheduleFile::whole`].
    pub fn find(&self, name: &str) -> Result<ScheduleName, Error> {
        self.named(name, self.known()?)
    }

    /// Returns the full name and the records of a schedule, also of a removed one, the latest first. Also returns the
    /// paths of unreadable records.
    ///
    /// # Errors
    ///
    /// The errors of [`Scheduler::find`].
    pub fn log(&self, name: &str) -> Result<(ScheduleName, Vec<RunRecord>, Vec<PathBuf>), Error> {
        let mut names = self.known()?;
        names.extend(self.log.names()?);
        let name = self.named(name, names)?;
        let (records, unread) = self.log.of(&name)?;
        Ok((name, records, unread))
    }

    fn named(&self, name: &str, names: Vec<ScheduleName>) -> Result<ScheduleName, Error> {
        named(name, names).or_else(|error| {
            // An unreadable file hides the name.
            self.file.whole()?;
            Err(error)
        })
    }

    /// Plans a new schedule. Writes nothing.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Usage`]: the time or the task is missing or invalid.
    /// - [`ErrorKind::Refused`]: the name is taken, or the skill would fail the check.
    /// - [`ErrorKind::Damaged`], [`ErrorKind::Newer`]: `schedules.json` cannot be used.
    pub fn draft(&self, new: &NewSchedule<'_>, now: Timestamp) -> Result<Draft, Error> {
        let timing = Timing::parse(asked_for(new)?, new.zone, now)?;
        let zone = new.zone.clone();
        let name = new
            .words
            .name(&format!("{} {}", timing.shown(&zone), zone.name()))?;
        let text = new.words.text(&name);
        if let Some(found) = skill::errors_of(&name, &text).first() {
            let message = format!(
                "the skill would fail the check: {} [{}]",
                found.message, found.rule
            );
            return Err(
                Error::new(ErrorKind::Refused, message).help("change the words of the task")
            );
        }
        self.file.whole()?;
        check_free(&name, &self.known()?)?;
        let plan = ZonedTiming { timing, zone };
        let schedule = Schedule::new(name, plan, new.missed, new.limit, now);
        Ok(Draft { schedule, text })
    }

    /// Adds a schedule with its skill. A schedule in the file always has its skill; a kill in between leaves a skill
    /// without a schedule, which the same call then takes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the name is taken. [`ErrorKind::Io`]: a file cannot be written; then nothing is added.
    pub fn add(&self, draft: &Draft) -> Result<(), Error> {
        let name = &draft.schedule.name;
        let mut has_written = false;
        let added = self.file.update(|schedules| {
            // Checked again under the lock of the file: two programs may add the same name at once.
            if schedules.contains_key(name) {
                return Err(taken(name));
            }
            check_free(name, &schedules.keys().cloned().collect::<Vec<_>>())?;
            has_written = skill::write(&self.skills, name, &draft.text)?;
            schedules.insert(name.clone(), draft.schedule.clone());
            Ok(())
        });
        if added.is_err() && has_written {
            // The first error is reported. What stays is a skill without a schedule.
            let _ = skills_store::files::copy::remove(&self.skills.join(name));
        }
        added
    }

    /// Changes the times, the zone, the limit or the treatment of missed times of a schedule, or gives a skill
    /// without a schedule one. No file of the skill is touched. Times before now count as handled.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], and the errors of [`ScheduleFile::update`].
    pub fn change(
        &self,
        name: &str,
        change: &ScheduleChange<'_>,
        now: Timestamp,
    ) -> Result<Schedule, Error> {
        let name = self.find(name)?;
        self.file.update(|schedules| {
            let old = schedules.get(&name);
            let old_plan = old.and_then(|old| old.plan.clone().ok());
            let zone = change.zone.or(old_plan.as_ref().map(|plan| &plan.zone));
            let plan = match (change.time, zone, old) {
                (Some(words), Some(zone), _) => Some(ZonedTiming {
                    timing: Timing::parse(words, zone, now)?,
                    zone: zone.clone(),
                }),
                (Some(_), None, _) => {
                    return Err(Error::new(ErrorKind::Usage, "its time zone is not known")
                        .help("say which: --timezone Europe/Berlin"));
                }
                (None, _, Some(_)) if change.zone.is_none() => None,
                (None, _, _) => {
                    return Err(Error::new(ErrorKind::Usage, "no time is given").help(WHEN));
                }
            };
            let mut changed = match (old, &plan) {
                (Some(old), _) => old.clone(),
                (None, Some(plan)) => Schedule::new(
                    name.clone(),
                    plan.clone(),
                    Missed::default(),
                    Limit::DEFAULT,
                    now,
                ),
                (None, None) => {
                    return Err(Error::new(ErrorKind::Usage, "no time is given").help(WHEN));
                }
            };
            changed.missed = change.missed.unwrap_or(changed.missed);
            changed.limit = change.limit.unwrap_or(changed.limit);
            if let Some(plan) = plan {
                changed.plan = Ok(plan);
                changed.handled = now;
            }
            schedules.insert(name.clone(), changed.clone());
            Ok(changed)
        })
    }

    /// Removes a schedule. Its skill goes to the trash; returns whether there was a skill. The records of its runs
    /// stay while the schedule is among the [`KEPT_GONE`](crate::schedule::KEPT_GONE) removed schedules that ran last.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], [`ErrorKind::Refused`] during a run, and the errors of
    /// [`ScheduleFile::update`]. The same call again takes what an error or a kill left.
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<(ScheduleName, bool), Error> {
        let schedules = self.file.whole()?;
        self.trash.finish_moves(|record| {
            record.from != self.skills || schedules.contains_key(record.name.as_str())
        })?;
        let name = self.find(name)?;
        let guard = Guard::try_or_holder(&self.log.lock(&name))?;
        let _guard = guard.map_err(|holder| runs_now(&name, &holder))?;
        let is_in_trash = self.discard(&name, now)?;
        let known = self.known()?;
        self.log
            .prune_gone(&|name| known.iter().any(|known| known.as_str() == name))?;
        Ok((name, is_in_trash))
    }

    /// Removes a schedule, and then moves its skill to the trash. The caller holds the lock of the schedule's runs.
    pub(crate) fn discard(&self, name: &ScheduleName, now: Timestamp) -> Result<bool, Error> {
        self.file.update(|schedules| {
            schedules.remove(name);
            Ok(())
        })?;
        let folder = self.skills.join(name);
        let is_there = is_there(&folder)?;
        if is_there {
            // A move by copy is finished by the next removal after a kill.
            let token = now.as_nanosecond().to_string();
            let place = self
                .trash
                .place_again(name, &self.skills, "schedule remove", now, &token);
            place.receive_from(&folder)?;
        }
        Ok(is_there)
    }

    /// Returns the names of the schedules, and of the folders whose names a schedule can have.
    fn known(&self) -> Result<Vec<ScheduleName>, Error> {
        let folders = self.folders()?.into_iter();
        let mut names: Vec<_> = folders
            .filter_map(|name| ScheduleName::new(&name).ok())
            .collect();
        names.extend(self.file.read()?.value.into_keys());
        Ok(names)
    }

    fn folders(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.skills)?.into_iter();
        let folders = all.filter(|(name, path)| !name.starts_with('.') && path.is_dir());
        Ok(folders.map(|(name, _)| name).collect())
    }
}

/// Returns the time of a new schedule. The error names exactly what is missing.
fn asked_for<'n>(new: &NewSchedule<'n>) -> Result<TimeWords<'n>, Error> {
    const WHAT: &str = "say what it does: --task 'Summarize the commits of yesterday'";
    let has_task = !new.words.task.trim().is_empty();
    let (message, help) = match new.time {
        Some(time) if has_task => return Ok(time),
        Some(_) => ("no task is given", WHAT.to_owned()),
        None if has_task => ("no time is given", WHEN.to_owned()),
        None => (
            "no time and no task are given",
            format!("{WHEN}; and {WHAT}"),
        ),
    };
    Err(Error::new(ErrorKind::Usage, message).help(help))
}

/// Checks that no other schedule or skill has the short name of a new one.
fn check_free(name: &ScheduleName, known: &[ScheduleName]) -> Result<(), Error> {
    let short = short_name(name).unwrap_or(name);
    let is_other = |other: &&ScheduleName| {
        *other != name && (short_name(other) == Some(short) || other.as_str() == short)
    };
    known
        .iter()
        .find(is_other)
        .map_or(Ok(()), |other| Err(taken(other)))
}

fn taken(name: &ScheduleName) -> Error {
    let message = format!("the name is taken: {name}");
    Error::new(ErrorKind::Refused, message)
        .help("leave out --task to change its time, or use another name")
}

/// Builds the error for a schedule whose run another process carries out.
pub(crate) fn runs_now(name: &str, holder: &dyn std::fmt::Display) -> Error {
    let message = format!("{name} runs now: {holder} runs it");
    Error::new(ErrorKind::Refused, message).help("wait for its end, or end the daemon")
}
