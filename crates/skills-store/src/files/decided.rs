//! The decisions of a person that leave no operation.
//!
//! `restore` undoes operations: changes of the files of skills, after a plan. A decision is a word in a file of settings, and
//! its opposite is a command. `restore` names this command and does not run it: the opposite can turn a skill on, trust it, or
//! start a schedule, and only the person's own word does that. Without these records, `restore` would pass in silence over a
//! later decision, which the person may mean.

use crate::disk;
use crate::error::{Error, ErrorKind};
use crate::files::clock::Clock;
use crate::files::copy::{make_folder, read_json, replace_json};
use crate::files::data::DataFolder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
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
}

/// The file.
#[derive(Default, Serialize, Deserialize)]
struct Decisions {
    version: u32,
    #[serde(default)]
    decisions: Vec<Decided>,
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

    /// Reads the recorded decisions, the latest last; none if a newer version of this program wrote the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(data: &DataFolder) -> Result<Vec<Self>, Error> {
        let read: Option<Decisions> = read_json(&data.decided())?;
        let read = read.filter(|read| read.version == VERSION);
        Ok(read.unwrap_or_default().decisions)
    }

    /// Returns whether a newer version of this program wrote the file. Its decisions can have other forms.
    fn is_newer(file: &Path) -> bool {
        #[derive(Deserialize)]
        struct Header {
            version: u32,
        }
        let read = read_json::<Header>(file);
        matches!(read, Ok(Some(Header { version })) if version > VERSION)
    }

    /// Adds the record, and forgets the oldest ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a newer version of this program wrote it.
    pub fn write(self, data: &DataFolder) -> Result<(), Error> {
        let file = data.decided();
        make_folder(file.parent().unwrap_or(&file))?;
        // Read only under the lock: a decision of another program between the read and the write would be lost.
        let _lock = disk::lock(&file)?;
        if Self::is_newer(&file) {
            let newer = prose!("{} was written by a newer version of this program", &file);
            return Err(Error::new(ErrorKind::Newer, newer));
        }
        let mut decisions = match Self::read(data) {
            // A damaged file would otherwise keep every later decision from being recorded.
            Err(error) if error.kind() == ErrorKind::Damaged => Vec::new(),
            read => read?,
        };
        decisions.push(self);
        let old = decisions.len().saturating_sub(MOST);
        decisions.drain(..old);
        let version = VERSION;
        replace_json(&file, &Decisions { version, decisions })
    }

    /// Returns the decisions that still hold, the latest first: without those that a later decision took back. The last
    /// decision is always there, since the person may mean it.
    pub fn standing(all: Vec<Self>) -> Vec<Self> {
        let mut kept: Vec<(Self, bool)> = Vec::new();
        for decided in all {
            let is_removal = decided.decision == Decision::ScheduleRemove;
            if is_removal {
                // The times of a schedule that is gone cannot be set.
                kept.retain(|(known, _)| {
                    known.decision != Decision::ScheduleSet || known.names != decided.names
                });
            }
            // A removed schedule is known by its name alone, which no other schedule has.
            let is_same = |known: &Self| {
                known.names == decided.names
                    && (is_removal
                        || known.folders == decided.folders && known.options == decided.options)
            };
            let takes_back = |(known, _): &(Self, bool)| {
                known.decision.opposite() == Some(decided.decision) && is_same(known)
            };
            let before = kept.iter().position(takes_back).map(|at| kept.remove(at));
            // What takes back a decision that itself took back another one makes a change again.
            let is_change = before.is_none_or(|(_, is_change)| !is_change);
            kept.push((decided, is_change));
        }
        let last = kept.len().saturating_sub(1);
        let kept = kept.into_iter().enumerate().rev();
        kept.filter(|(at, (_, is_change))| *is_change || *at == last)
            .map(|(_, (decided, _))| decided)
            .collect()
    }
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
        assert_eq!(Decided::read(&data).unwrap(), []);
        let mut all = Vec::new();
        for count in 0..=MOST {
            let decided = decided(Decision::Disable, &count.to_string())
                .in_folders(vec!["/skills".into()])
                .with_options(vec!["--state".to_owned(), "/state.json".to_owned()]);
            decided.clone().write(&data).unwrap();
            all.push(decided);
        }
        assert_eq!(Decided::read(&data).unwrap(), all[1..]);
        // Of the version before: one decision, which is not known any more.
        let old = r#"{"version":1,"time":"2026-01-01T00:00:00Z","decision":"pin","names":["a"],"folders":[]}"#;
        std::fs::write(data.decided(), old).unwrap();
        assert_eq!(Decided::read(&data).unwrap(), []);
        let newer = r#"{"version":3,"decisions":[{"of":"another form"}]}"#;
        std::fs::write(data.decided(), newer).unwrap();
        let error = decided(Decision::Pin, "a").write(&data).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Newer);
        assert_eq!(std::fs::read_to_string(data.decided()).unwrap(), newer);
        std::fs::write(data.decided(), "{").unwrap();
        assert!(Decided::read(&data).is_err());
        decided(Decision::Pin, "a").write(&data).unwrap();
        assert_eq!(Decided::read(&data).unwrap().len(), 1);
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
        assert_eq!(Decided::read(&data).unwrap().len(), 16);
    }

    #[test]
    fn what_was_taken_back_does_not_stand() {
        use Decision::{
            Disable, Enable, Pin, ScheduleAdd, ScheduleRemove, ScheduleSet, Trust, Untrust,
        };
        let standing = |all: &[(Decision, &str)]| {
            let all = all.iter().map(|(decision, name)| decided(*decision, name));
            let standing = Decided::standing(all.collect()).into_iter();
            standing.map(|it| it.decision).collect::<Vec<_>>()
        };
        assert_eq!(standing(&[]), []);
        assert_eq!(standing(&[(Disable, "a"), (Pin, "b")]), [Pin, Disable]);
        assert_eq!(
            standing(&[(Disable, "a"), (Enable, "a"), (Pin, "b")]),
            [Pin]
        );
        assert_eq!(standing(&[(Disable, "a"), (Enable, "a")]), [Enable]);
        assert_eq!(
            standing(&[(Disable, "a"), (Enable, "b")]),
            [Enable, Disable]
        );
        let again = [(Disable, "a"), (Enable, "a"), (Disable, "a"), (Pin, "b")];
        assert_eq!(standing(&again), [Pin, Disable]);
        let gone = [
            (ScheduleAdd, "a"),
            (ScheduleSet, "a"),
            (ScheduleRemove, "a"),
            (Trust, "b"),
        ];
        assert_eq!(standing(&gone), [Trust]);
        assert_eq!(standing(&[(Untrust, "a"), (Trust, "a"), (Pin, "b")]), [Pin]);
    }
}
