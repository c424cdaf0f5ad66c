//! A folder of skills and a data folder for tests. An entry of the lock has the digest of a short text.

use crate::files::data::DataFolder;
use crate::files::folder::OpenFolder;
use crate::files::lock::{LockChange, LockEntry};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{FileBytes, Snapshot};
use crate::files::trash::Place;
use jiff::Timestamp;
use skills_format::Digest;
use skills_repository::{Lock, Locked};
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct World {
    folder: TempDir,
    /// The seconds of the next place in the trash: two changes at one time would have one place.
    time: Cell<i64>,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("skills")).expect("a folder");
        Self {
            folder,
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
                Ok(text) if name == "skills.lock" => {
                    files.push(format!("{name}: {}", entries(&text)));
                }
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

/// Returns the change that sets the lock entry of a skill to the digest of a text.
pub(crate) fn set(text: &str) -> LockChange {
    let digest = Digest::of(text.as_bytes());
    LockChange::Set(LockEntry::new(&Locked::new(digest, 0)))
}

/// Returns the entries of a lock as lines `NAME TEXT`.
fn entries(lock: &str) -> String {
    let lock = Lock::parse(lock).expect("a lock");
    let texts = ["1", "2", "3", "new", "kept"];
    let line = |(name, locked): (&String, &Locked)| {
        let text = texts
            .into_iter()
            .find(|text| Digest::of(text.as_bytes()) == locked.digest);
        format!("{name} {}", text.expect("a known text"))
    };
    lock.skills.iter().map(line).collect::<Vec<_>>().join("\n")
}
