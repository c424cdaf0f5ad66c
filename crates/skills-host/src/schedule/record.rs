//! The record of a run, and the folder of the records.

use crate::schedule::due_time::{Due, MOST_COUNTED};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::text::path::PathText as _;
use skills_store::files::copy::{list, make_folder, remove, replace_file};
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

/// How many records of a schedule are kept.
pub const KEPT: usize = 50;
/// How many schedules that are gone keep their records.
pub const KEPT_GONE: usize = 50;
/// The most bytes of a run's output that are kept.
pub const MOST_OUTPUT: usize = 1024 * 1024;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// It ended well, and has output.
    Ok,
    /// It ended with an error, could not begin, or was interrupted.
    Failed,
    /// It ended well, and has no output.
    NoOutput,
    /// It was ended: at its limit, or because the daemon was asked to end.
    TimedOut,
    /// No run was made.
    Missed,
    /// The agent asked for a permission, and nobody is there to give it.
    Refused,
}

/// The id of a run: the time at which it began, and a number where that is taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

/// What is known of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The version of this form.
    pub version: u32,
    /// The id.
    pub id: RunId,
    /// The name of the schedule.
    pub name: String,
    /// The time that it was due; `None` for a run by hand.
    pub due: Option<Timestamp>,
    /// How many times before that had no run.
    #[serde(default)]
    pub missed: u32,
    /// When it began.
    pub start: Timestamp,
    /// When it ended.
    pub end: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code of the agent, where there is one.
    #[serde(default)]
    pub code: Option<i32>,
    /// Why it ended so, in words: also the last lines of what the agent wrote to standard error.
    #[serde(default)]
    pub reason: String,
    /// Its output; at most [`MOST_OUTPUT`] bytes.
    #[serde(default)]
    pub output: String,
    /// How many bytes of output it wrote.
    #[serde(default)]
    pub output_bytes: u64,
}

/// The folder with the records of all schedules: one folder for each.
#[derive(Clone, Debug)]
pub struct RunLog {
    root: PathBuf,
}

impl Outcome {
    /// The outcome as it is written: `ok`, `failed`, `no-output`, `timed-out`, `missed`, `refused`.
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

    /// What marks every process of the run of a schedule.
    pub(crate) fn mark(&self, name: &str) -> String {
        format!("{name}/{}", self.0)
    }
}

impl RunRecord {
    /// The record of a time that no run was made for. The same time gives the same id.
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

    /// The record of a run whose process was killed.
    pub(crate) fn interrupted(
        name: &str,
        run: RunId,
        due: Option<Timestamp>,
        start: Timestamp,
        now: Timestamp,
    ) -> Self {
        Self {
            version: 1,
            id: run,
            name: name.to_owned(),
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
    /// The records in a folder, whether it is there or not.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The records of a schedule, the latest first. A record that cannot be read is left out, and its path
    /// is in the second list.
    pub fn of(&self, name: &str) -> Result<(Vec<RunRecord>, Vec<PathBuf>), Error> {
        let (mut records, mut unread) = (Vec::new(), Vec::new());
        for path in self.files(name)? {
            match read(&path) {
                Some(record) => records.push(record),
                None => unread.push(path),
            }
        }
        records.sort_by(|a, b| (b.start, &b.id).cmp(&(a.start, &a.id)));
        Ok((records, unread))
    }

    /// The names of the schedules that have records.
    pub(crate) fn names(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.root)?.into_iter();
        let folders = all.filter(|(_, path)| path.is_dir());
        Ok(folders.map(|(name, _)| name).collect())
    }

    /// The record of one run.
    pub(crate) fn get(&self, name: &str, id: &RunId) -> Option<RunRecord> {
        read(&self.path(name, id))
    }

    /// An id that no record has.
    pub(crate) fn free_id(&self, name: &str, start: Timestamp) -> RunId {
        let id = stamp(start);
        let more = (2..).map(|n| RunId(format!("{id}-{n}")));
        let mut all = std::iter::once(RunId(id.clone())).chain(more);
        let free = all.find(|id| fs::symlink_metadata(self.path(name, id)).is_err());
        free.unwrap_or(RunId(id))
    }

    /// Writes a record. A killed process leaves no record, or a whole one. The oldest records go.
    pub(crate) fn write(&self, record: &RunRecord) -> Result<(), Error> {
        make_folder(&self.folder(&record.name))?;
        let path = self.path(&record.name, &record.id);
        let mut text = serde_json::to_vec_pretty(record).map_err(|error| {
            Error::new(ErrorKind::Damaged, format!("{}: {error}", path.shown()))
        })?;
        text.push(b'\n');
        replace_file(&path, &text)?;
        self.prune(record)
    }

    /// The lock that the process of a run holds.
    pub(crate) fn lock(&self, name: &str) -> PathBuf {
        self.folder(name).join(".lock")
    }

    /// Removes the oldest records. Records of times that are still to come go first: the clock went back.
    fn prune(&self, latest: &RunRecord) -> Result<(), Error> {
        let mut files = self.files(&latest.name)?;
        let now = stamp(latest.end);
        // By time, and for one time by number.
        files.sort_by_cached_key(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let (time, number) = name.split_once('-').unwrap_or((&name, "0"));
            let is_past = time <= now.as_str();
            (is_past, time.to_owned(), number.parse::<u32>().unwrap_or(0))
        });
        let gone = files.len().saturating_sub(KEPT);
        files.iter().take(gone).try_for_each(|path| remove(path))
    }

    /// Removes the records of schedules that are gone, but for those of the [`KEPT_GONE`] that ran last.
    pub(crate) fn prune_gone(&self, is_known: &dyn Fn(&str) -> bool) -> Result<(), Error> {
        let mut gone = self.names()?;
        gone.retain(|name| !is_known(name));
        let Some(most) = gone.len().checked_sub(KEPT_GONE).filter(|most| *most > 0) else {
            return Ok(());
        };
        let last = |name: String| {
            // Records that cannot be read would count as the oldest, and go first.
            let files = self.files(&name)?;
            let names = files.iter().filter_map(|path| path.file_name());
            Ok((names.max().map(ToOwned::to_owned), name))
        };
        let mut gone: Vec<_> = gone.into_iter().map(last).collect::<Result<_, Error>>()?;
        gone.sort();
        for (_, name) in gone.iter().take(most) {
            // Who holds the lock still writes a record.
            if let Ok(guard) = Guard::try_or_holder(&self.lock(name))? {
                guard.remove_all()?;
            }
        }
        Ok(())
    }

    fn files(&self, name: &str) -> Result<Vec<PathBuf>, Error> {
        let all = list(&self.folder(name))?;
        let files = all.into_iter().map(|(_, path)| path);
        Ok(files
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect())
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn path(&self, name: &str, id: &RunId) -> PathBuf {
        self.folder(name).join(format!("{}.json", id.0))
    }
}

fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%S%3fZ").to_string()
}

fn read(path: &Path) -> Option<RunRecord> {
    let text = fs::read_to_string(path).ok()?;
    serde_json::from_str(&text).ok()
}
