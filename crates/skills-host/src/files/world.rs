//! A folder of skills and a data folder for tests, with a lock of lines `NAME DIGEST`.

use crate::files::data::DataFolder;
use crate::files::lock::{EntryChange, LockChange, LockEntry, LockFormat, NewLock};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{FileBytes, Snapshot};
use crate::files::trash::Place;
use jiff::Timestamp;
use skills_store::files::folder::OpenFolder;
use skills_store::{Error, ErrorKind};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct World {
    folder: TempDir,
    pub(crate) lock: Rc<Lines>,
    /// The seconds of the next place in the trash: two changes at one time would have one place.
    time: Cell<i64>,
}

/// The format of the test lock. `fails` counts the next changes that fail.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) fails: Cell<usize>,
}

impl LockFormat for Lines {
    fn change(
        &self,
        _: &Path,
        old: Option<&str>,
        changes: &[EntryChange],
    ) -> Result<NewLock, Error> {
        if let Some(fails) = self.fails.get().checked_sub(1) {
            self.fails.set(fails);
            return Err(Error::new(ErrorKind::Damaged, "the lock is damaged"));
        }
        let mut lines: BTreeMap<&str, &str> = old
            .unwrap_or_default()
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect();
        for (name, change) in changes {
            match change {
                LockChange::Keep => {}
                LockChange::Set(entry) => drop(lines.insert(name, &entry.digest)),
                LockChange::Remove => drop(lines.remove(&**name)),
            }
        }
        if lines.is_empty() {
            return Ok(NewLock::Removed);
        }
        let lines = lines
            .iter()
            .map(|(name, digest)| format!("{name} {digest}\n"));
        Ok(NewLock::Text(lines.collect()))
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("skills")).expect("a folder");
        Self {
            folder,
            lock: Rc::default(),
            time: Cell::default(),
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.path("skills")
    }

    pub(crate) fn data(&self) -> DataFolder {
        DataFolder::new(self.path("data"))
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }

    /// Reads a skill as the plan of a change sees it.
    pub(crate) fn snapshot(&self, name: &str) -> Snapshot {
        Snapshot::read(&self.target().join(name)).expect("a skill")
    }

    /// Lists every file below a folder, as `PATH: TEXT`.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let Ok(open) = OpenFolder::open(&self.path(folder)) else {
            return Vec::new();
        };
        let mut files = Vec::new();
        for name in open.names().expect("names") {
            let path = format!("{folder}/{name}");
            match fs::read_to_string(self.path(&path)) {
                Ok(text) => files.push(format!("{name}: {}", text.trim_end())),
                Err(_) => files.extend(
                    self.files(&path)
                        .iter()
                        .map(|file| format!("{name}/{file}")),
                ),
            }
        }
        files
    }

    /// Lists the text of the `SKILL.md` of each skill in the trash, sorted.
    pub(crate) fn trashed(&self) -> Vec<String> {
        let all = self.data().trash().list().expect("the trash");
        let mut texts: Vec<String> = all
            .iter()
            .map(|trashed| fs::read_to_string(trashed.folder.join("SKILL.md")))
            .map(|text| text.expect("a text"))
            .collect();
        texts.sort();
        texts
    }

    pub(crate) fn trash(&self, name: &str) -> Place {
        self.time.set(self.time.get() + 1);
        let time = Timestamp::from_second(self.time.get()).expect("a time");
        let trash = self.data().trash();
        trash.place(name, &self.target(), "test", None, &time)
    }
}

/// Creates a snapshot of files, each given by its path and its text.
pub(crate) fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let file = |(path, text): &(&str, &str)| {
        let path = RelativePath::new(*path).expect("a path");
        (path, FileBytes::new(text.as_bytes().to_vec(), false))
    };
    Snapshot::of(files.iter().map(file))
}

/// Returns the change that sets the lock entry of a skill.
pub(crate) fn set(digest: &str) -> LockChange {
    LockChange::Set(LockEntry {
        digest: digest.to_owned(),
        size: 0,
        source: None,
        path: None,
        requested: None,
        commit: None,
        powers: None,
    })
}
