//! Due times, the records of runs, and their folder.

use crate::schedule::names::ScheduleName;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::prose;
use skills_store::files::copy::{list, make_folder, read_json, remove, replace_file};
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of records of a schedule that are kept.
pub const KEPT: usize = 50;
/// Maximum number of removed schedules whose records are kept.
pub const KEPT_GONE: usize = 50;
/// Maximum bytes of a run's output that are kept.
pub const MOST_OUTPUT: usize = 1024 * 1024;

/// Maximum number of missed times that are counted.
pub const MOST_COUNTED: u32 = 1_000;

/// A due time of one schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Due {
    /// The name of the schedule.
    pub name: ScheduleName,
    /// The action for the time.
    pub action: DueAction,
    /// The latest due time.
    pub at: Timestamp,
    /// The number of times before `at` without a run; counted up to [`MOST_COUNTED`].
    pub missed: u32,
}

/// The action for a due time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueAction {
    /// Run the skill.
    Run,
    /// Record the time as missed.
    Miss,
    /// The clock went back by hours: count times from `at`, which is now.
    Rewind,
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// The run succeeded, and has output.
    Ok,
    /// The run ended with an error, could not begin, or was interrupted.
    Failed,
    /// The run succeeded, and has no output.
    NoOutput,
    /// The run was ended: at its limit, or because the daemon was asked to end.
    TimedOut,
    /// No run was made.
    Missed,
    /// The agent asked for a permission, which nobody could give.
    Refused,
}

/// The id of a run: its start time, and a number if that time is taken, or `missed`.
///
/// The id is the name of the record's file, so other texts are refused when a file is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RunId(String);

/// The record of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The version of the format.
    pub version: u32,
    /// The id of the run.
    pub id: RunId,
    /// The name of the schedule.
    pub name: ScheduleName,
    /// The due time; `None` for a manual run.
    pub due: Option<Timestamp>,
    /// The number of earlier times without a run.
    #[serde(default)]
    pub missed: u32,
    /// The start of the run.
    pub start: Timestamp,
    /// The end of the run.
    pub end: Timestamp,
    /// The outcome.
    pub outcome: Outcome,
    /// The exit code of the agent, if there is one.
    #[serde(default)]
    pub code: Option<i32>,
    /// The reason of the outcome, with the last lines of the agent's standard error.
    #[serde(default)]
    pub reason: String,
    /// The output; at most [`MOST_OUTPUT`] bytes.
    #[serde(default)]
    pub output: String,
    /// The size of the whole output in bytes.
    #[serde(default)]
    pub output_bytes: u64,
}

/// The folder with the records of all schedules: one folder for each schedule.
#[derive(Clone, Debug)]
pub struct RunLog {
    root: PathBuf,
}

impl Outcome {
    /// Returns the word of the outcome: `ok`, `failed`, `no-output`, `timed-out`, `missed`, `refused`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::NoOutput => "no-output",
            Self::TimedOut => "timed-out",
            Self::Missed => "missed",
            Self::Refused => "refused",
        }
    }
}

impl RunId {
    /// Returns the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        if is_id(&id) {
            return Ok(Self(id));
        }
        let shown: String = id.chars().take(100).collect();
        Err(format!(
            "the run id '{}' is not the time of a run",
            shown.escape_debug()
        ))
    }
}

impl RunRecord {
    /// Creates the record of a missed time. The same time gives the same id.
    pub(crate) fn missed(due: &Due, now: Timestamp) -> Self {
        let before = match due.missed {
            0 => String::new(),
            MOST_COUNTED => format!(", and {MOST_COUNTED} times or more before it"),
            1 => ", and one time before it".to_owned(),
            n => format!(", and {n} times before it"),
        };
        let reason = format!("no daemon ran the schedule at its time{before}");
        Self {
            version: 1,
            id: RunId(format!("{}-missed", stamp(due.at))),
            name: due.name.clone(),
            due: Some(due.at),
            missed: due.missed,
            start: now,
            end: now,
            outcome: Outcome::Missed,
            code: None,
            reason,
            output: String::new(),
            output_bytes: 0,
        }
    }

    /// Creates the record of a run whose process was killed.
    pub(crate) fn interrupted(
        name: &ScheduleName,
        run: RunId,
        due: Option<Timestamp>,
        start: Timestamp,
        now: Timestamp,
    ) -> Self {
        Self {
            version: 1,
            id: run,
            name: name.clone(),
            due,
            missed: 0,
            start,
            end: now.max(start),
            outcome: Outcome::Failed,
            code: None,
            reason: "it was interrupted: the process that ran it was killed, or could not record its end".to_owned(),
            output: String::new(),
            output_bytes: 0,
        }
    }
}

impl RunLog {
    /// Returns the records in a folder, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Returns the records of a schedule, the latest first, and the paths of unreadable records.
    pub fn of(&self, name: &ScheduleName) -> Result<(Vec<RunRecord>, Vec<PathBuf>), Error> {
        let (mut records, mut unread) = (Vec::new(), Vec::new());
        for path in self.files(name)? {
            match read(&path, name) {
                Some(record) => records.push(record),
                None => unread.push(path),
            }
        }
        records.sort_by(|a, b| (b.start, &b.id).cmp(&(a.start, &a.id)));
        Ok((records, unread))
    }

    /// Returns the names of the schedules with records.
    pub(crate) fn names(&self) -> Result<Vec<ScheduleName>, Error> {
        let all = list(&self.root)?.into_iter();
        let folders = all.filter(|(_, path)| path.is_dir());
        // A folder with another name does not hold records.
        Ok(folders
            .filter_map(|(name, _)| ScheduleName::new(&name).ok())
            .collect())
    }

    /// Returns the mark of the processes of a run, by which recovery finds them. Another log can have a run of this
    /// name and second: the path tells them apart.
    pub(crate) fn mark(&self, name: &ScheduleName, id: &RunId) -> String {
        self.path(name, id).to_string_lossy().into_owned()
    }

    /// Reads the record of one run.
    pub(crate) fn get(&self, name: &ScheduleName, id: &RunId) -> Option<RunRecord> {
        read(&self.path(name, id), name)
    }

    /// Returns an unused id.
    pub(crate) fn free_id(&self, name: &ScheduleName, start: Timestamp) -> RunId {
        let id = stamp(start);
        let more = (2..).map(|n| RunId(format!("{id}-{n}")));
        let mut all = std::iter::once(RunId(id.clone())).chain(more);
        let free = all.find(|id| fs::symlink_metadata(self.path(name, id)).is_err());
        free.unwrap_or(RunId(id))
    }

    /// Writes a record, and removes the oldest records. A killed process leaves a complete record or none.
    pub(crate) fn write(&self, record: &RunRecord) -> Result<(), Error> {
        make_folder(&self.folder(&record.name))?;
        let path = self.path(&record.name, &record.id);
        let mut text = serde_json::to_vec_pretty(record)
            .map_err(|error| Error::new(ErrorKind::Damaged, prose!("{}: {error}", &path)))?;
        text.push(b'\n');
        replace_file(&path, &text)?;
        self.prune(record)
    }

    /// Returns the path of the lock that the process of a run holds.
    pub(crate) fn lock(&self, name: &ScheduleName) -> PathBuf {
        self.folder(name).join(".lock")
    }

    /// Removes the oldest records. Records from the future, written before the clock went back, go first.
    fn prune(&self, latest: &RunRecord) -> Result<(), Error> {
        let mut files = self.files(&latest.name)?;
        let now = stamp(latest.end);
        // Sorted by time, then by number.
        files.sort_by_cached_key(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let (time, number) = name.split_once('-').unwrap_or((&name, "0"));
            let is_past = time <= now.as_str();
            (is_past, time.to_owned(), number.parse::<u32>().unwrap_or(0))
        });
        let gone = files.len().saturating_sub(KEPT);
        files.iter().take(gone).try_for_each(|path| remove(path))
    }

    /// Removes the records of removed schedules, except of the [`KEPT_GONE`] schedules that ran last.
    pub(crate) fn prune_gone(&self, is_known: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        let mut gone = self.names()?;
        gone.retain(|name| !is_known(name));
        let Some(most) = gone.len().checked_sub(KEPT_GONE).filter(|most| *most > 0) else {
            return Ok(());
        };
        let last = |name: ScheduleName| {
            // A failure is returned: without its records a schedule would count as the oldest, and be removed first.
            let files = self.files(&name)?;
            let names = files.iter().filter_map(|path| path.file_name());
            Ok((names.max().map(ToOwned::to_owned), name))
        };
        let mut gone: Vec<_> = gone.into_iter().map(last).collect::<Result<_, Error>>()?;
        gone.sort();
        for (_, name) in gone.iter().take(most) {
            // A process that holds the lock will still write a record.
            if let Ok(guard) = Guard::try_or_holder(&self.lock(name))? {
                guard.remove_all()?;
            }
        }
        Ok(())
    }

    fn files(&self, name: &ScheduleName) -> Result<Vec<PathBuf>, Error> {
        let all = list(&self.folder(name))?;
        let files = all.into_iter().map(|(_, path)| path);
        Ok(files
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect())
    }

    fn folder(&self, name: &ScheduleName) -> PathBuf {
        self.root.join(name)
    }

    fn path(&self, name: &ScheduleName, id: &RunId) -> PathBuf {
        self.folder(name).join(format!("{}.json", id.0))
    }
}

fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%S%3fZ").to_string()
}

/// Returns whether a text is a [`stamp`], with or without a number or `missed`.
fn is_id(id: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = || {
        // A clock can be before the year 0, or after 9999.
        let (date, rest) = id.strip_prefix('-').unwrap_or(id).split_once('T')?;
        let (time, end) = rest.split_once('Z')?;
        let is_stamp = (8..=10).contains(&date.len()) && time.len() == 9;
        let is_end = match end.strip_prefix('-') {
            None => end.is_empty(),
            Some("missed") => true,
            Some(number) => (1..=10).contains(&number.len()) && is_digits(number),
        };
        Some(is_stamp && is_digits(date) && is_digits(time) && is_end)
    };
    parts().unwrap_or(false)
}

/// Reads a record of a schedule. The record must name this schedule and this file: after a run the skill of the schedule
/// that the record names can go to the trash.
fn read(path: &Path, name: &ScheduleName) -> Option<RunRecord> {
    let record: RunRecord = read_json(path).ok()??;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    (record.name == *name && stem == Some(record.id.as_str())).then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two homes can run schedules of one name in one second: a mark of name and second ended the agents of both.
    #[test]
    fn runs_of_two_logs_have_two_marks() {
        let name = ScheduleName::new("sweep").unwrap();
        let id = RunId(stamp(Timestamp::UNIX_EPOCH));
        let mark = |root: &str| RunLog::new(root).mark(&name, &id);
        assert_eq!(mark("a"), mark("a"));
        assert_ne!(mark("a"), mark("b"));
    }
}
