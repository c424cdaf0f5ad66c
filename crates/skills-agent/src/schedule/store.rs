//! The file `schedules.json`.

use crate::schedule::entry::Schedule;
use crate::schedule::names::ScheduleName;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use skills_store::json_file::{JsonFile, Record, Stored};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All schedules, by name.
pub type Schedules = BTreeMap<ScheduleName, Schedule>;

/// The file of the schedules: `{"version": 1, "schedules": [{"name": …, "cron": …}]}`. Unknown fields are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file.
#[derive(Clone, Debug)]
pub struct ScheduleFile(JsonFile<All>);

/// The content of the file.
#[derive(Clone, Debug, Default)]
struct All(Schedules);

impl ScheduleFile {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path))
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
        let stored = self.0.read()?;
        Ok(Stored {
            value: stored.value.0,
            diagnostics: stored.diagnostics,
        })
    }

    /// Reads the schedules for a change. An unusable file is an error.
    ///
    /// # Errors
    ///
    /// The errors of [`ScheduleFile::update`].
    pub fn whole(&self) -> Result<Schedules, Error> {
        self.0.whole().map(|all| all.0)
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
        let (changed, _) = self.0.try_update(|all| change(&mut all.0))?;
        Ok(changed)
    }
}

impl Record for All {
    const MAX: u64 = 16 * 1024 * 1024;
    const EFFECT: &'static str = "no schedule runs";

    fn read(members: &Map<String, Value>) -> Result<Self, String> {
        parse(members).map(Self)
    }

    fn write(&self, members: &mut Map<String, Value>) -> Result<(), Error> {
        let all: Vec<&Schedule> = self.0.values().collect();
        let all = serde_json::to_value(all)
            .map_err(|error| Error::new(ErrorKind::Damaged, error.to_string()))?;
        members.insert("schedules".to_owned(), all);
        Ok(())
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
