//! The schedules of one folder of scheduled skills, and what is done with them.

use crate::schedule::change::ScheduleChange;
use crate::schedule::entry::{Limit, Missed, Plan, Schedule};
use crate::schedule::names::named;
use crate::schedule::record::{RunLog, RunRecord};
use crate::schedule::skill::{self, TaskWords};
use crate::schedule::store::ScheduleFile;
use crate::schedule::timing::{TimeWords, Timing, WHEN};
use crate::schedule::zone::Zone;
use jiff::Timestamp;
use skills_runtime::catalog::Places;
use skills_runtime::{Diagnostic, Profile};
use skills_store::files::copy::list;
use skills_store::files::guard::Guard;
use skills_store::files::trash::Trash;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The schedules of one folder of scheduled skills.
///
/// `schedules.json` stands beside the folder. No schedule is inferred: who adds a schedule says when it runs
/// and what it does.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub(crate) skills: PathBuf,
    pub(crate) file: ScheduleFile,
    pub(crate) log: RunLog,
    pub(crate) trash: Trash,
    pub(crate) profile: Profile,
    pub(crate) places: Places,
}

/// What a person asks for with a new schedule.
#[derive(Clone, Copy, Debug)]
pub struct NewSchedule<'n> {
    /// The short name, and what is done.
    pub words: TaskWords<'n>,
    /// When it runs; `None`: nobody said.
    pub time: Option<TimeWords<'n>>,
    /// The zone of its times.
    pub zone: &'n Zone,
    /// What is done about missed times.
    pub missed: Missed,
    /// How long a run may take.
    pub limit: Limit,
}

/// A schedule that can be added: the plan of [`Scheduler::add`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Draft {
    /// The schedule.
    pub schedule: Schedule,
    /// The text of the `SKILL.md` that is written.
    pub text: String,
    /// The first times at which it runs, at most three.
    pub next: Vec<Timestamp>,
}

/// The schedules, and the scheduled skills without a schedule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// The schedules, by name.
    pub schedules: Vec<Schedule>,
    /// The names of skills in the folder that have no schedule.
    pub unscheduled: Vec<String>,
    /// The names of schedules whose run was killed. The next run, or a daemon, records that.
    pub interrupted: Vec<String>,
    /// What is wrong with `schedules.json`.
    pub diagnostics: Vec<Diagnostic>,
}

impl Scheduler {
    /// The schedules of a folder of scheduled skills, whether it is there or not. Records go to `runs`,
    /// removed skills to the trash. The profile says how a skill is written for a model.
    pub fn new(
        skills: impl Into<PathBuf>,
        runs: impl Into<PathBuf>,
        trash: Trash,
        profile: Profile,
    ) -> Self {
        let skills = skills.into();
        Self {
            file: ScheduleFile::beside(&skills),
            skills,
            log: RunLog::new(runs),
            trash,
            profile,
            places: Places::default(),
        }
    }

    /// Sets how the places of skills are written for a model, as the host's catalog writes them.
    #[must_use]
    pub fn places(mut self, places: Places) -> Self {
        self.places = places;
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

    /// The file that a daemon locks.
    pub(crate) fn daemon_lock(&self) -> PathBuf {
        self.file.path().with_file_name(".schedules.daemon")
    }

    /// Whether a daemon runs these schedules now.
    pub fn has_daemon(&self) -> bool {
        let lock = self.daemon_lock();
        lock.exists() && matches!(Guard::try_once(&lock), Ok(None))
    }

    /// The schedules, and the skills without a schedule.
    pub fn list(&self) -> Result<Listing, Error> {
        let stored = self.file.read()?;
        let mut unscheduled = self.folders()?;
        unscheduled.retain(|name| !stored.value.contains_key(name));
        let schedules: Vec<Schedule> = stored.value.into_values().collect();
        let is_interrupted = |schedule: &&Schedule| {
            // The process of a run holds the lock.
            let lock = self.log.lock(&schedule.name);
            schedule.running.is_some() && matches!(Guard::try_once(&lock), Ok(Some(_)))
        };
        let interrupted = schedules.iter().filter(is_interrupted);
        let interrupted = interrupted.map(|schedule| schedule.name.clone()).collect();
        Ok(Listing {
            schedules,
            unscheduled,
            interrupted,
            diagnostics: stored.diagnostics,
        })
    }

    /// Finds the whole name of a schedule or of a skill without one: `name` is the whole name, or a short
    /// name that one of them has.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: nothing has the name.
    /// - [`ErrorKind::Usage`]: several have the short name.
    pub fn find(&self, name: &str) -> Result<String, Error> {
        let mut names = self.folders()?;
        names.extend(self.file.read()?.value.into_keys());
        named(name, names)
    }

    /// The records of a schedule, also of one that is gone, the latest first; and the paths of records that
    /// cannot be read.
    ///
    /// # Errors
    ///
    /// As [`Scheduler::find`].
    pub fn log(&self, name: &str) -> Result<(String, Vec<RunRecord>, Vec<PathBuf>), Error> {
        let mut names = self.folders()?;
        names.extend(self.file.read()?.value.into_keys());
        names.extend(self.log.names()?);
        let name = named(name, names)?;
        let (records, unread) = self.log.of(&name)?;
        Ok((name, records, unread))
    }

    /// Plans a new schedule. Nothing is written.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Usage`]: no time or no task is given, or something of it cannot be read.
    /// - [`ErrorKind::Refused`]: the name is taken, or the skill would fail the check.
    /// - [`ErrorKind::Damaged`], [`ErrorKind::Newer`]: `schedules.json` cannot be used.
    pub fn draft(&self, new: &NewSchedule<'_>, now: Timestamp) -> Result<Draft, Error> {
        let time = asked_for(new)?;
        let timing = Timing::parse(time, new.zone, now)?;
        let when = match &timing {
            Timing::Cron(cron) => cron.as_str().to_owned(),
            Timing::Once(once) => once.to_string(),
        };
        let name = new.words.name(&format!("{when} {}", new.zone.name()))?;
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
        if self.file.whole()?.contains_key(&name) {
            return Err(taken(&name));
        }
        let zone = new.zone.clone();
        let plan = Plan { timing, zone };
        let schedule = Schedule::new(&name, plan, new.missed, new.limit, now);
        let first = std::iter::successors(schedule.next(now), |time| schedule.next(*time));
        let next = first.take(3).collect();
        Ok(Draft {
            schedule,
            text,
            next,
        })
    }

    /// Adds a schedule: its skill is written, then the schedule.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the name is taken. [`ErrorKind::Io`]: a file cannot be written; then nothing
    /// is added.
    pub fn add(&self, draft: &Draft) -> Result<(), Error> {
        let name = &draft.schedule.name;
        let was_there = self.skills.join(name).exists();
        skill::write(&self.skills, name, &draft.text)?;
        let added = self.file.update(|schedules| {
            if schedules.contains_key(name) {
                return Err(taken(name));
            }
            schedules.insert(name.clone(), draft.schedule.clone());
            Ok(())
        });
        added.inspect_err(|_| {
            if !was_there {
                // The folder that was just written; a skill without a schedule is listed as that.
                let _ = skills_store::files::copy::remove(&self.skills.join(name));
            }
        })
    }

    /// Changes when a schedule runs, its zone, its limit or what is done about missed times. Gives a
    /// schedule to a skill that has none. Times before now are dealt with then.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Usage`], and the errors of [`ScheduleFile::update`].
    pub fn set(
        &self,
        name: &str,
        change: &ScheduleChange<'_>,
        now: Timestamp,
    ) -> Result<Schedule, Error> {
        let name = self.find(name)?;
        if change.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "nothing is to be changed")
                .help("say what: --cron, --at, --in, --timezone, --limit or --missed"));
        }
        self.file.update(|schedules| {
            let changed = match schedules.get(&name) {
                Some(schedule) => change.apply(schedule, now)?,
                None => change.first(&name, now)?,
            };
            schedules.insert(name.clone(), changed.clone());
            Ok(changed)
        })
    }

    /// Removes the records of schedules that are long gone.
    pub(crate) fn prune_gone(&self) -> Result<(), Error> {
        let mut names = self.folders()?;
        names.extend(self.file.whole()?.into_keys());
        self.log
            .prune_gone(&|name| names.iter().any(|known| known == name))
    }

    /// The names of the folders of scheduled skills.
    fn folders(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.skills)?.into_iter();
        let folders = all.filter(|(name, path)| !name.starts_with('.') && path.is_dir());
        Ok(folders.map(|(name, _)| name).collect())
    }
}

const WHAT: &str = "say what it does: --task 'Summarize the commits of yesterday'";

/// The time of a new schedule. Asks for exactly what is missing.
fn asked_for<'n>(new: &NewSchedule<'n>) -> Result<TimeWords<'n>, Error> {
    let has_task = !new.words.task.trim().is_empty();
    let ask = |message: &str, help: &str| Err(Error::new(ErrorKind::Usage, message).help(help));
    match new.time {
        None if has_task => ask("no time is given", WHEN),
        None => ask(
            "no time and no task are given",
            &format!("{WHEN}; and {WHAT}"),
        ),
        Some(_) if !has_task => ask("no task is given", WHAT),
        Some(time) => Ok(time),
    }
}

fn taken(name: &str) -> Error {
    let message =
        format!("the name '{name}' is taken: there is a schedule of the same task and time");
    Error::new(ErrorKind::Refused, message).help(format!(
        "`skills schedule show {name}` shows it; another short name makes another schedule"
    ))
}
