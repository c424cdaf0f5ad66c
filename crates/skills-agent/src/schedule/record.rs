//! The records of runs, and their folder.

use crate::schedule::names::read_name;
use crate::word::word;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::{SkillName, prose};
use skills_host::files::copy::{list, make_folder, read_json, remove, replace_file};
use skills_host::files::relative_path;
use skills_store::{Error, ErrorKind};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of records of a schedule that are kept.
pub const KEPT: usize = 50;
/// Maximum bytes of a run's output that are kept.
pub const MOST_OUTPUT: usize = 1024 * 1024;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The run succeeded, and has output.
    Ok,
    /// The run ended with an error, could not begin, or was interrupted.
    Failed,
    /// The run succeeded, and has no output.
    NoOutput,
    /// The run was ended: at its limit, or because the daemon was asked to end.
    TimedOut,
    /// The agent asked for a permission, which nobody could give.
    Refused,
}

/// A run that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The id of the run: its start time, and a number if that time is taken. It is the name of the record's file.
    #[serde(deserialize_with = "relative_path::name")]
    pub id: String,
    /// The due time; `None` for a manual run.
    pub due: Option<Timestamp>,
    /// The start of the run.
    pub start: Timestamp,
}

/// The end of the last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// The time of the end.
    pub end: Timestamp,
    /// The outcome.
    pub outcome: Outcome,
}

/// The record of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of the format.
    pub version: u32,
    /// The id of the run.
    #[serde(deserialize_with = "relative_path::name")]
    pub id: String,
    /// The name of the schedule.
    #[serde(deserialize_with = "read_name")]
    pub name: String,
    /// The due time; `None` for a manual run.
    pub due: Option<Timestamp>,
    /// The number of earlier times without a run.
    #[serde(default)]
    pub missed: u32,
    /// The start of the run.
    pub start: Timestamp,
    /// The end of the run.
    pub end: Timestamp,
    /// How it ended.
    #[serde(flatten)]
    pub ended: Ended,
}

/// The end of a run, as its runner reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
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
    /// Returns the word of the outcome: `ok`, `failed`, `no-output`, `timed-out`, `refused`.
    pub fn word(self) -> String {
        word(&self)
    }
}

impl RunRecord {
    pub(crate) fn new(name: &str, run: Running, end: Timestamp, ended: Ended) -> Self {
        Self {
            version: 1,
            id: run.id,
            name: name.to_owned(),
            due: run.due,
            missed: 0,
            start: run.start,
            // The clock may have gone back.
            end: end.max(run.start),
            ended,
        }
    }
}

impl Ended {
    /// Creates the end of a run that could not begin, or failed.
    pub fn failed(reason: impl std::fmt::Display) -> Self {
        Self {
            outcome: Outcome::Failed,
            code: None,
            reason: format!("{reason:#}"),
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
    pub fn of(&self, name: &str) -> Result<(Vec<RunRecord>, Vec<PathBuf>), Error> {
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
    pub(crate) fn names(&self) -> Result<Vec<String>, Error> {
        let all = list(&self.root)?.into_iter();
        let folders = all.filter(|(_, path)| path.is_dir());
        // A folder with another name does not hold records.
        let names = folders.map(|(name, _)| name);
        Ok(names.filter(|name| SkillName::new(name).is_ok()).collect())
    }

    /// Returns the mark of the processes of a run, by which recovery finds them. Another log can have a run of this
    /// name and second: the path tells them apart.
    pub(crate) fn mark(&self, name: &str, id: &str) -> String {
        self.path(name, id).to_string_lossy().into_owned()
    }

    /// Reads the record of one run.
    pub(crate) fn get(&self, name: &str, id: &str) -> Option<RunRecord> {
        read(&self.path(name, id), name)
    }

    /// Returns an unused id.
    pub(crate) fn free_id(&self, name: &str, start: Timestamp) -> String {
        let id = stamp(start);
        let more = (2..).map(|n| format!("{id}-{n}"));
        let mut all = std::iter::once(id.clone()).chain(more);
        let free = all.find(|id| fs::symlink_metadata(self.path(name, id)).is_err());
        free.unwrap_or(id)
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
    pub(crate) fn lock(&self, name: &str) -> PathBuf {
        self.folder(name).join(".lock")
    }

    /// Removes the oldest records. Records from the future, written before the clock went back, go first.
    fn prune(&self, latest: &RunRecord) -> Result<(), Error> {
        let mut files = self.files(&latest.name)?;
        let now = OsString::from(stamp(latest.end) + "~");
        files.sort_by_cached_key(|path| {
            let name = path.file_stem().unwrap_or_default().to_owned();
            (*name <= *now, name)
        });
        let gone = files.len().saturating_sub(KEPT);
        files.iter().take(gone).try_for_each(|path| remove(path))
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

    fn path(&self, name: &str, id: &str) -> PathBuf {
        self.folder(name).join(format!("{id}.json"))
    }
}

fn stamp(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%S%3fZ").to_string()
}

/// Reads a record of a schedule. The record must name this schedule and this file: after a run the skill of the schedule
/// that the record names can go to the trash.
fn read(path: &Path, name: &str) -> Option<RunRecord> {
    let record: RunRecord = read_json(path).ok()??;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    (record.name == name && stem == Some(record.id.as_str())).then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two homes can run schedules of one name in one second: a mark of name and second ended the agents of both.
    #[test]
    fn runs_of_two_logs_have_two_marks() {
        let id = stamp(Timestamp::UNIX_EPOCH);
        let mark = |root: &str| RunLog::new(root).mark("sweep", &id);
        assert_eq!(mark("a"), mark("a"));
        assert_ne!(mark("a"), mark("b"));
    }
}
