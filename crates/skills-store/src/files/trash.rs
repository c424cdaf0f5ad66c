//! The trash: folders that were removed or replaced, each with its lock entry.

use crate::error::{Error, ErrorKind};
use crate::files::clock::Clock;
use crate::files::copy::{is_there, list, make_folder, remove};
use crate::files::folder::{Durable, OpenFolder};
use crate::files::guard::Guard;
use crate::files::lock::LockEntry;
use crate::files::relative_path;
use crate::files::removal::{finish_removals, is_gone, remove_whole};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::text::path::PathText as _;
use std::fs;
use std::path::{Path, PathBuf};

const RECORD: &str = "entry.json";
const SKILL: &str = "skill";
/// Before the token of a folder that is not whole yet.
const PART: &str = ".part-";
/// Before the tokens of moves that no journal knows.
const AGAIN: &str = "again-";

/// A folder with one folder for each skill that was removed.
#[derive(Clone, Debug)]
pub struct Trash {
    root: PathBuf,
}

/// What is known of a skill in the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    version: u32,
    /// The skill's name.
    #[serde(deserialize_with = "relative_path::name")]
    pub name: String,
    /// The folder of skills that it was in.
    pub from: PathBuf,
    /// When it was moved.
    pub time: Timestamp,
    /// The command that moved it.
    pub why: String,
    /// Its lock entry, where it had one.
    pub entry: Option<LockEntry>,
    /// Tells two records of one moment apart.
    token: String,
}

/// A skill in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trashed {
    /// The name of its folder in the trash.
    pub id: String,
    /// What is known of it.
    pub record: Record,
    /// The skill's folder.
    pub folder: PathBuf,
}

/// Where a folder will be in the trash, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    root: PathBuf,
    record: Record,
}

impl Trash {
    /// The trash in a folder, whether it is there or not.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// What is in it, the latest first.
    pub fn list(&self) -> Result<Vec<Trashed>, Error> {
        let mut all = Vec::new();
        for (id, path) in list(&self.root)? {
            if id.starts_with('.') || is_gone(&self.root, &id) {
                continue;
            }
            let Ok(text) = fs::read_to_string(path.join(RECORD)) else {
                continue;
            };
            if let Ok(record) = serde_json::from_str(&text) {
                let folder = path.join(SKILL);
                all.push(Trashed { id, record, folder });
            }
        }
        all.sort_by(|a, b| (&b.record.time, &b.id).cmp(&(&a.record.time, &a.id)));
        Ok(all)
    }

    /// The skill that was moved here last from a folder of skills, of all or of one name.
    pub fn last(&self, from: &Path, name: Option<&str>) -> Result<Option<Trashed>, Error> {
        let is_it = |trashed: &Trashed| {
            trashed.record.from == from && name.is_none_or(|name| trashed.record.name == name)
        };
        Ok(self.list()?.into_iter().find(is_it))
    }

    /// Removes every skill, or every skill of one folder, and gives their number.
    pub fn empty(&self, from: Option<&Path>) -> Result<usize, Error> {
        if !is_there(&self.root) {
            return Ok(0);
        }
        let _guard = self.lock()?;
        let is_it = |trashed: &Trashed| from.is_none_or(|from| trashed.record.from == from);
        let all: Vec<Trashed> = self.list()?.into_iter().filter(is_it).collect();
        for trashed in &all {
            remove_whole(&self.root, &trashed.id)?;
        }
        finish_removals(&self.root)?;
        Ok(all.len())
    }

    /// A place for a skill of a folder.
    pub fn place(
        &self,
        name: &str,
        from: &Path,
        why: &str,
        entry: Option<LockEntry>,
        clock: &dyn Clock,
    ) -> Place {
        let time = clock.now();
        Place {
            root: self.root.clone(),
            record: Record {
                version: 1,
                name: name.to_owned(),
                from: from.to_owned(),
                time,
                why: why.to_owned(),
                entry,
                token: format!("{}-{}", std::process::id(), time.as_nanosecond()),
            },
        }
    }

    /// The place of a move that is made again after a kill: the time and the token say which move it is.
    pub fn place_again(
        &self,
        name: &str,
        from: &Path,
        why: &str,
        time: Timestamp,
        token: &str,
    ) -> Place {
        let mut place = self.place(name, from, why, None, &time);
        place.record.token = format!("{AGAIN}{token}");
        place
    }

    /// Finishes the moves of [`Trash::place_again`] that a killed process began, where nobody else knows of
    /// them. A skill that came here whole is in the trash then. Where it was copied, what is left of it in its folder
    /// goes, unless `is_used` says that it is used again.
    pub fn finish_moves(&self, is_used: impl Fn(&Record) -> bool) -> Result<(), Error> {
        let start = format!("{PART}{AGAIN}");
        let is_part = |name: &str| name.starts_with(&start);
        if !list(&self.root)?.iter().any(|(name, _)| is_part(name)) {
            return Ok(());
        }
        let _guard = self.lock()?;
        for (name, part) in list(&self.root)?.iter().filter(|(name, _)| is_part(name)) {
            let record = fs::read(part.join(RECORD)).ok();
            let record = record.and_then(|text| serde_json::from_slice::<Record>(&text).ok());
            match record.filter(|_| is_there(&part.join(SKILL))) {
                Some(record) => {
                    let root = self.root.clone();
                    if !is_used(&record) {
                        remove(&record.from.join(&record.name))?;
                    }
                    Place { root, record }.settle(name)?;
                }
                // The skill is still where it was.
                None => remove(part)?,
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<Guard, Error> {
        Guard::wait(&self.root.join(".lock"), &|_, _| {})
    }
}

impl Place {
    /// Moves a folder of an open folder here. After a kill it is called again and goes on.
    pub fn receive(&self, from: &OpenFolder, name: &str) -> Result<(), Error> {
        let part_name = format!("{PART}{}", self.record.token);
        let part = self.root.join(&part_name);
        if !from.is_there(name)? && !is_there(&part) {
            return Ok(());
        }
        let _guard = Trash::new(&self.root).lock()?;
        if self.find()?.is_some() {
            // It came here whole; what is left of the other copy goes.
            remove(&part)?;
            return from.remove(name);
        }
        if !is_there(&part.join(SKILL)) {
            remove(&part)?;
            make_folder(&part)?;
            let part = OpenFolder::open(&part)?;
            let text = serde_json::to_vec_pretty(&self.record).map_err(|error| {
                let path = from.path().join(name);
                Error::new(ErrorKind::NotUtf8, format!("{}: {error}", path.shown()))
            })?;
            part.write_file(RECORD, &text, Durable::Yes)?;
            from.move_to(name, &part, SKILL)?;
        }
        from.remove(name)?;
        self.settle(&part_name)
    }

    /// The same for a folder at a path that only this person writes.
    pub fn receive_from(&self, folder: &Path) -> Result<(), Error> {
        match OpenFolder::above(folder) {
            Err(error) if error.is_not_found() => Ok(()),
            above => {
                let (above, name) = above?;
                self.receive(&above, &name.to_string_lossy())
            }
        }
    }

    /// Gives a folder that is whole its name.
    fn settle(&self, part: &str) -> Result<(), Error> {
        let root = OpenFolder::open(&self.root)?;
        if self.find()?.is_some() {
            // It was copied to its name before a kill.
            return root.remove(part);
        }
        root.move_to(part, &root, self.free_name()?)
    }

    /// The entry of this record, where it is there.
    fn find(&self) -> Result<Option<Trashed>, Error> {
        let all = Trash::new(&self.root).list()?;
        Ok(all
            .into_iter()
            .find(|trashed| trashed.record == self.record))
    }

    fn free_name(&self) -> Result<String, Error> {
        let time = self.record.time.strftime("%Y%m%dT%H%M%SZ");
        let name = format!("{time}-{}", self.record.name);
        let more = (2..u32::MAX).map(|n| format!("{name}-{n}"));
        let mut all = std::iter::once(name.clone()).chain(more);
        all.find(|name| !is_there(&self.root.join(name)))
            .ok_or_else(|| {
                let error = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
                Error::io(&self.root.join(&name), "cannot be written", error)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn received_listed_and_emptied() {
        let dir = tempfile::tempdir().unwrap();
        let trash = Trash::new(dir.path().join("trash"));
        let skills = dir.path().join("skills");
        for text in ["1", "2"] {
            fs::create_dir_all(skills.join("a")).unwrap();
            fs::write(skills.join("a/SKILL.md"), text).unwrap();
            let place = trash.place("a", &skills, "uninstall", None, &Timestamp::UNIX_EPOCH);
            let place = Place {
                record: Record {
                    token: text.to_owned(),
                    ..place.record
                },
                ..place
            };
            let from = OpenFolder::open(&skills).unwrap();
            place.receive(&from, "a").unwrap();
            place.receive(&from, "a").unwrap();
            assert!(!is_there(&skills.join("a")));
        }
        let ids: Vec<String> = trash.list().unwrap().into_iter().map(|t| t.id).collect();
        assert_eq!(ids, ["19700101T000000Z-a-2", "19700101T000000Z-a"]);
        let last = trash.last(&skills, Some("a")).unwrap().unwrap();
        assert_eq!(
            fs::read_to_string(last.folder.join("SKILL.md")).unwrap(),
            "2"
        );
        assert_eq!(trash.last(dir.path(), None).unwrap(), None);
        assert_eq!(trash.empty(Some(dir.path())).unwrap(), 0);
        assert_eq!(trash.empty(Some(&skills)).unwrap(), 2);
        assert_eq!(trash.list().unwrap(), []);
    }
}
