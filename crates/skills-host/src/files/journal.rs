//! The journal: the changes of one operation, which are completed even if the process is killed.
//!
//! All changes are prepared and recorded, then made one after the other: a journal for each of 300 skills would wait 300
//! times for the disk.
//!
//! Names in the work folder: `new-NAME` is the new version of the skill, `old-NAME` is the displaced version, `copy-NAME` is
//! a copy of the displaced version if its folder cannot be renamed, and `gone-NAME` is a displaced version that is being
//! deleted.

use crate::files::again;
use crate::files::copy::{is_there, make_folder, remove, write_file};
use crate::files::folder::{Durable, Obstacle, OpenFolder};
use crate::files::lock::{self, EntryChange, LockChange};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::system::{exchange, sync_system};
use crate::files::trash::{self, Place};
use serde::{Deserialize, Serialize};
use skills_format::disk::Kind;
use skills_format::{Digest, prose};
use skills_store::{Error, ErrorKind};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the journal, in the work folder.
pub const JOURNAL: &str = "journal.json";
const VERSION: u32 = 1;

/// The record of the changes, written before the first skill is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journal {
    version: u32,
    pub(crate) changes: Vec<Change>,
}

/// The change of one skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) name: String,
    /// The fingerprint of the new version; `None` if the skill is removed.
    pub(crate) new: Option<String>,
    /// The fingerprint of the present version; `None` if that version is kept in any case.
    pub(crate) replaced: Option<String>,
    /// The place in the trash for the displaced folder, unless the folder has the fingerprint `replaced`.
    pub(crate) trash: Place,
    pub(crate) lock: LockChange,
    /// The entry of the trash that was restored, and is removed at the end.
    pub(crate) consumed: Option<PathBuf>,
    /// The files of the new version, if they are exchanged one by one.
    pub(crate) files: Option<Vec<RelativePath>>,
}

/// The folder of skills, and the hidden folder in it where changes are prepared. Both are open, so that every step
/// acts on the folders that were checked.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) skills: OpenFolder,
    pub(crate) work: OpenFolder,
    /// The folder with the witnesses: for each journal an empty file, named by the journal's digest. A cloned
    /// repository can contain a journal, and cannot contain its witness.
    pub(crate) witnesses: PathBuf,
}

impl Site {
    /// Fails if one of the folders is no longer at its path.
    fn check(&self) -> Result<(), Error> {
        self.skills.check_path()?;
        let name = self.work.path().file_name().unwrap_or_default();
        self.work.check_in(&self.skills, name)
    }

    /// Waits until the prepared files and the journal are on the disk, before anything is changed. The files
    /// themselves were synced when they were written; this syncs the folders that name them.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        let synced = sync_system(self.work.folder());
        synced.map_err(|error| Error::io(self.work.path(), "cannot be written", error))
    }
}

/// Returns the path of the witness of a journal.
fn witness(witnesses: &Path, journal: &[u8]) -> PathBuf {
    let digest = Digest::of(journal).to_string();
    witnesses.join(digest.trim_start_matches("sha256:"))
}

impl Journal {
    pub(crate) fn new(changes: Vec<Change>) -> Self {
        Self {
            version: VERSION,
            changes,
        }
    }

    /// Reads the journal of a work folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a journal without a witness in this data folder.
    pub(crate) fn read(work: &OpenFolder, witnesses: &Path) -> Result<Option<Self>, Error> {
        let path = work.path().join(JOURNAL);
        if !work.is_there(JOURNAL)? {
            return Ok(None);
        }
        let text = work
            .folder()
            .text(Path::new(JOURNAL))
            .map_err(|error| Error::io(&path, "cannot be read", error))?;
        if !is_there(&witness(witnesses, text.as_bytes()))? {
            return Err(stranger(&path, work.path()));
        }
        let journal: Self = serde_json::from_str(&text).map_err(|error| damaged(&path, &error))?;
        if journal.version != VERSION {
            return Err(damaged(&path, &"another version of `skills` wrote it"));
        }
        for change in &journal.changes {
            skills_format::SkillName::new(&change.name).map_err(|error| damaged(&path, &error))?;
        }
        Ok(Some(journal))
    }

    fn write(&self, site: &Site) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(self).map_err(|error| {
            let path = site.work.path().join(JOURNAL);
            Error::new(ErrorKind::NotUtf8, prose!("{}: {error}", &path))
        })?;
        // The witness before the journal: after a kill in between, a witness without a journal is harmless, but a
        // journal without its witness could never be finished.
        make_folder(&site.witnesses)?;
        // Its name is its content. One that is there is of the same journal, written before a kill.
        let witness = witness(&site.witnesses, &text);
        if !is_there(&witness)? {
            write_file(&witness, b"", Durable::Yes)?;
        }
        site.work.replace_file(JOURNAL, &text)?;
        site.sync()
    }

    /// Removes the journal, then its witnesses: the opposite order could leave a journal that nobody may finish.
    fn end(site: &Site) -> Result<(), Error> {
        site.work.remove(JOURNAL)?;
        remove(&site.witnesses)
    }

    /// Writes the journal and carries it out. Returns the result of each change, in order. The failure of one change stops
    /// no other.
    pub(crate) fn commit(self, site: &Site) -> Vec<Result<(), Error>> {
        match self.write(site) {
            Ok(()) => self.carry_out(site),
            Err(error) => {
                // Nothing was changed. If the journal cannot be removed, the next command makes the changes.
                let ended = Self::end(site);
                repeated(&ended.err().unwrap_or(error), self.changes.len())
            }
        }
    }

    /// Continues the changes of a killed process.
    pub(crate) fn finish(self, site: &Site) -> Result<(), Error> {
        let results = self.clone().carry_out(site);
        let failed = self
            .changes
            .iter()
            .zip(results)
            .find_map(|(change, result)| {
                let error = result.err()?;
                (!change.is_untouched(site)).then_some((&change.name, error))
            });
        let Some((name, error)) = failed else {
            return Ok(());
        };
        Err(error.help(prose!(
            "a change of `{name}` in {} was interrupted, and this must be possible to finish it",
            site.skills.path()
        )))
    }

    fn carry_out(mut self, site: &Site) -> Vec<Result<(), Error>> {
        let count = self.changes.len();
        if let Err(error) = site.check() {
            let all_untouched = self.changes.iter().all(|change| change.is_untouched(site));
            let ended = if all_untouched {
                Self::end(site)
            } else {
                Ok(())
            };
            return repeated(&ended.err().unwrap_or(error), count);
        }
        let mut results: Vec<Result<(), Error>> =
            (0..count).map(|at| self.exchange(at, site)).collect();
        let made = self.changes.iter().zip(&results);
        let locks: Vec<EntryChange> = made
            .filter(|(_, result)| result.is_ok())
            .map(|(change, _)| (change.name.clone(), change.lock.clone()))
            .collect();
        // The folder may have been moved away during the change. Then the journal stays in the folder: a command at the new
        // place finishes the change. The lock before the old versions leave the work folder: if the lock cannot be written,
        // the journal still finds both versions, and the next command finishes the change.
        let written = site
            .check()
            .and_then(|()| lock::change(&site.skills, &locks));
        if let Err(error) = written {
            return repeated(&error, count);
        }
        for (change, result) in self.changes.iter().zip(&mut results) {
            if result.is_ok() {
                // The entry of the trash last: a kill before that leaves the skill also in the trash, and never nowhere.
                *result = change.dispose(site).and_then(|()| change.consume());
            }
        }
        let mut failed = results.iter().map(Result::is_err);
        self.changes
            .retain(|change| failed.next() == Some(true) && !change.is_untouched(site));
        let ended = if self.changes.is_empty() {
            Self::end(site)
        } else {
            // The next command finishes what was begun.
            self.write(site)
        };
        if let (Err(error), Some(last)) = (ended, results.last_mut()) {
            *last = Err(error);
        }
        results
    }

    /// Puts the new version of a change into place, or removes the skill. If its folder cannot be renamed, records the list of
    /// files, then exchanges each file.
    fn exchange(&mut self, at: usize, site: &Site) -> Result<(), Error> {
        // `at` counts the changes.
        let change = &self.changes[at];
        if change.files.is_none() {
            if change.rename(site)? {
                return Ok(());
            }
            // The copy first: from the record on, files of the old version are overwritten.
            change.copy_first(site)?;
            let files = match change.new {
                Some(_) => {
                    let new = Snapshot::read_open(&site.work.child(change.place("new"))?)?;
                    new.entries.into_keys().collect()
                }
                None => Vec::new(),
            };
            self.changes[at].files = Some(files);
            // Without the record no file was overwritten: the change still counts as untouched, and its journal can go.
            if let Err(error) = self.write(site) {
                self.changes[at].files = None;
                return Err(error);
            }
        }
        self.changes[at].put_files(site)
    }
}

/// Returns an error for each of several changes.
fn repeated(error: &Error, count: usize) -> Vec<Result<(), Error>> {
    (0..count).map(|_| Err(again(error))).collect()
}

impl Change {
    /// Returns the name of a folder of this change in the work folder.
    fn place(&self, kind: &str) -> String {
        format!("{kind}-{}", self.name)
    }

    fn displaced(&self) -> String {
        self.place(if self.files.is_some() { "copy" } else { "old" })
    }

    /// Returns whether `new-NAME` is still the new version, and not already the displaced one.
    fn is_new(&self, folder: &OpenFolder) -> Result<bool, Error> {
        let now = Snapshot::read_open(folder)?.fingerprint().to_string();
        Ok(self.new.as_ref() == Some(&now))
    }

    fn is_untouched(&self, site: &Site) -> bool {
        // A failed check counts as touched, so the journal stays.
        self.looks_untouched(site).unwrap_or(false)
    }

    fn looks_untouched(&self, site: &Site) -> Result<bool, Error> {
        if self.files.is_some() || site.work.is_there(self.place("old"))? {
            return Ok(false);
        }
        let there = site.skills.is_there(&self.name)?;
        if self.new.is_none() {
            return Ok(there);
        }
        // An exchange puts the displaced folder into the place of the new one. Only the content shows which one is there.
        let new = site.work.child(self.place("new"))?;
        Ok(self.is_new(&new)? && there == self.expects_something())
    }

    fn expects_something(&self) -> bool {
        self.replaced.as_deref() != Some("")
    }

    /// Exchanges the folder, or moves it away. Returns false if the folder cannot be renamed.
    fn rename(&self, site: &Site) -> Result<bool, Error> {
        let Site { skills, work, .. } = site;
        let (new, old) = (self.place("new"), self.place("old"));
        let is_renamed = |renamed: Result<(), Error>| match renamed {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => Ok(false),
            renamed => renamed.map(|()| true),
        };
        if self.new.is_none() {
            // The folder was made again after a kill, and that new folder stays.
            if !skills.is_there(&self.name)? || work.is_there(&old)? {
                return Ok(true);
            }
            return is_renamed(skills.rename(&self.name, work, &old));
        }
        // Put into place before a kill or an error.
        if !work.is_there(&new)? {
            return Ok(true);
        }
        if work.kind(&new)? != Some(Kind::Folder) || !self.is_new(&work.child(&new)?)? {
            // The exchange was made before a kill, so `new-NAME` is the displaced item, which need not be a folder.
            return work.rename(&new, work, &old).map(|()| true);
        }
        let staged = work.child(&new)?;
        if work.is_there(&old)? {
            // The folder was made again between the two renames. It needs a place of its own in the trash, since the
            // place of this change is for the old version.
            self.trash.second().receive(skills, &self.name)?;
        }
        if !skills.is_there(&self.name)? {
            work.rename(&new, skills, &self.name)?;
            return self.check_placed(site, &staged).map(|()| true);
        }
        let (from, to) = (OsStr::new(&new), OsStr::new(&self.name));
        // One exchange where the system has it: between two renames, a reader would find no skill.
        match exchange(work.folder(), from, skills.folder(), to) {
            Ok(()) => {
                self.check_placed(site, &staged)?;
                work.rename(&new, work, &old).map(|()| true)
            }
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                if !is_renamed(skills.rename(&self.name, work, &old))? {
                    return Ok(false);
                }
                work.rename(&new, skills, &self.name).inspect_err(|_| {
                    // If this fails too, the next run repeats it.
                    let _ = work.rename(&old, skills, &self.name);
                })?;
                self.check_placed(site, &staged).map(|()| true)
            }
            Err(error) => {
                let path = skills.path().join(&self.name);
                Err(Error::io(&path, "cannot be exchanged", error))
            }
        }
    }

    /// Fails if the item in place is not the folder that was prepared and read.
    fn check_placed(&self, site: &Site, staged: &OpenFolder) -> Result<(), Error> {
        let placed = site.skills.child(&self.name)?;
        if placed.is(staged) {
            return Ok(());
        }
        let message = prose!("{} is not what was prepared", placed.path());
        Err(Error::new(ErrorKind::Refused, message)
            .help("another program changes this folder: stop that program, then run the same command again"))
    }

    fn copy_first(&self, site: &Site) -> Result<(), Error> {
        let copy = self.place("copy");
        // A kill during the copy leaves a partial copy, and no record of it.
        site.work.remove(&copy)?;
        site.skills.copy(&self.name, &site.work, &copy)
    }

    fn put_files(&self, site: &Site) -> Result<(), Error> {
        if self.new.is_none() {
            return site.skills.remove(&self.name);
        }
        let new = self.place("new");
        let target = site.skills.make_child(&self.name)?;
        let files = self.files.as_deref().unwrap_or_default();
        if site.work.is_there(&new)? {
            let new = site.work.child(&new)?;
            // SKILL.md is last, since it refers to the other files.
            let (entry, others): (Vec<_>, Vec<_>) =
                files.iter().partition(|path| is_skill_file(path));
            let mut copied = false;
            for path in others.into_iter().chain(entry) {
                copied |= move_file(&new, &target, path)?;
            }
            if copied {
                // Synced before `new` is removed: after a power loss, one file system could have lost the copies, and
                // the other the originals.
                let synced = sync_system(target.folder());
                synced.map_err(|error| Error::io(target.path(), "cannot be written", error))?;
            }
        }
        for path in Snapshot::read_open(&target)?.entries.keys() {
            // Sorted, since `exchange` lists the keys of a snapshot.
            if files.binary_search(path).is_err() {
                remove_file(&target, path.as_ref())?;
            }
        }
        site.work.remove(&new)
    }

    /// Removes the displaced folder. It goes to the trash if it must be kept, or if it differs from the version that
    /// was looked at before.
    fn dispose(&self, site: &Site) -> Result<(), Error> {
        let name = self.displaced();
        let is_known = self.replaced.as_ref().is_some_and(|replaced| {
            let now = site
                .work
                .child(&name)
                .and_then(|folder| Snapshot::read_open(&folder));
            now.is_ok_and(|now| now.fingerprint().to_string() == *replaced)
        });
        if !is_known {
            return self.trash.receive(&site.work, &name);
        }
        // Renamed before it is deleted: after a kill in the middle, the next run would take the rest for a skill that somebody
        // changed, and move it to the trash.
        let gone = self.place("gone");
        site.work.remove(&gone)?;
        site.work.rename(&name, &site.work, &gone)?;
        site.work.remove(gone)
    }

    /// Removes the entry of the trash that was restored.
    fn consume(&self) -> Result<(), Error> {
        let consumed = self.consumed.as_deref();
        consumed.map_or(Ok(()), trash::remove_entry)
    }
}

/// Moves one file to its place in a folder, over an existing item. A missing file was moved before. Returns true if the file was
/// copied, since the skill's folder is a mount of its own: then the original still exists.
fn move_file(from: &OpenFolder, to: &OpenFolder, path: &str) -> Result<bool, Error> {
    let path = Path::new(path);
    let (above, name) = (path.parent(), path.file_name().unwrap_or_default());
    let above = above.unwrap_or(Path::new(""));
    let from = match from.below(above) {
        Err(error) if error.is_not_found() => return Ok(false),
        from => from?,
    };
    if !from.is_there(name)? {
        return Ok(false);
    }
    let to = to.make_below(above, Obstacle::Removed)?;
    // A rename replaces a file, but not a folder.
    if to.kind(name)? == Some(Kind::Folder) {
        to.remove(name)?;
    }
    match from.rename(name, &to, name) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            from.copy(name, &to, name).map(|()| true)
        }
        renamed => renamed.map(|()| false),
    }
}

/// Removes a file of a folder, and its parent folders if they become empty.
fn remove_file(root: &OpenFolder, path: &Path) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default();
    let above = path.parent().unwrap_or(Path::new(""));
    root.below(above)?.remove(name)?;
    for path in above.ancestors() {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            break;
        };
        // The folder is not empty, or cannot be removed, which is harmless.
        if root.below(above)?.folder().remove_folder(name).is_err() {
            break;
        }
    }
    Ok(())
}

fn stranger(path: &Path, folder: &Path) -> Error {
    let message = prose!(
        "{} describes a change that was not begun with this folder of data: another person or another machine wrote it",
        path
    );
    Error::new(ErrorKind::Refused, message).help(prose!("look at {}, then remove it", folder))
}

fn damaged(path: &Path, why: &dyn std::fmt::Display) -> Error {
    let message = prose!("{} cannot be read: {why}", path);
    Error::new(ErrorKind::Damaged, message)
        .help("look at the folders beside it: `new-…` is the new skill, `old-…` the old one; then remove it")
}

#[cfg(test)]
mod tests;
