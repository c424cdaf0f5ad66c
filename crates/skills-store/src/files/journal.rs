//! The journal: a change of one skill that is completed even if the process is killed.
//!
//! Names in the work folder: `new-NAME` is the new version of the skill, `old-NAME` is the displaced version, and
//! `copy-NAME` is a copy of the displaced version if its folder cannot be renamed, and `gone-NAME` is a displaced version
//! that is being deleted.

mod batch;
mod by_file;

use crate::error::{Error, ErrorKind};
use crate::files::copy::{is_there, make_folder, remove, write_file};
use crate::files::folder::{Durable, OpenFolder};
use crate::files::journal::by_file::{Moved, move_file, remove_file};
use crate::files::lock::{self, EntryChange, LockChange, LockFormat};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::system::{exchange, sync_system};
use crate::files::trash::{self, Place};
use serde::{Deserialize, Serialize};
use skills_format::disk::Kind;
use skills_format::{Digest, prose};
use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The name of the journal, in the work folder.
pub const JOURNAL: &str = "journal.json";

/// The record of a change, written before the skill is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub(crate) version: u32,
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
    /// Changes of the lock for earlier skills that are not written yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) pending: Vec<EntryChange>,
    /// The other changes of the same operation, which are made after this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) with: Vec<Self>,
}

/// Maximum number of lock changes that are written together. The journal of each later skill repeats them.
const MOST_PENDING: usize = 64;

/// The folder of skills, and the hidden folder in it where changes are prepared. Both are open, so that every step
/// acts on the folders that were checked.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) skills: OpenFolder,
    pub(crate) work: OpenFolder,
    pub(crate) lock: Rc<dyn LockFormat>,
    /// The lock changes in the journal on the disk whose skills are in place. They are collected, since writing the
    /// lock of thousands of skills for each skill would take quadratic time. Empty if the lock is written with each
    /// skill.
    pub(crate) pending: RefCell<Vec<EntryChange>>,
    /// True if the lock is written later.
    pub(crate) defers: Cell<bool>,
    /// The changes of the journal that is carried out, if it holds several.
    pub(crate) together: RefCell<Vec<Journal>>,
    /// The folder with the witnesses: for each journal an empty file, named by the journal's digest. A cloned
    /// repository can contain a journal, and cannot contain its witness.
    pub(crate) witnesses: PathBuf,
}

impl Site {
    fn witness(&self, journal: &[u8]) -> PathBuf {
        witness(&self.witnesses, journal)
    }

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

/// Returns whether a journal has a witness.
pub(crate) fn is_known(witnesses: &Path, journal: &[u8]) -> Result<bool, Error> {
    is_there(&witness(witnesses, journal))
}

impl Journal {
    /// Reads the journal of a work folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a journal without a witness in this data folder.
    pub(crate) fn read(site: &Site) -> Result<Option<Self>, Error> {
        Self::of_folder(&site.work, |journal| is_there(&site.witness(journal)))
    }

    /// Reads the journal of a work folder. `has_witness` returns whether the bytes of the journal have a witness.
    pub(crate) fn of_folder(
        work: &OpenFolder,
        has_witness: impl Fn(&[u8]) -> Result<bool, Error>,
    ) -> Result<Option<Self>, Error> {
        let path = work.path().join(JOURNAL);
        if !work.is_there(JOURNAL)? {
            return Ok(None);
        }
        let text = work
            .folder()
            .text(Path::new(JOURNAL))
            .map_err(|error| Error::io(&path, "cannot be read", error))?;
        if !has_witness(text.as_bytes())? {
            return Err(stranger(&path, work.path()));
        }
        let journal: Self = serde_json::from_str(&text).map_err(|error| damaged(&path, &error))?;
        if !matches!(journal.version, 1..=3) {
            return Err(damaged(&path, &"another version of `skills` wrote it"));
        }
        for change in std::iter::once(&journal).chain(&journal.with) {
            skills_format::SkillName::new(&change.name).map_err(|error| damaged(&path, &error))?;
        }
        Ok(Some(journal))
    }

    fn write(&mut self, site: &Site) -> Result<(), Error> {
        let mut together = site.together.borrow().clone();
        for known in together.iter_mut().filter(|known| known.name == self.name) {
            *known = self.clone();
        }
        site.together.replace(together.clone());
        match Self::joined(together) {
            Some(mut all) => all.write_alone(site),
            None => self.write_alone(site),
        }
    }

    fn write_alone(&mut self, site: &Site) -> Result<(), Error> {
        // A later version only when needed: a program that knows only version 1 would drop the pending changes, and one
        // that knows only version 2 the other skills.
        self.version = match (self.with.is_empty(), self.pending.is_empty()) {
            (false, _) => 3,
            (true, false) => 2,
            (true, true) => 1,
        };
        let text = serde_json::to_vec_pretty(self).map_err(|error| {
            let path = site.work.path().join(JOURNAL);
            Error::new(ErrorKind::NotUtf8, prose!("{}: {error}", &path))
        })?;
        // The witness before the journal: after a kill in between, a witness without a journal is harmless, but a
        // journal without its witness could never be finished.
        make_folder(&site.witnesses)?;
        // Its name is its content. One that is there is of the same journal, written before a kill.
        let witness = site.witness(&text);
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

    /// Writes the journal and carries it out. If that fails before anything was changed, the journal is removed.
    pub(crate) fn commit(mut self, site: &Site) -> Result<(), Error> {
        self.pending = site.pending.take();
        let done = self.write(site).and_then(|()| self.carry_out(site));
        if done.is_err() {
            // The journal on the disk, this one or the previous one, holds the pending changes until the lock has
            // them.
            let written = lock::change(&site.skills, &*site.lock, &self.pending);
            if self.is_untouched(site) {
                written?;
                Self::end(site)?;
            }
        }
        done
    }

    /// Writes the pending changes to the lock.
    pub(crate) fn flush(site: &Site) -> Result<(), Error> {
        let pending = site.pending.take();
        if pending.is_empty() {
            return Ok(());
        }
        lock::change(&site.skills, &*site.lock, &pending)?;
        Self::end(site)
    }

    /// Continues the change of a killed process.
    pub(crate) fn finish(mut self, site: &Site) -> Result<(), Error> {
        if !self.with.is_empty() {
            return self.finish_all(site);
        }
        let done = self.carry_out(site);
        if done.is_err() && self.is_untouched(site) {
            lock::change(&site.skills, &*site.lock, &self.pending)?;
            return Self::end(site);
        }
        done.map_err(|error| {
            let help = prose!(
                "a change of `{}` in {} was interrupted, and this must be possible to finish it",
                self.name,
                site.skills.path()
            );
            error.help(help)
        })
    }

    fn carry_out(&mut self, site: &Site) -> Result<(), Error> {
        site.check()?;
        match &self.new {
            Some(_) => self.put(site)?,
            None => self.take(site)?,
        }
        // The folder may have been moved away during the change. Then nothing else was changed, and the journal stays
        // in the folder: a command at the new place finishes the change.
        site.check()?;
        let mut changes = self.pending.clone();
        changes.push((self.name.clone(), self.lock.clone()));
        let defers = site.defers.get() && changes.len() < MOST_PENDING;
        if !defers {
            // The lock before the old version leaves the work folder: if the lock cannot be written, the journal still
            // finds both versions, and the next command finishes the change.
            lock::change(&site.skills, &*site.lock, &changes)?;
        }
        self.dispose(site)?;
        // After the skill is in place: a kill before this line leaves the skill also in the trash, and never nowhere.
        self.consume()?;
        if defers {
            // The journal stays because of its lock changes. Carrying it out again after a kill changes nothing else.
            site.pending.replace(changes);
            return Ok(());
        }
        Self::end(site)
    }

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

    fn put(&mut self, site: &Site) -> Result<(), Error> {
        if self.files.is_some() {
            return self.put_files(site);
        }
        let Site { skills, work, .. } = site;
        let (new, old) = (self.place("new"), self.place("old"));
        // Put into place before a kill or an error.
        if !work.is_there(&new)? {
            return Ok(());
        }
        if work.kind(&new)? != Some(Kind::Folder) || !self.is_new(&work.child(&new)?)? {
            // The exchange was made before a kill, so `new-NAME` is the displaced item, which need not be a folder.
            return work.rename(&new, work, &old);
        }
        let staged = work.child(&new)?;
        if work.is_there(&old)? {
            // The folder was made again between the two renames. It needs a place of its own in the trash, since the
            // place of this change is for the old version.
            self.trash.second().receive(skills, &self.name)?;
        }
        if !skills.is_there(&self.name)? {
            work.rename(&new, skills, &self.name)?;
            return self.check_placed(site, &staged);
        }
        let (from, to) = (OsStr::new(&new), OsStr::new(&self.name));
        // One exchange where the system has it: between two renames, a reader would find no skill.
        match exchange(work.folder(), from, skills.folder(), to) {
            Ok(()) => {
                self.check_placed(site, &staged)?;
                work.rename(&new, work, &old)
            }
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => self.begin_files(site),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                match skills.rename(&self.name, work, &old) {
                    Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                        return self.begin_files(site);
                    }
                    renamed => renamed?,
                }
                work.rename(&new, skills, &self.name).inspect_err(|_| {
                    // If this fails too, the next run repeats it.
                    let _ = work.rename(&old, skills, &self.name);
                })?;
                self.check_placed(site, &staged)
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

    /// Starts the exchange of single files, for a folder that cannot be renamed: copies the folder, records the list
    /// of files, then replaces each file.
    fn begin_files(&mut self, site: &Site) -> Result<(), Error> {
        // The copy first: from the record on, files of the old version are overwritten.
        self.copy_first(site)?;
        let new = Snapshot::read_open(&site.work.child(self.place("new"))?)?;
        self.files = Some(new.entries.keys().cloned().collect());
        // Without the record no file was overwritten: the change still counts as untouched, and its journal can go.
        self.write(site).inspect_err(|_| self.files = None)?;
        self.put_files(site)
    }

    fn copy_first(&self, site: &Site) -> Result<(), Error> {
        let copy = self.place("copy");
        // A kill during the copy leaves a partial copy, and no record of it.
        site.work.remove(&copy)?;
        site.skills.copy(&self.name, &site.work, &copy)
    }

    fn put_files(&self, site: &Site) -> Result<(), Error> {
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
                copied |= move_file(&new, &target, path)? == Moved::Copied;
            }
            if copied {
                // Synced before `new` is removed: after a power loss, one file system could have lost the copies, and
                // the other the originals.
                let synced = sync_system(target.folder());
                synced.map_err(|error| Error::io(target.path(), "cannot be written", error))?;
            }
        }
        for path in Snapshot::read_open(&target)?.entries.keys() {
            // Sorted, since `begin_files` lists the keys of a snapshot.
            if files.binary_search(path).is_err() {
                remove_file(&target, path.as_ref())?;
            }
        }
        site.work.remove(&new)
    }

    fn take(&mut self, site: &Site) -> Result<(), Error> {
        let old = self.place("old");
        if self.files.is_none() {
            // The folder was made again after a kill, and that new folder stays.
            if !site.skills.is_there(&self.name)? || site.work.is_there(&old)? {
                return Ok(());
            }
            match site.skills.rename(&self.name, &site.work, &old) {
                Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
                renamed => return renamed,
            }
            self.copy_first(site)?;
            self.files = Some(Vec::new());
            // Without the record nothing was removed: the change still counts as untouched.
            self.write(site).inspect_err(|_| self.files = None)?;
        }
        site.skills.remove(&self.name)
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
