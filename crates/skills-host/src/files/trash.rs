//! The trash: removed and replaced folders, each with its lock entry.

use crate::files::clock::Clock;
use crate::files::copy::{is_there, list, make_folder, read_json, remove};
use crate::files::folder::{Durable, OpenFolder};
use crate::files::guard::Guard;
use crate::files::lock::LockEntry;
use crate::files::relative_path;
use crate::files::removal::{finish_removals, is_gone, is_removal, remove_whole};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const RECORD: &str = "entry.json";
const SKILL: &str = "skill";
/// The prefix of a folder that is not complete yet. The dot keeps the folder out of [`Trash::list`].
const PART: &str = ".part-";
/// A folder with one subfolder for each trashed skill.
#[derive(Clone, Debug)]
pub struct Trash {
    root: PathBuf,
}

/// The id of one command. All that the command moves to the trash has the id, in every folder.
#[derive(Clone, Debug)]
pub struct Operation(String);

impl Operation {
    /// Begins an operation.
    pub fn new(clock: &dyn Clock) -> Self {
        // Two operations of one process can begin at the same time.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let time = clock.now().strftime("%Y%m%dT%H%M%S%3fZ");
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{time}-{}-{count:06}", std::process::id()))
    }
}

/// The record of a skill in the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The name of the skill.
    #[serde(deserialize_with = "relative_path::name")]
    pub name: String,
    /// The former folder of skills.
    pub from: PathBuf,
    /// The time of the move.
    pub time: Timestamp,
    /// The command that moved the skill.
    pub why: String,
    /// The lock entry, if the skill had one.
    pub entry: Option<LockEntry>,
    /// The id of the operation that moved the skill. Unknown for a move by other means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Distinguishes two records with the same time.
    token: String,
}

/// A skill in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trashed {
    /// The name of the folder in the trash.
    pub id: String,
    /// The record.
    pub record: Record,
    /// The folder of the skill.
    pub folder: PathBuf,
}

/// A future place in the trash, as the journal records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    root: PathBuf,
    record: Record,
}

impl Trash {
    /// Returns the trash of a folder, which need not exist. Writes nothing.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Lists the trash, the latest first.
    pub fn list(&self) -> Result<Vec<Trashed>, Error> {
        let mut all = Vec::new();
        for (id, path) in list(&self.root)? {
            if id.starts_with('.') || is_gone(&self.root, &id)? {
                continue;
            }
            if let Some(record) = read_record(&path)? {
                let folder = path.join(SKILL);
                all.push(Trashed { id, record, folder });
            }
        }
        all.sort_by(|a, b| (&b.record.time, &b.id).cmp(&(&a.record.time, &a.id)));
        Ok(all)
    }

    /// Removes every skill, or every skill of one folder. Returns the number of removed skills.
    pub fn empty(&self, from: Option<&Path>) -> Result<usize, Error> {
        if !is_there(&self.root)? {
            return Ok(0);
        }
        let _guard = self.lock()?;
        let is_it = |trashed: &Trashed| from.is_none_or(|from| trashed.record.from == from);
        let all: Vec<Trashed> = self.list()?.into_iter().filter(is_it).collect();
        // A skill that cannot be removed keeps no other skill. The first error is reported.
        let removals = all
            .iter()
            .map(|trashed| remove_whole(&self.root, &trashed.id));
        let removed = removals.fold(Ok(()), Result::and);
        removed.and(finish_removals(&self.root))?;
        Ok(all.len())
    }

    /// Finishes the removals that failed, or that a killed process began.
    pub fn finish_removals(&self) -> Result<(), Error> {
        if self.leftovers()?.is_empty() {
            return Ok(());
        }
        let _guard = self.lock()?;
        finish_removals(&self.root)
    }

    /// Returns the paths of what is left of removed skills.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>, Error> {
        let all = list(&self.root)?.into_iter();
        let left = all.filter(|(id, _)| is_removal(id));
        Ok(left.map(|(_, path)| path).collect())
    }

    /// Returns the folders in the trash that hold a skill without a readable record. They are not listed, since the
    /// name and the origin of the skill are unknown, and nothing removes them.
    pub fn unrecorded(&self) -> Result<Vec<PathBuf>, Error> {
        let mut unrecorded = Vec::new();
        for (id, path) in list(&self.root)? {
            let is_whole = !is_removal(&id) && !is_gone(&self.root, &id)?;
            if is_whole
                && is_there(&path.join(SKILL))?
                && !matches!(read_record(&path), Ok(Some(_)))
            {
                unrecorded.push(path);
            }
        }
        Ok(unrecorded)
    }

    /// Reserves a place for a skill of a folder.
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
                operation: None,
                token: format!("{}-{}", std::process::id(), time.as_nanosecond()),
            },
        }
    }

    /// Locks the trash. Without the lock two processes could choose one free name, or complete one move twice.
    fn lock(&self) -> Result<Guard, Error> {
        Guard::wait(&self.root.join(".lock"), &|_, _| {})
    }
}

/// Removes an entry of a trash, which is complete or gone for other processes. Finishes the removals of killed processes too.
pub(crate) fn remove_entry(entry: &Path) -> Result<(), Error> {
    let (Some(root), Some(id)) = (entry.parent(), entry.file_name()) else {
        return Ok(());
    };
    let _guard = Trash::new(root).lock()?;
    if is_there(entry)? {
        remove_whole(root, &id.to_string_lossy())?;
    }
    finish_removals(root)
}

/// Reads the record of a folder in the trash.
fn read_record(folder: &Path) -> Result<Option<Record>, Error> {
    read_json(&folder.join(RECORD))
}

impl Place {
    /// Makes the move a part of an operation.
    #[must_use]
    pub fn of_operation(mut self, operation: &Operation) -> Self {
        self.record.operation = Some(operation.0.clone());
        self
    }

    /// Returns the place for a second folder that the same change displaces.
    pub(crate) fn second(&self) -> Self {
        let mut place = self.clone();
        place.record.token.push_str("-second");
        place
    }

    /// Moves an item of an open folder to this place. Calling it again after a kill continues the move.
    pub fn receive(&self, from: &OpenFolder, name: &str) -> Result<(), Error> {
        let part_name = format!("{PART}{}", self.record.token);
        let part = self.root.join(&part_name);
        if !from.is_there(name)? && !is_there(&part)? {
            return Ok(());
        }
        let _guard = Trash::new(&self.root).lock()?;
        if self.is_taken()? {
            // The move was completed before. The rest of the original is removed.
            remove(&part)?;
            return from.remove(name);
        }
        if !is_there(&part.join(SKILL))? {
            remove(&part)?;
            make_folder(&part)?;
            let part = OpenFolder::open(&part)?;
            let text = serde_json::to_vec_pretty(&self.record).map_err(|error| {
                let path = from.path().join(name);
                Error::new(ErrorKind::NotUtf8, prose!("{}: {error}", &path))
            })?;
            // The record before the skill: a part without a record counts as empty, and with it the skill would be lost.
            part.write_file(RECORD, &text, Durable::Yes)?;
            from.move_to(name, &part, SKILL)?;
        }
        // After a kill during a move by copy, the original can still exist.
        from.remove(name)?;
        self.settle(&part_name)
    }

    /// Gives a complete folder its final name.
    fn settle(&self, part: &str) -> Result<(), Error> {
        let root = OpenFolder::open(&self.root)?;
        if self.is_taken()? {
            // The folder was copied to its name before a kill.
            return root.remove(part);
        }
        root.move_to(part, &root, self.free_name()?)
    }

    /// Returns whether an entry with this record exists. Reads only the records of this name and time: each of a thousand
    /// moves would read a thousand others.
    fn is_taken(&self) -> Result<bool, Error> {
        let name = self.entry_name();
        for (id, path) in list(&self.root)? {
            if id.starts_with(&name)
                && !is_gone(&self.root, &id)?
                && read_record(&path)?.is_some_and(|record| record == self.record)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn entry_name(&self) -> String {
        let time = self.record.time.strftime("%Y%m%dT%H%M%SZ");
        format!("{time}-{}", self.record.name)
    }

    fn free_name(&self) -> Result<String, Error> {
        let name = self.entry_name();
        let more = (2..u32::MAX).map(|n| format!("{name}-{n}"));
        for name in std::iter::once(name.clone()).chain(more) {
            if !is_there(&self.root.join(&name))? {
                return Ok(name);
            }
        }
        let error = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        Err(Error::io(
            &self.root.join(&name),
            "cannot be written",
            error,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
            assert!(!is_there(&skills.join("a")).unwrap());
        }
        let ids: Vec<String> = trash.list().unwrap().into_iter().map(|t| t.id).collect();
        assert_eq!(ids, ["19700101T000000Z-a-2", "19700101T000000Z-a"]);
        let last = trash.list().unwrap().remove(0);
        assert_eq!(
            fs::read_to_string(last.folder.join("SKILL.md")).unwrap(),
            "2"
        );
        // What it names is not known: nothing may be collected then.
        let record = last.folder.with_file_name(RECORD);
        let whole = fs::read(&record).unwrap();
        fs::write(&record, "{").unwrap();
        let error = trash.list().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
        fs::write(&record, whole).unwrap();
        assert_eq!(trash.empty(Some(dir.path())).unwrap(), 0);
        assert_eq!(trash.empty(Some(&skills)).unwrap(), 2);
        assert_eq!(trash.list().unwrap(), []);
    }

    /// To read each of a thousand records for each of a thousand moves would take minutes.
    #[test]
    fn a_move_reads_no_record_of_another_skill() {
        let dir = tempfile::tempdir().unwrap();
        let trash = Trash::new(dir.path().join("trash"));
        let skills = dir.path().join("skills");
        for name in ["a", "b"] {
            fs::create_dir_all(skills.join(name)).unwrap();
            let place = trash.place(name, &skills, "uninstall", None, &Timestamp::UNIX_EPOCH);
            let from = OpenFolder::open(&skills).unwrap();
            place.receive(&from, name).unwrap();
            for (id, path) in list(&dir.path().join("trash")).unwrap() {
                if id.ends_with("-a") {
                    fs::write(path.join(RECORD), "{").unwrap();
                }
            }
        }
        assert!(dir.path().join("trash/19700101T000000Z-b").exists());
    }

    #[test]
    fn a_skill_without_a_readable_record_stays() {
        let dir = tempfile::tempdir().unwrap();
        let trash = Trash::new(dir.path());
        let part = dir.path().join(format!("{PART}1"));
        fs::create_dir_all(part.join(SKILL)).unwrap();
        fs::write(part.join(SKILL).join("precious"), "").unwrap();
        // Of a newer version, for example.
        for record in ["", "{}", r#"{"version":1,"name":"../x"}"#] {
            fs::write(part.join(RECORD), record).unwrap();
            assert_eq!(trash.empty(None).unwrap(), 0);
            assert!(part.join(SKILL).join("precious").exists(), "{record}");
            assert_eq!(trash.unrecorded().unwrap(), [part.as_path()]);
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "Windows has no names with a dot at the end")]
    fn a_mark_removes_nothing_but_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("trash");
        let trash = Trash::new(&root);
        fs::create_dir_all(root.join("kept")).unwrap();
        fs::create_dir_all(root.join(".gone-old/deep")).unwrap();
        for mark in [".gone-", ".gone-.", ".gone-.."] {
            fs::write(root.join(mark), "").unwrap();
        }
        assert_eq!(trash.leftovers().unwrap().len(), 4);
        trash.finish_removals().unwrap();
        assert!(root.join("kept").exists());
        assert_eq!(trash.leftovers().unwrap(), [] as [PathBuf; 0]);
    }
}
