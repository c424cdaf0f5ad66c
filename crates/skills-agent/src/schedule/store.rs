//! The file `schedules.json`.

use crate::schedule::entry::Schedule;
use crate::schedule::names::ScheduleName;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use skills_store::json_file::{JsonFile, Stored};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Maximum size of the file in bytes.
const MAX: u64 = 16 * 1024 * 1024;
/// The effect of an unreadable file, for messages.
const EFFECT: &str = "no schedule runs";

/// All schedules, by name.
pub type Schedules = BTreeMap<ScheduleName, Schedule>;

/// The file of the schedules: `{"version": 1, "schedules": [{"name": …, "cron": …}]}`. Unknown fields are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file.
#[derive(Clone, Debug)]
pub struct ScheduleFile(JsonFile);

impl ScheduleFile {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX, EFFECT))
    }

    /// Returns the file of a folder of scheduled skills: the file is beside the folder.
    pub fn beside(skills: &Path) -> Self {
        Self::new(skills.with_file_name("schedules.json"))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads the schedules. A missing file has no schedules. A damaged file, or a file of a newer version, gives no
    /// schedules and a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file cannot be read.
    pub fn read(&self) -> Result<Stored<Schedules>, Error> {
        self.0.read(parse)
    }

    /// Reads the schedules for a change. An unusable file is an error.
    ///
    /// # Errors
    ///
    /// The errors of [`ScheduleFile::update`].
    pub fn whole(&self) -> Result<Schedules, Error> {
        self.0.whole(parse)
    }

    /// Changes the schedules. If `change` returns an error, nothing is changed.
    ///
    /// # Errors
    ///
    /// No error changes the file:
    ///
    /// - [`ErrorKind::Damaged`]: the file is damaged.
    /// - [`ErrorKind::Newer`]: a newer version wrote the file.
    /// - [`ErrorKind::Io`]: the file cannot be read, locked or written.
    /// - Any error of `change`.
    pub fn update<T>(
        &self,
        change: impl FnOnce(&mut Schedules) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut changed = None;
        self.0.update(parse, |schedules, object| {
            let mut schedules = schedules.unwrap_or_default();
            changed = Some(change(&mut schedules)?);
            let all: Vec<&Schedule> = schedules.values().collect();
            let all = serde_json::to_value(all)
                .map_err(|error| Error::new(ErrorKind::Damaged, error.to_string()))?;
            object.insert("schedules".to_owned(), all);
            Ok(())
        })?;
        changed.ok_or_else(|| Error::new(ErrorKind::Damaged, "nothing was changed"))
    }
}

fn parse(object: &Map<String, Value>) -> Result<Schedules, String> {
    let Some(all) = object.get("schedules") else {
        return Ok(Schedules::new());
    };
    let all = all.as_array().ok_or("schedules: it is not a list")?;
    let mut schedules = Schedules::new();
    for (at, one) in all.iter().enumerate() {
        let schedule = Schedule::deserialize(one);
        let schedule = schedule.map_err(|error| format!("schedules[{at}]: {error}"))?;
        if let Some(twin) = schedules.insert(schedule.name.clone(), schedule) {
            return Err(format!("two schedules are named `{}`", twin.name));
        }
    }
    Ok(schedules)
}
