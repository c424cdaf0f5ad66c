//! The records of operations, with which a whole operation can be undone.
//!
//! An operation is one command. In each folder of skills that it changes, it leaves one record, written before the first
//! change. What a change displaces is in the trash, with the id of the operation, or exactly in the store.

use crate::error::Error;
use crate::files::clock::Clock;
use crate::files::copy::{is_there, list, make_folder, read_json, remove, replace_json};
use crate::files::lock::LockEntry;
use crate::files::relative_path;
use crate::files::target::name_of;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The maximum number of recorded operations. The store keeps the versions that they name.
const MOST: usize = 50;
/// The word of operations that undid another one.
pub const RESTORE: &str = "restore";

/// The id of an operation. Ids are in order of time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    id: String,
    time: Timestamp,
}

impl Operation {
    /// Begins an operation.
    pub fn new(clock: &dyn Clock) -> Self {
        // Two operations of one process at one time have two ids.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let time = clock.now();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = format!(
            "{}-{}-{count:06}",
            time.strftime("%Y%m%dT%H%M%S%3fZ"),
            std::process::id()
        );
        Self { id, time }
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the time at which the operation began.
    pub fn time(&self) -> Timestamp {
        self.time
    }
}

/// Returns the process of an operation, by its id. `None` if the id is not that of an operation.
pub fn process_of(id: &str) -> Option<u32> {
    id.split('-').nth(1)?.parse().ok()
}

/// The record of an operation in one folder of skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationRecord {
    version: u32,
    /// The id of the operation.
    pub id: String,
    /// The folder of skills.
    pub target: PathBuf,
    /// The time at which the operation began.
    pub time: Timestamp,
    /// The command.
    pub why: String,
    /// The changes, in order of names.
    pub changes: Vec<Changed>,
    /// The operation that this operation undid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    /// How far the operation came in this folder.
    #[serde(default)]
    pub state: OperationState,
}

/// How far an operation came in one folder of skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationState {
    /// The operation began, and its end is not recorded: it still runs, or its process was killed.
    Begun,
    /// A change failed, and its error was reported.
    Failed,
    /// Every change was made. Earlier versions of this program recorded no state.
    #[default]
    Done,
}

/// The change of one skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The name of the skill.
    #[serde(deserialize_with = "relative_path::name")]
    pub name: String,
    /// The skill before; `None` if it was not there.
    pub before: Option<Held>,
    /// The skill after; `None` if it was removed.
    pub after: Option<Held>,
    /// True if the change removed a skill that was pinned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// A skill as it was at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The fingerprint of its folder.
    pub fingerprint: String,
    /// Its entry in the lock.
    pub entry: Option<LockEntry>,
}

impl OperationRecord {
    /// Creates the record of an operation that begins in a folder.
    pub fn new(operation: &Operation, target: &Path, why: &str, changes: Vec<Changed>) -> Self {
        Self {
            version: 1,
            id: operation.id.clone(),
            target: target.to_owned(),
            time: operation.time,
            why: why.to_owned(),
            changes,
            undoes: None,
            state: OperationState::Begun,
        }
    }

    /// Names the operation that this operation undoes.
    #[must_use]
    pub fn undoing(mut self, id: Option<&str>) -> Self {
        self.undoes = id.map(str::to_owned);
        self
    }
}

/// The folder of the records.
#[derive(Clone, Debug)]
pub struct Operations {
    root: PathBuf,
}

impl Operations {
    /// Returns the records in a folder, which need not exist. Writes nothing.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Writes a record, and forgets the oldest operations.
    ///
    /// # Errors
    ///
    /// If the record cannot be written. Nothing may be changed then.
    pub fn write(&self, record: &OperationRecord) -> Result<(), Error> {
        let file = self.file(&record.id, &record.target);
        make_folder(file.parent().unwrap_or(&self.root))?;
        replace_json(&file, record)?;
        let mut all = list(&self.root)?;
        let old = all.len().saturating_sub(MOST);
        // The names are in order of time.
        all.truncate(old);
        all.iter().try_for_each(|(_, path)| remove(path))
    }

    /// Records how far an operation came in a folder.
    ///
    /// # Errors
    ///
    /// If the record cannot be written. The operation then counts as interrupted.
    pub fn end(&self, mut record: OperationRecord, state: OperationState) -> Result<(), Error> {
        record.state = state;
        self.write(&record)
    }

    /// Returns the records by the ids of their operations, in order of time.
    ///
    /// # Errors
    ///
    /// If a record cannot be read. It must not count as missing: the store keeps only what is named.
    pub fn all(&self) -> Result<BTreeMap<String, Vec<OperationRecord>>, Error> {
        let mut all: BTreeMap<String, Vec<OperationRecord>> = BTreeMap::new();
        for (id, folder) in list(&self.root)? {
            // A file of a file manager is no operation.
            if !folder.is_dir() {
                continue;
            }
            for (name, path) in list(&folder)? {
                // A file without the end is half written.
                if name.strip_suffix(".json").is_none() || name.starts_with('.') {
                    continue;
                }
                let record: Option<OperationRecord> = read_json(&path)?;
                let record = record.filter(|record| record.version == 1 && record.id == id);
                if let Some(record) = record {
                    all.entry(id.clone()).or_default().push(record);
                }
            }
        }
        Ok(all)
    }

    /// Forgets a record.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn forget(&self, record: &OperationRecord) -> Result<(), Error> {
        let file = self.file(&record.id, &record.target);
        remove(&file)?;
        let folder = file.parent().unwrap_or(&self.root);
        if is_there(folder)? && list(folder)?.is_empty() {
            remove(folder)?;
        }
        Ok(())
    }

    fn file(&self, id: &str, target: &Path) -> PathBuf {
        const LENGTH: usize = 16;
        // The operation may make the folder, and its end must replace its first record all the same.
        let name = name_of(target);
        let digits = name.get(..LENGTH).unwrap_or(&name);
        self.root.join(id).join(format!("{digits}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `~/.agents` can be a link of the person, and the folder below it is made by the operation.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_the_operation_makes_has_one_record() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("real")).unwrap();
        std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
        let operations = Operations::new(dir.path().join("operations"));
        let target = dir.path().join("link/skills");
        let operation = Operation::new(&Timestamp::UNIX_EPOCH);
        let record = OperationRecord::new(&operation, &target, "install", Vec::new());
        operations.write(&record).unwrap();
        std::fs::create_dir(&target).unwrap();
        operations.end(record, OperationState::Done).unwrap();
        let all = operations.all().unwrap();
        let states = all[operation.id()].iter().map(|record| record.state);
        assert_eq!(states.collect::<Vec<_>>(), [OperationState::Done]);
    }

    #[test]
    fn written_listed_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let operations = Operations::new(dir.path().join("operations"));
        assert!(operations.all().unwrap().is_empty());
        let (one, other) = (dir.path().join("one"), dir.path().join("other"));
        let first = Operation::new(&Timestamp::UNIX_EPOCH);
        for target in [&one, &other] {
            let record = OperationRecord::new(&first, target, "update", Vec::new());
            operations.write(&record).unwrap();
        }
        let second = Operation::new(&Timestamp::UNIX_EPOCH);
        assert!(first < second);
        let record = OperationRecord::new(&second, &one, "install", Vec::new());
        operations.write(&record).unwrap();
        let all = operations.all().unwrap();
        assert_eq!(all[first.id()].len(), 2);
        assert_eq!(all[second.id()], std::slice::from_ref(&record));
        assert_eq!(record.state, OperationState::Begun);
        operations.end(record, OperationState::Done).unwrap();
        let ended = &operations.all().unwrap()[second.id()];
        assert_eq!(ended[0].state, OperationState::Done);
        operations.forget(&ended[0]).unwrap();
        for _ in 0..MOST {
            let operation = Operation::new(&Timestamp::MAX);
            let record = OperationRecord::new(&operation, &one, "install", Vec::new());
            operations.write(&record).unwrap();
        }
        let all = operations.all().unwrap();
        assert_eq!(all.len(), MOST);
        assert!(!all.contains_key(first.id()));
    }
}
