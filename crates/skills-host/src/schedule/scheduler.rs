//! The schedules of one folder of scheduled skills.

use crate::schedule::change::ScheduleChange;
use crate::schedule::entry::{Limit, Missed, Schedule, ZonedTiming};
use crate::schedule::names::{ScheduleName, named, short_name};
use crate::schedule::record::{RunLog, RunRecord};
use crate::schedule::skill::{self, TaskWords};
use crate::schedule::store::ScheduleFile;
use crate::schedule::timing::{TimeWords, Timing, WHEN};
use crate::schedule::zone::Zone;
use jiff::Timestamp;
use skills_format::{command, prose};
use skills_runtime::catalog::Places;
use skills_runtime::{Diagnostic, Profile};
use skills_store::files::copy::{is_there, list};
use skills_store::files::guard::Guard;
use skills_store::files::trash::Trash;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The schedules of one folder of scheduled skills.
///
/// `schedules.json` is beside the folder. No schedule is inferred: the caller names its times and its task.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub(crate) skills: PathBuf,
    pub(crate) file: ScheduleFile,
    pub(crate) log: RunLog,
    pub(crate) trash: Trash,
    pub(crate) profile: Profile,
    pub(crate) places: Places,
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
    /// The first times of the schedule, at most three.
    pub next: Vec<Timestamp>,
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
    /// The profile decides how a skill is written for a model.
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

    /// Sets how the paths of skills are written for a model, as in the host's catalog.
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

    /// Returns the path of the daemon's lock.
    pub(crate) fn daemon_lock(&self) -> PathBuf {
        self.file.path().with_file_name(".schedules.daemon")
    }

    /// Returns whether a daemon runs these schedules now.
    pub fn has_daemon(&self) -> bool {
        let lock = self.daemon_lock();
        // First whether the file exists: to try the lock would create it.
        lock.exists() && matches!(Guard::try_once(&lock), Ok(None))
    }

    /// Lists the schedules, and the skills without a schedule. First finishes the changes of killed processes.
    pub fn list(&self) -> Result<Listing, Error> {
        match self.finish_changes() {
            // The diagnostics below report the file.
            Err(error) if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::Newer) => {}
            finished => finished?,
        }
        let stored = self.file.read()?;
        let mut unscheduled = self.folders()?;
        unscheduled.retain(|name| !stored.value.contains_key(name.as_str()));
        let schedules: Vec<Schedule> = stored.value.into_values().collect();
        let is_interrupted = |schedule: &&Schedule| {
            // The process of a run holds the lock, so a free lock shows that the process is gone.
            let lock = self.log.lock(&schedule.name);
            schedule.running.is_some() && matches!(Guard::try_once(&lock), Ok(Some(_)))
        };
        let interrupted = schedules
            .iter()
            .filter(is_interrupted)
            .map(|schedule| schedule.name.clone())
            .collect();
        Ok(Listing {
            schedules,
            unscheduled,
            interrupted,
            diagnostics: stored.diagnostics,
        })
    }

    /// Finds the full name of a schedule, or of a skill without a schedule. `name` is a full name, or a unique short
    /// name. First finishes the changes of killed processes.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: no schedule has the name.
    /// - [`ErrorKind::Usage`]: several schedules have the short name.
    /// - The errors of [`Scheduler::finish_changes`].
    pub fn find(&self, name: &str) -> Result<ScheduleName, Error> {
        self.finish_changes()?;
        let mut names = self.names()?;
        names.extend(self.file.read()?.value.into_keys());
        named(name, names).or_else(|error| {
            // An unreadable file hides the name.
            self.file.whole()?;
            Err(error)
        })
    }

    /// Returns another schedule, or scheduled skill, with the short name of a skill. A short name is used once.
    ///
    /// # Errors
    ///
    /// If the folder or `schedules.json` cannot be read.
    pub fn same_short_as(&self, name: &str) -> Result<Option<ScheduleName>, Error> {
        let mut known = self.names()?;
        known.extend(self.file.read()?.value.into_keys());
        known.retain(|other| other.as_str() != name);
        Ok(short_name(name).and_then(|short| same_short(short, &known).cloned()))
    }

    /// Returns the full name and the records of a schedule, also of a removed one, the latest first. Also returns the
    /// paths of unreadable records.
    ///
    /// # Errors
    ///
    /// The errors of [`Scheduler::find`].
    pub fn log(&self, name: &str) -> Result<(ScheduleName, Vec<RunRecord>, Vec<PathBuf>), Error> {
        let mut names = self.names()?;
        names.extend(self.file.read()?.value.into_keys());
        names.extend(self.log.names()?);
        let name = named(name, names).or_else(|error| {
            self.file.whole()?;
            Err(error)
        })?;
        let (records, unread) = self.log.of(&name)?;
        Ok((name, records, unread))
    }

    /// Plans a new schedule. Writes nothing.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Usage`]: the time or the task is missing or invalid.
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
        let schedules = self.file.whole()?;
        let mut known = self.names()?;
        let removed = self.marked_removed()?;
        known.retain(|name| !removed.contains(name.as_str()));
        known.extend(schedules.keys().cloned());
        if let Some(other) = same_short(new.words.short, &known) {
            return Err(taken(new.words.short, other, schedules.get(other)));
        }
        let zone = new.zone.clone();
        let plan = ZonedTiming { timing, zone };
        let schedule = Schedule::new(name.clone(), plan, new.missed, new.limit, now);
        let first = std::iter::successors(schedule.next(now), |time| schedule.next(*time));
        let next = first.take(3).collect();
        Ok(Draft {
            schedule,
            text,
            next,
        })
    }

    /// Adds a schedule with its skill. After a kill at any step, the next command finds both, or neither.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the name is taken. [`ErrorKind::Io`]: a file cannot be written; then nothing is added.
    pub fn add(&self, draft: &Draft) -> Result<(), Error> {
        self.finish_changes()?;
        let name = &draft.schedule.name;
        let added = self.file.update(|schedules| {
            // Checked again under the lock of the file: two programs may add the same name at once.
            let known: Vec<ScheduleName> = schedules.keys().cloned().collect();
            let short = short_name(name).unwrap_or(name);
            if let Some(other) = same_short(short, &known) {
                return Err(taken(short, other, schedules.get(other)));
            }
            // Before the file has the schedule: a schedule in the file has a folder that only needs its name.
            self.prepare_added(name, &draft.text)?;
            schedules.insert(name.clone(), draft.schedule.clone());
            Ok(())
        });
        if let Err(error) = added {
            // If it stays, the next command removes it. The first error is reported.
            let _ = self.discard_added(name);
            return Err(error);
        }
        let finished = self.finish_changes();
        if finished.is_err() && !is_there(&self.skills.join(name))? {
            // Without this the schedule would be added after an error. The next command finishes what stays.
            let _ = self.file.update(|schedules| {
                schedules.remove(name);
                self.discard_added(name)
            });
        }
        finished
    }

    /// Changes the times, the zone, the limit or the treatment of missed times of a schedule. Adds a schedule to a
    /// skill without one. If the times change, times before now count as handled.
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
                .help("say what: --every, --cron, --at, --in, --timezone, --limit or --missed"));
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

    /// Removes the records of schedules that were removed long ago.
    pub(crate) fn prune_gone(&self) -> Result<(), Error> {
        let mut names = self.names()?;
        names.extend(self.file.whole()?.into_keys());
        self.log
            .prune_gone(&|name| names.iter().any(|known| known.as_str() == name))
    }

    /// Returns the names of the folders whose names a schedule can have. Other folders are listed only.
    fn names(&self) -> Result<Vec<ScheduleName>, Error> {
        let all = self.folders()?;
        Ok(all
            .iter()
            .filter_map(|name| ScheduleName::new(name).ok())
            .collect())
    }

    /// Returns the names of the folders of scheduled skills.
    fn folders(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.skills)?.into_iter();
        let folders = all.filter(|(name, path)| !name.starts_with('.') && path.is_dir());
        Ok(folders.map(|(name, _)| name).collect())
    }
}

const WHAT: &str = "say what it does: --task 'Summarize the commits of yesterday'";

/// Returns the time of a new schedule. The error names exactly what is missing.
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

/// Finds the schedule that has a short name already.
fn same_short<'n>(short: &str, known: &'n [ScheduleName]) -> Option<&'n ScheduleName> {
    let is_same = |name: &&ScheduleName| short_name(name) == Some(short) || name.as_str() == short;
    known.iter().find(is_same)
}

fn taken(short: &str, other: &ScheduleName, schedule: Option<&Schedule>) -> Error {
    let when = match schedule.map(|schedule| (schedule.is_ended(), &schedule.plan)) {
        Some((true, _)) => ", which has ended".to_owned(),
        Some((false, Ok(plan))) => format!(", {}", plan.timing.words(&plan.zone)),
        _ => String::new(),
    };
    let message = format!("the name '{short}' is used: {other}{when}");
    Error::new(ErrorKind::Refused, message).help(prose!(
        "use another name, or free this one with {}; {} shows it",
        command("schedule remove").word(other),
        command("schedule show").word(other)
    ))
}
