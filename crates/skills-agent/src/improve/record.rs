//! The records of attempts, one file each.

use crate::improve::trace::Trace;
use crate::word::word;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::Prose;
use skills_host::files::copy::{list, make_folder, read_json, remove, replace_json};
use skills_host::files::data::DataFolder;
use skills_host::files::relative_path;
use skills_store::Error;
use std::path::PathBuf;

/// Maximum number of records that are kept.
const KEPT: usize = 200;
/// Maximum bytes of an agent's answer in a record.
const MOST_ANSWER: usize = 4_000;

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptOutcome {
    /// The change was made.
    Taken,
    /// The change waits for approval.
    Proposed,
    /// The agent changed nothing.
    Unchanged,
    /// The skill may not be improved, or the change broke a bound.
    #[default]
    Refused,
    /// The agent failed, or was ended at its limit.
    Failed,
}

/// The record of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The name of the skill.
    #[serde(deserialize_with = "relative_path::name")]
    pub skill: String,
    /// The start of the attempt.
    pub time: Timestamp,
    /// The outcome.
    pub outcome: AttemptOutcome,
    /// The reason of the outcome; empty if the change was taken or proposed.
    pub reason: Prose,
    /// A short summary of the change.
    pub summary: String,
    /// The errors of the trace, one line each.
    pub errors: Vec<String>,
    /// The reasons for the user to look at the change first.
    pub cautions: Vec<String>,
    /// Files of the result that are not part of the skill, and were not taken.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// The folder of skills; `None` if the skill was not read.
    pub target: Option<PathBuf>,
    /// The digest of the old version.
    pub before: Option<String>,
    /// The digest of the agent's result.
    pub after: Option<String>,
    /// The id of the proposal.
    pub proposal: Option<String>,
    /// The id of the commit.
    pub commit: Option<String>,
    /// The first bytes of the agent's answer.
    pub answer: String,
}

/// The folder of records.
#[derive(Clone, Debug)]
pub struct AttemptLog {
    root: PathBuf,
}

impl AttemptOutcome {
    /// Returns the word of the outcome for people: `applied`, `proposed`, `unchanged`, `refused`, `failed`.
    pub fn word(self) -> String {
        match self {
            Self::Taken => "applied".to_owned(),
            _ => word(&self),
        }
    }
}

impl AttemptRecord {
    /// Starts the record of an attempt.
    pub(crate) fn new(skill: &str, trace: &Trace, time: Timestamp) -> Self {
        Self {
            skill: skill.to_owned(),
            time,
            errors: trace.error_lines(),
            ..Self::default()
        }
    }
}

impl AttemptLog {
    /// Returns the records in a data folder.
    pub fn of(data: &DataFolder) -> Self {
        let root = data.history();
        Self { root }
    }

    /// Lists the records of one skill or of all skills, the latest first.
    pub fn list(&self, skill: Option<&str>) -> Result<Vec<AttemptRecord>, Error> {
        let mut all: Vec<(String, AttemptRecord)> = Vec::new();
        for (name, path) in list(&self.root)? {
            // Temporary names of files that are being written end otherwise.
            if path.extension().is_none_or(|end| end != "json") {
                continue;
            }
            let record: Option<AttemptRecord> = read_json(&path)?;
            let record = record.filter(|record| skill.is_none_or(|skill| skill == record.skill));
            all.extend(record.map(|record| (name, record)));
        }
        all.sort_by(|(a, one), (b, other)| (other.time, b).cmp(&(one.time, a)));
        Ok(all.into_iter().map(|(_, record)| record).collect())
    }

    /// Writes a record, and removes the oldest records. A killed process leaves a complete record or none.
    pub fn write(&self, record: &AttemptRecord) -> Result<(), Error> {
        make_folder(&self.root)?;
        let mut record = record.clone();
        let end = (0..=MOST_ANSWER.min(record.answer.len()))
            .rfind(|end| record.answer.is_char_boundary(*end));
        record.answer.truncate(end.unwrap_or(0));
        let time = record.time.strftime("%Y%m%dT%H%M%S%6fZ");
        let name = |n: u32| format!("{time}-{}-{n}.json", record.skill);
        let mut free = (1..).map(|n| self.root.join(name(n)));
        let path = free.find(|path| !path.exists()).unwrap_or_default();
        replace_json(&path, &record)?;
        self.prune()
    }

    /// Removes the oldest records: their names begin with the time.
    fn prune(&self) -> Result<(), Error> {
        let all = list(&self.root)?;
        let gone = all.len().saturating_sub(KEPT);
        all.iter().take(gone).try_for_each(|(_, path)| remove(path))
    }
}
