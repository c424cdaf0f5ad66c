//! The last decision of a person that leaves no operation.
//!
//! `restore` undoes operations. Without this record it would pass in silence over a later decision, which the person may
//! mean.

use crate::error::Error;
use crate::files::clock::Clock;
use crate::files::copy::{make_folder, read_json, replace_json};
use crate::files::data::DataFolder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
    /// A schedule was removed, and its skill went to the trash.
    ScheduleRemove,
}

/// The record of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decided {
    version: u32,
    /// The time of the decision.
    pub time: Timestamp,
    /// The decision.
    pub decision: Decision,
    /// The ids or names of the skills.
    pub names: Vec<String>,
    /// The folders of skills, if the decision is about named folders.
    pub folders: Vec<PathBuf>,
}

impl Decided {
    /// Creates a record.
    pub fn new(
        clock: &dyn Clock,
        decision: Decision,
        names: Vec<String>,
        folders: Vec<PathBuf>,
    ) -> Self {
        Self {
            version: 1,
            time: clock.now(),
            decision,
            names,
            folders,
        }
    }

    /// Reads the record of the last decision; `None` without one, or if a newer version of this program wrote it.
    ///
    /// # Errors
    ///
    /// If the record cannot be read.
    pub fn read(data: &DataFolder) -> Result<Option<Self>, Error> {
        let decided: Option<Self> = read_json(&data.decided())?;
        Ok(decided.filter(|decided| decided.version == 1))
    }

    /// Writes the record in place of the one before.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, data: &DataFolder) -> Result<(), Error> {
        let file = data.decided();
        make_folder(file.parent().unwrap_or(&file))?;
        replace_json(&file, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_decision_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path().join("data"));
        assert_eq!(Decided::read(&data).unwrap(), None);
        for decision in [Decision::Disable, Decision::ScheduleRemove] {
            let names = vec!["greet".to_owned()];
            let clock = &Timestamp::UNIX_EPOCH;
            let decided = Decided::new(clock, decision, names, vec!["/skills".into()]);
            decided.write(&data).unwrap();
            assert_eq!(Decided::read(&data).unwrap(), Some(decided));
        }
        std::fs::write(data.decided(), "{").unwrap();
        assert!(Decided::read(&data).is_err());
    }
}
