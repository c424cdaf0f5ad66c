//! The file `schedules.json`.

use crate::schedule::entry::Schedule;
use crate::schedule::names::ScheduleName;
use serde_json::{Map, Value};
use skills_format::disk::Stamp;
use skills_store::json_file::{JsonFile, Stored};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

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
        self.0.whole(parse).map_err(helped)
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
        let done = self.0.update(parse, |schedules, object| {
            let mut schedules = schedules.unwrap_or_default();
            changed = Some(change(&mut schedules)?);
            let all: Result<Vec<Value>, Error> =
                schedules.values().map(Schedule::to_json).collect();
            object.insert("schedules".to_owned(), Value::Array(all?));
            Ok(())
        });
        done.map_err(helped)?;
        changed.ok_or_else(|| Error::new(ErrorKind::Damaged, "nothing was changed"))
    }

    /// Reads the schedules, and holds the lock of the file while `look` runs. Writes no schedule.
    ///
    /// # Errors
    ///
    /// The errors of [`ScheduleFile::update`].
    pub(crate) fn hold<T>(
        &self,
        look: impl FnOnce(&Schedules) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _lock = self.0.lock()?;
        look(&self.whole()?)
    }

    /// Renames a file that is damaged or of a newer version, and returns its new path. Returns `None` if the file is
    /// missing or valid, and leaves it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file cannot be read, locked or moved.
    pub fn reset(&self) -> Result<Option<PathBuf>, Error> {
        self.0.reset(parse)
    }
}

/// The time for which a file must have the same stamp before the stamp is trusted. Within one tick of a file system's
/// clock, at most two seconds, a second change does not change the stamp.
const SETTLED: Duration = Duration::from_secs(2);

/// The schedules for a daemon, which asks for them twice a second: the file is read when it looks otherwise.
#[derive(Debug)]
pub(crate) struct KnownSchedules {
    known: Option<Known>,
    #[cfg(test)]
    reads: usize,
}

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    since: Instant,
    schedules: Rc<Schedules>,
}

impl KnownSchedules {
    pub(crate) const fn new() -> Self {
        Self {
            known: None,
            #[cfg(test)]
            reads: 0,
        }
    }

    /// Reads the schedules as [`ScheduleFile::whole`] does.
    pub(crate) fn read(
        &mut self,
        file: &ScheduleFile,
        now: Instant,
    ) -> Result<Rc<Schedules>, Error> {
        // Before the file is read: a change in between gives another look the next time.
        let stamp = fs::metadata(file.path()).map(|file| Stamp::of(&file));
        let same = self
            .known
            .as_ref()
            .filter(|known| stamp.as_ref().is_ok_and(|stamp| *stamp == known.stamp));
        let since = same.map_or(now, |known| known.since);
        if let Some(known) = same
            && now.duration_since(since) > SETTLED
        {
            return Ok(Rc::clone(&known.schedules));
        }
        #[cfg(test)]
        {
            self.reads += 1;
        }
        // What cannot be read or asked for is tried again.
        self.known = None;
        let schedules = Rc::new(file.whole()?);
        if let Ok(stamp) = stamp {
            let schedules = Rc::clone(&schedules);
            self.known = Some(Known {
                stamp,
                since,
                schedules,
            });
        }
        Ok(schedules)
    }
}

fn helped(error: Error) -> Error {
    match (error.kind(), error.remedy()) {
        (ErrorKind::Damaged, None) => {
            error.help("correct it, or move it aside with `skills inspect state --reset`")
        }
        (ErrorKind::Newer, None) => error.help("update this program"),
        _ => error,
    }
}

fn parse(object: &Map<String, Value>) -> Result<Schedules, String> {
    let Some(all) = object.get("schedules") else {
        return Ok(Schedules::new());
    };
    let all = all.as_array().ok_or("`schedules` is not a list")?;
    let mut schedules = Schedules::new();
    for (at, value) in all.iter().enumerate() {
        let schedule = Schedule::parse(value).map_err(|why| format!("schedules[{at}]: {why}"))?;
        if let Some(twin) = schedules.insert(schedule.name.clone(), schedule) {
            return Err(format!("two schedules are named `{}`", twin.name));
        }
    }
    Ok(schedules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "moments are counted from one")]
    fn a_file_that_looks_the_same_is_not_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let file = ScheduleFile::new(dir.path().join("schedules.json"));
        let mut known = KnownSchedules::new();
        let begin = Instant::now();
        // An hour, twice a second.
        let look = |known: &mut KnownSchedules, ticks: std::ops::Range<u32>| {
            for tick in ticks {
                let now = begin + Duration::from_millis(500) * tick;
                assert!(known.read(&file, now).unwrap().is_empty());
            }
            std::mem::take(&mut known.reads)
        };
        file.update(|_| Ok(())).unwrap();
        assert_eq!(look(&mut known, 0..7200), 5, "the first two seconds");
        fs::write(file.path(), "{\"version\": 1, \"schedules\": []}").unwrap();
        assert_eq!(look(&mut known, 7200..7300), 5);
        fs::write(file.path(), "{").unwrap();
        assert!(known.read(&file, begin).is_err());
        assert!(known.read(&file, begin).is_err());
        assert_eq!(known.reads, 2);
    }
}
