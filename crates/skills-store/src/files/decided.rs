//! The decisions of a person that leave no operation.
//!
//! `restore` undoes operations: changes of the files of skills, after a plan. A decision is a word in a file of settings, and
//! its opposite is a command. `restore` names this command and does not run it: the opposite can turn a skill on, trust it, or
//! start a schedule, and only the person's own word does that. Without these records, `restore` would pass in silence over a
//! later decision, which the person may mean.

use crate::disk;
use crate::error::{Error, ErrorKind};
use crate::files::clock::Clock;
use crate::files::copy::{make_folder, move_aside, parse_json, read_record, replace_json};
use crate::files::data::DataFolder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use skills_format::prose;
use std::path::{Path, PathBuf};

/// The maximum number of recorded decisions.
const MOST: usize = 50;
/// The version of the file. In version 1 the file held the last decision alone.
const VERSION: u32 = 2;

/// A decision that leaves no operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Decision {
    /// Skills were disabled.
    Disable,
    /// Skills were enabled.
    Enable,
    /// Installed skills were pinned.
    Pin,
    /// Pins were removed.
    Unpin,
    /// Skills were trusted.
    Trust,
    /// The trust in skills was removed.
    Untrust,
    /// A schedule was added, with its skill.
    ScheduleAdd,
    /// The times of a schedule, or how they are handled, were changed.
    ScheduleSet,
    /// A schedule was removed, and its skill went to the trash.
    ScheduleRemove,
}

/// The record of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a decision")]
#[non_exhaustive]
pub struct Decided {
    /// The time of the decision.
    pub time: Timestamp,
    /// The decision.
    pub decision: Decision,
    /// The ids or names of the skills.
    pub names: Vec<String>,
    /// The folders of skills, if the decision is about named folders; of a decision about trust, the skills themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
    /// The options of the command that undoes the decision, as words with absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The options that set a schedule as the decision did. A later decision that goes back has them as its `options`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub now: Vec<String>,
    /// The folder in which the command that undoes the decision must run: elsewhere the skills are not found. `None`: any
    /// folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PathBuf>,
}

/// The recorded decisions.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Recorded {
    /// The decisions, the latest last.
    pub decisions: Vec<Decided>,
    /// The records that cannot be read, each with its place in the file.
    pub damaged: Vec<Error>,
}

/// The file. A record that cannot be read keeps its bytes.
#[derive(Default, Serialize, Deserialize)]
struct Decisions {
    version: u32,
    #[serde(default)]
    decisions: Vec<Box<RawValue>>,
}

impl Decision {
    /// Returns the decision that takes this decision back; `None` if no decision takes it back whole.
    pub fn opposite(self) -> Option<Self> {
        Some(match self {
            Self::Disable => Self::Enable,
            Self::Enable => Self::Disable,
            Self::Pin => Self::Unpin,
            Self::Unpin => Self::Pin,
            Self::Trust => Self::Untrust,
            Self::Untrust => Self::Trust,
            Self::ScheduleAdd => Self::ScheduleRemove,
            Self::ScheduleSet | Self::ScheduleRemove => return None,
        })
    }
}

impl Decided {
    /// Creates a record.
    pub fn new(clock: &dyn Clock, decision: Decision, names: Vec<String>) -> Self {
        Self {
            time: clock.now(),
            decision,
            names,
            folders: Vec::new(),
            options: Vec::new(),
            now: Vec::new(),
            place: None,
        }
    }

    /// Names the folders.
    #[must_use]
    pub fn in_folders(self, folders: Vec<PathBuf>) -> Self {
        Self { folders, ..self }
    }

    /// Names the options of the command that undoes the decision.
    #[must_use]
    pub fn with_options(self, options: Vec<String>) -> Self {
        Self { options, ..self }
    }

    /// Names the options that set a schedule as the decision did.
    #[must_use]
    pub fn to_now(self, now: Vec<String>) -> Self {
        Self { now, ..self }
    }

    /// Names the folder in which the command that undoes the decision must run.
    #[must_use]
    pub fn at_place(self, place: Option<PathBuf>) -> Self {
        Self { place, ..self }
    }

    /// Reads the recorded decisions. One record that cannot be read hides no other.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a newer version of this program wrote it.
    pub fn read(data: &DataFolder) -> Result<Recorded, Error> {
        let file = data.decided();
        let mut recorded = Recorded::default();
        let Some((stored, text)) = Decisions::of(&file)? else {
            return Ok(recorded);
        };
        // A record knows its place only in the text. JSON that was parsed is UTF-8.
        let text = String::from_utf8_lossy(&text);
        let mut end = 0;
        for raw in stored.decisions {
            let raw = raw.get();
            let rest = text.get(end..).unwrap_or_default();
            let start = rest.find(raw).map_or(end, |at| end.saturating_add(at));
            end = start.saturating_add(raw.len());
            match serde_json::from_str(raw) {
                Ok(decided) => recorded.decisions.push(decided),
                Err(error) => {
                    let above = text.get(..start).unwrap_or_default();
                    let line = above.matches('\n').count().saturating_add(error.line());
                    recorded.damaged.push(damaged(&file, line, &error));
                }
            }
        }
        Ok(recorded)
    }

    /// Adds the record, and forgets the oldest ones. Returns the new path of a damaged file, which is moved aside: it would
    /// keep every later decision from being recorded.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a newer version of this program wrote it.
    pub fn write(self, data: &DataFolder) -> Result<Option<PathBuf>, Error> {
        let file = data.decided();
        make_folder(file.parent().unwrap_or(&file))?;
        // Read only under the lock: a decision of another program between the read and the write would be lost.
        let _lock = disk::lock(&file)?;
        let (stored, aside) = match Decisions::of(&file) {
            Err(error) if error.kind() == ErrorKind::Damaged => {
                (None, Some(move_aside(&file, "damaged")?))
            }
            stored => (stored?, None),
        };
        let mut decisions = stored.map_or_else(Vec::new, |(stored, _)| stored.decisions);
        let record = to_raw_value(&self)
            .map_err(|error| Error::new(ErrorKind::NotUtf8, prose!("{}: {error}", &file)))?;
        decisions.push(record);
        let old = decisions.len().saturating_sub(MOST);
        decisions.drain(..old);
        let version = VERSION;
        replace_json(&file, &Decisions { version, decisions })?;
        Ok(aside)
    }
}

impl Decisions {
    /// Reads the file, and returns its text too. `None` if it is missing, or of the version before this one.
    fn of(file: &Path) -> Result<Option<(Self, Vec<u8>)>, Error> {
        #[derive(Deserialize)]
        struct Header {
            version: u32,
        }
        let Some(text) = read_record(file)? else {
            return Ok(None);
        };
        // First: the decisions of a newer version can have another form.
        if let Ok(Header { version }) = parse_json(file, &text)
            && version > VERSION
        {
            let newer = prose!("{} was written by a newer version of this program", file);
            return Err(Error::new(ErrorKind::Newer, newer).help("update this program"));
        }
        let read: Self = parse_json(file, &text)?;
        Ok((read.version == VERSION).then_some((read, text)))
    }
}

/// Reports a record that cannot be read.
fn damaged(file: &Path, line: usize, error: &serde_json::Error) -> Error {
    let why = error.to_string();
    // The place in the record is no place in the file.
    let why = why.split(" at line ").next().unwrap_or_default();
    let message = prose!("{}:{line}: this decision cannot be read: {why}", file);
    let help = "correct the record, or remove it from the file; the other decisions count";
    Error::new(ErrorKind::Damaged, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(decision: Decision, name: &str) -> Decided {
        Decided::new(&Timestamp::UNIX_EPOCH, decision, vec![name.to_owned()])
    }

    #[test]
    fn the_last_decisions_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path().join("data"));
        let read = || Decided::read(&data).unwrap().decisions;
        assert_eq!(read(), []);
        let mut all = Vec::new();
        for count in 0..=MOST {
            let decided = decided(Decision::Disable, &count.to_string())
                .in_folders(vec!["/skills".into()])
                .with_options(vec!["--state".to_owned(), "/state.json".to_owned()]);
            decided.clone().write(&data).unwrap();
            all.push(decided);
        }
        assert_eq!(read(), all[1..]);
        // Of the version before: one decision, which is not known any more.
        let old = r#"{"version":1,"time":"2026-01-01T00:00:00Z","decision":"pin","names":["a"],"folders":[]}"#;
        std::fs::write(data.decided(), old).unwrap();
        assert_eq!(read(), []);
        let newer = r#"{"version":3,"decisions":[{"of":"another form"}]}"#;
        std::fs::write(data.decided(), newer).unwrap();
        let write = || decided(Decision::Pin, "a").write(&data);
        assert_eq!(write().unwrap_err().kind(), ErrorKind::Newer);
        let error = Decided::read(&data).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Newer);
        assert_eq!(std::fs::read_to_string(data.decided()).unwrap(), newer);
        std::fs::write(data.decided(), "{").unwrap();
        assert!(Decided::read(&data).is_err());
        let aside = write().unwrap().expect("moved aside");
        assert_eq!(std::fs::read_to_string(aside).unwrap(), "{");
        assert_eq!(read().len(), 1);
        assert_eq!(write().unwrap(), None);
    }

    #[test]
    fn decisions_at_once_are_all_kept() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path().join("data"));
        std::thread::scope(|scope| {
            for count in 0..16 {
                let data = &data;
                let write = move || decided(Decision::Disable, &count.to_string()).write(data);
                scope.spawn(move || write().unwrap());
            }
        });
        assert_eq!(Decided::read(&data).unwrap().decisions.len(), 16);
    }

    #[test]
    fn a_damaged_record_hides_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path().join("data"));
        for name in ["a", "b", "c"] {
            decided(Decision::Disable, name).write(&data).unwrap();
        }
        let text = std::fs::read_to_string(data.decided()).unwrap();
        let second = text
            .replacen("disable", "enable", 1)
            .replacen("disable", "disabel", 1);
        let text = second.replacen("enable", "disable", 1);
        std::fs::write(data.decided(), &text).unwrap();
        let read = Decided::read(&data).unwrap();
        let names: Vec<_> = read.decisions.iter().map(|it| &*it.names[0]).collect();
        assert_eq!(names, ["a", "c"]);
        let [damaged] = &read.damaged[..] else {
            panic!("one record");
        };
        let line = text.lines().position(|line| line.contains("disabel"));
        let place = format!("last-decision.json:{}: ", line.unwrap() + 1);
        let said = damaged.to_string();
        assert!(said.contains(&place), "{said} {text}");
        assert!(said.contains("unknown variant `disabel`"), "{said}");
        // A later decision keeps the record: the person can correct it.
        decided(Decision::Disable, "d").write(&data).unwrap();
        let read = Decided::read(&data).unwrap();
        assert_eq!((read.decisions.len(), read.damaged.len()), (3, 1));
    }
}
