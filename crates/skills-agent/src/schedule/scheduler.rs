//! The schedules of one folder of scheduled skills.

use crate::schedule::entry::{DEFAULT_LIMIT, Schedule, ZonedTiming};
use crate::schedule::names::{named, short_name};
use crate::schedule::record::{RunLog, RunRecord};
use crate::schedule::skill;
use crate::schedule::store::{SCHEDULES, ScheduleFile, Schedules};
use crate::schedule::time::{TimeWords, Timing, WHEN, Zone, usage};
use jiff::Timestamp;
use skills_format::SkillName;
use skills_host::files::copy::{is_there, list};
use skills_host::files::data::DataFolder;
use skills_host::files::guard::Guard;
use skills_host::files::lock::LockChange;
use skills_host::files::work::{Keep, New, SkillChange, Work, finish};
use skills_session::Dialect;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The schedules of one folder of scheduled skills.
///
/// `schedules.json` is beside the folder. No schedule is inferred: the caller names its times and its task.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub(crate) skills: PathBuf,
    pub(crate) file: ScheduleFile,
    pub(crate) log: RunLog,
    pub(crate) dialect: Arc<dyn Dialect>,
    data: DataFolder,
    /// The home folder: a model is shown paths below it with `~`.
    pub home: Option<PathBuf>,
    /// Whether a schedule that runs once goes after its success, as Agenvoy does: its skill goes to the trash. Otherwise
    /// the schedule stays, and has [ended](Schedule::is_ended).
    pub removes_ended: bool,
}

/// The user's words for a schedule. A change keeps what has no words.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScheduleWords<'w> {
    /// The task of a new schedule.
    pub task: Option<&'w str>,
    /// The format of the result of a new schedule; `None` for plain text.
    pub output: Option<&'w str>,
    /// The times of the runs.
    pub time: Option<TimeWords<'w>>,
    /// The zone of the times.
    pub zone: Option<&'w Zone>,
    /// Maximum time of a run.
    pub limit: Option<Duration>,
}

/// The schedules, and the scheduled skills without a schedule.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The schedules, by name.
    pub schedules: Vec<Schedule>,
    /// The names of the skills in the folder that have no schedule.
    pub unscheduled: Vec<String>,
    /// The names of the schedules whose run was killed. The next run, or a daemon, records the interruption.
    pub interrupted: Vec<String>,
}

impl Scheduler {
    /// Opens the schedules of a folder, which need not exist. Records go to `runs`, and removed skills to the trash of a data folder.
    /// The dialect decides how a skill is written for a model.
    pub fn new(
        skills: impl Into<PathBuf>,
        runs: impl Into<PathBuf>,
        data: DataFolder,
        dialect: impl Dialect + 'static,
    ) -> Self {
        let skills = skills.into();
        Self {
            file: ScheduleFile::new(skills.with_file_name(SCHEDULES)),
            skills,
            log: RunLog::new(runs),
            data,
            dialect: Arc::new(dialect),
            home: None,
            removes_ended: false,
        }
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
    /// If the folder cannot be read, and the errors of [`ScheduleFile::whole`].
    pub fn list(&self) -> Result<Listing, Error> {
        let schedules = self.file.whole()?.0;
        let mut unscheduled = self.folders()?;
        unscheduled.retain(|name| !schedules.contains_key(name));
        let mut interrupted = Vec::new();
        for (name, schedule) in &schedules {
            // The process of a run holds the lock, so a free lock shows that the process is gone.
            let is_gone = || matches!(Guard::try_once(&self.log.lock(name)), Ok(Some(_)));
            if schedule.running.is_some() && is_gone() {
                interrupted.push(name.clone());
            }
        }
        Ok(Listing {
            schedules: schedules.into_values().collect(),
            unscheduled,
            interrupted,
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
    pub fn find(&self, name: &str) -> Result<String, Error> {
        self.named(name, self.known()?)
    }

    /// Returns the full name and the records of a schedule, also of a removed one, the latest first. Also returns the
    /// paths of unreadable records.
    ///
    /// # Errors
    ///
    /// The errors of [`Scheduler::find`].
    pub fn log(&self, name: &str) -> Result<(String, Vec<RunRecord>, Vec<PathBuf>), Error> {
        let mut names = self.known()?;
        names.extend(self.log.names()?);
        let name = self.named(name, names)?;
        let (records, unread) = self.log.of(&name)?;
        Ok((name, records, unread))
    }

    fn named(&self, name: &str, names: Vec<String>) -> Result<String, Error> {
        named(name, names).or_else(|error| {
            // An unreadable file hides the name.
            self.file.whole()?;
            Err(error)
        })
    }

    /// Adds a schedule with its skill. A schedule in the file always has its skill; a kill in between leaves a skill
    /// without a schedule, which the same call then takes.
    ///
    /// # Errors
    ///
    /// No error adds anything:
    ///
    /// - [`ErrorKind::Usage`]: the time or the task is missing or invalid.
    /// - [`ErrorKind::Refused`]: the name is taken, or the skill fails the check.
    /// - The errors of [`ScheduleFile::update`].
    pub fn add(
        &self,
        short: &str,
        words: &ScheduleWords<'_>,
        now: Timestamp,
    ) -> Result<Schedule, Error> {
        let (task, plan) = asked_for(words, now)?;
        let when = format!("{} {}", plan.timing.shown(&plan.zone), plan.zone.name());
        let name = skill::name(short, task, words.output, &when)?;
        let text = skill::text(&name, task, words.output);
        let mut schedule = Schedule::new(name, &plan, now);
        schedule.limit = words.limit.unwrap_or(DEFAULT_LIMIT);
        let name = &schedule.name;
        let mut has_written = false;
        let added = self.file.try_update(|Schedules(schedules)| {
            if schedules.contains_key(name) {
                return Err(taken(name));
            }
            let mut known = self.known()?;
            known.extend(schedules.keys().cloned());
            check_free(name, &known)?;
            has_written = skill::write(&self.skills, name, &text)?;
            schedules.insert(name.clone(), schedule.clone());
            Ok(())
        });
        if added.is_err() && has_written {
            // The first error is reported. What stays is a skill without a schedule.
            let _ = skills_host::files::copy::remove(&self.skills.join(name));
        }
        added.map(|_| schedule)
    }

    /// Changes the times, the zone or the limit of a schedule, or gives a skill without a schedule one. No file of the skill is touched. Times before now count as handled.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], and the errors of [`ScheduleFile::update`].
    pub fn change(
        &self,
        name: &str,
        words: &ScheduleWords<'_>,
        now: Timestamp,
    ) -> Result<Schedule, Error> {
        let name = self.find(name)?;
        let changed = self.file.try_update(|Schedules(schedules)| {
            let old = schedules.get(&name);
            let mut plan = None;
            if words.time.is_some() || words.zone.is_some() || old.is_none() {
                let old_zone = old.and_then(|old| Some(old.plan().ok()?.zone));
                let zone = words.zone.or(old_zone.as_ref());
                plan = Some(timed(words.time, zone, now)?);
            }
            let mut changed = match (old, plan) {
                (Some(old), None) => old.clone(),
                (Some(old), Some(plan)) => {
                    let mut changed = old.clone();
                    changed.set(&plan, now);
                    changed
                }
                (None, Some(plan)) => Schedule::new(name.clone(), &plan, now),
                (None, None) => return Err(usage("no time is given", WHEN)),
            };
            changed.limit = words.limit.unwrap_or(changed.limit);
            schedules.insert(name.clone(), changed.clone());
            Ok(changed)
        });
        changed.map(|(changed, _)| changed)
    }

    /// Removes a schedule. Its skill goes to the trash; returns whether there was a skill. The records of its runs
    /// stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], [`ErrorKind::Refused`] during a run, and the errors of
    /// [`ScheduleFile::update`]. The same call again takes what an error or a kill left.
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<(String, bool), Error> {
        self.file.whole()?;
        finish(&self.skills, &self.data)?;
        let name = self.find(name)?;
        let guard = Guard::try_or_holder(&self.log.lock(&name))?;
        let _guard = guard.map_err(|holder| runs_now(&name, &holder))?;
        let is_in_trash = self.discard(&name, now)?;
        Ok((name, is_in_trash))
    }

    /// Removes a schedule, and then moves its skill to the trash. The caller holds the lock of the schedule's runs.
    pub(crate) fn discard(&self, name: &str, now: Timestamp) -> Result<bool, Error> {
        self.file.update(|schedules| schedules.0.remove(name))?;
        let is_there = is_there(&self.skills.join(name))?;
        if is_there {
            let work = Work::open(&self.skills, &self.data, &|_, _| {})?;
            let trash = self.data.trash();
            let change = SkillChange {
                name,
                before: None,
                keep: Keep::InTrash,
                trash: trash.place(name, &self.skills, "schedule remove", None, &now),
                lock: LockChange::Keep,
                consumed: None,
            };
            let removed = work.make(vec![(New::Nothing, change)]);
            removed.into_iter().collect::<Result<(), Error>>()?;
        }
        Ok(is_there)
    }

    /// Returns the names of the schedules, and of the folders whose names a schedule can have.
    fn known(&self) -> Result<Vec<String>, Error> {
        let mut names = self.folders()?;
        names.retain(|name| SkillName::new(name).is_ok());
        names.extend(self.file.read()?.value.0.into_keys());
        Ok(names)
    }

    fn folders(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.skills)?.into_iter();
        let folders = all.filter(|(name, path)| !name.starts_with('.') && path.is_dir());
        Ok(folders.map(|(name, _)| name).collect())
    }
}

/// Returns the task and the times of a new schedule. The error names exactly what is missing.
fn asked_for<'w>(
    words: &ScheduleWords<'w>,
    now: Timestamp,
) -> Result<(&'w str, ZonedTiming), Error> {
    const WHAT: &str = "say what it does: --task 'Summarize the commits since yesterday'";
    match words.task.filter(|task| !task.trim().is_empty()) {
        Some(task) => Ok((task, timed(words.time, words.zone, now)?)),
        None if words.time.is_some() => Err(usage("no task is given", WHAT)),
        None => Err(usage(
            "no time and no task are given",
            format!("{WHEN}; and {WHAT}"),
        )),
    }
}

fn timed(
    time: Option<TimeWords<'_>>,
    zone: Option<&Zone>,
    now: Timestamp,
) -> Result<ZonedTiming, Error> {
    let time = time.ok_or_else(|| usage("no time is given", WHEN))?;
    let help = "say which: --timezone Europe/Berlin";
    let zone = zone.ok_or_else(|| usage("its time zone is not known", help))?;
    Ok(ZonedTiming {
        timing: Timing::parse(time, zone, now)?,
        zone: zone.clone(),
    })
}

/// Checks that no other schedule or skill has the short name of a new one.
fn check_free(name: &str, known: &[String]) -> Result<(), Error> {
    let short = short_name(name).unwrap_or(name);
    let is_other =
        |other: &&String| *other != name && (short_name(other) == Some(short) || *other == short);
    known
        .iter()
        .find(is_other)
        .map_or(Ok(()), |other| Err(taken(other)))
}

fn taken(name: &str) -> Error {
    let message = format!("the name is taken: {name}");
    Error::new(ErrorKind::Refused, message)
        .help("leave out --task to change its time, or use another name")
}

/// Builds the error for a schedule whose run another process carries out.
pub(crate) fn runs_now(name: &str, holder: &dyn std::fmt::Display) -> Error {
    let message = format!("{name} runs now: {holder} runs it");
    Error::new(ErrorKind::Refused, message).help("wait for its end, or end the daemon")
}
