//! A change of one skill that is carried out to its end, whoever is killed meanwhile.
//!
//! Names in the work folder: `new-NAME` is the skill as it will be, `old-NAME` the one that it
//! displaced, `copy-NAME` the same where the folder cannot be renamed.

use crate::error::{Error, ErrorKind};
use crate::files::copy::{is_there, make_folder, remove, replace_file};
use crate::files::folder::{Obstacle, OpenFolder};
use crate::files::lock::{self, EntryChange, LockChange, LockFormat};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::trash::Place;
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use skills_format::disk::Kind;
use skills_format::text::path::PathText as _;
use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(crate) const JOURNAL: &str = "journal.json";

/// What is written down before a skill is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub(crate) version: u32,
    pub(crate) name: String,
    /// The fingerprint of the new skill; `None` when the skill is removed.
    pub(crate) new: Option<String>,
    /// The fingerprint of what stands there now; `None` when it is kept in any case.
    pub(crate) replaced: Option<String>,
    /// Where the displaced folder goes, unless it has that fingerprint.
    pub(crate) trash: Place,
    pub(crate) lock: LockChange,
    /// What is removed at the end: the entry of the trash that was restored.
    pub(crate) consumed: Option<PathBuf>,
    /// The files of the new skill, once they are exchanged one by one.
    pub(crate) files: Option<Vec<RelativePath>>,
    /// Changes of the lock that are of skills before this one, and are not written yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) pending: Vec<EntryChange>,
}

/// The most changes of a lock that are written together. Each is in the journal of the skills after it.
const MOST_PENDING: usize = 64;

/// The folder of skills, and the hidden folder in it where changes are prepared: both open, so that every step
/// is made in the folders that were checked.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) skills: OpenFolder,
    pub(crate) work: OpenFolder,
    pub(crate) lock: Rc<dyn LockFormat>,
    /// What the journal on the disk says of the lock, once its skill is in place: the lock of thousands of skills is
    /// not written for each. Empty where the lock is written with every skill.
    pub(crate) pending: RefCell<Vec<EntryChange>>,
    /// Whether it is written later.
    pub(crate) defers: Cell<bool>,
    /// The folder in which each journal leaves an empty file of its digest. A repository that a person
    /// cloned can hold a journal; it cannot hold its witness.
    pub(crate) witnesses: PathBuf,
}

impl Site {
    fn witness(&self, journal: &[u8]) -> PathBuf {
        let digest = Digest::of(journal).to_string();
        self.witnesses.join(digest.trim_start_matches("sha256:"))
    }

    /// Refuses when one of the folders is no longer where it was opened.
    fn check(&self) -> Result<(), Error> {
        self.skills.check_path()?;
        let name = self.work.path().file_name().unwrap_or_default();
        self.work.check_in(&self.skills, name)
    }

    /// Waits until what was prepared and written down is on the disk, before anything is changed. Files are there
    /// already: this is for the folders that name them.
    fn sync(&self) -> Result<(), Error> {
        let synced = self.work.folder().sync_system();
        synced.map_err(|error| Error::io(self.work.path(), "cannot be written", error))
    }
}

impl Journal {
    /// Reads the journal of a work folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a journal that was not written with this folder of data.
    pub(crate) fn read(site: &Site) -> Result<Option<Self>, Error> {
        let path = site.work.path().join(JOURNAL);
        if !site.work.is_there(JOURNAL)? {
            return Ok(None);
        }
        let text = site.work.folder().text(Path::new(JOURNAL));
        let text = text.map_err(|error| Error::io(&path, "cannot be read", error))?;
        if !is_there(&site.witness(text.as_bytes())) {
            return Err(stranger(&path, site.work.path()));
        }
        let journal: Self = serde_json::from_str(&text).map_err(|error| damaged(&path, &error))?;
        if !matches!(journal.version, 1 | 2) {
            return Err(damaged(&path, &"another version of `skills` wrote it"));
        }
        skills_format::SkillName::new(&journal.name).map_err(|error| damaged(&path, &error))?;
        Ok(Some(journal))
    }

    fn write(&mut self, site: &Site) -> Result<(), Error> {
        // A program that knows version 1 alone would drop what is pending.
        self.version = if self.pending.is_empty() { 1 } else { 2 };
        let text = serde_json::to_vec_pretty(self).map_err(|error| {
            let path = site.work.path().join(JOURNAL);
            Error::new(ErrorKind::NotUtf8, format!("{}: {error}", path.shown()))
        })?;
        make_folder(&site.witnesses)?;
        replace_file(&site.witness(&text), b"")?;
        site.work.replace_file(JOURNAL, &text)?;
        site.sync()
    }

    /// Removes a journal, and then its witnesses.
    fn end(site: &Site) -> Result<(), Error> {
        site.work.remove(JOURNAL)?;
        remove(&site.witnesses)
    }

    /// Writes the journal and carries it out. When that fails before anything was changed, the
    /// journal goes away again.
    pub(crate) fn commit(mut self, site: &Site) -> Result<(), Error> {
        self.pending = site.pending.take();
        let done = self.write(site).and_then(|()| self.carry_out(site));
        if done.is_err() {
            // The journal on the disk, this or the one before, holds what is pending until the lock does.
            let written = lock::change(&site.skills, &*site.lock, &self.pending);
            if self.is_untouched(site) {
                written?;
                Self::end(site)?;
            }
        }
        done
    }

    /// Writes the lock with what is pending.
    pub(crate) fn flush(site: &Site) -> Result<(), Error> {
        let pending = site.pending.take();
        if pending.is_empty() {
            return Ok(());
        }
        lock::change(&site.skills, &*site.lock, &pending)?;
        Self::end(site)
    }

    /// Goes on where a killed process stopped.
    pub(crate) fn finish(mut self, site: &Site) -> Result<(), Error> {
        let done = self.carry_out(site);
        if done.is_err() && self.is_untouched(site) {
            lock::change(&site.skills, &*site.lock, &self.pending)?;
            return Self::end(site);
        }
        done.map_err(|error| {
            let help = format!(
                "a change of `{}` in {} was interrupted, and this must be possible to finish it",
                self.name,
                site.skills.path().shown()
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
        // The folder can have been moved away in the middle. Nothing else was changed then; the journal in it stays,
        // and a command at its new place finishes the change.
        site.check()?;
        let mut changes = self.pending.clone();
        changes.push((self.name.clone(), self.lock.clone()));
        let defers = site.defers.get() && changes.len() < MOST_PENDING;
        if !defers {
            lock::change(&site.skills, &*site.lock, &changes)?;
        }
        self.dispose(site)?;
        if let Some(consumed) = &self.consumed {
            remove(consumed)?;
        }
        if defers {
            // The journal stays, for what it says of the lock. After a kill it is carried out again, which changes
            // nothing more.
            site.pending.replace(changes);
            return Ok(());
        }
        Self::end(site)
    }

    /// The name of a folder of this change in the work folder.
    fn place(&self, kind: &str) -> String {
        format!("{kind}-{}", self.name)
    }

    fn displaced(&self) -> String {
        self.place(if self.files.is_some() { "copy" } else { "old" })
    }

    /// Whether `new-NAME` is the new skill and not yet the old one.
    fn is_new(&self, folder: &OpenFolder) -> Result<bool, Error> {
        let now = Snapshot::read_open(folder)?.fingerprint().to_string();
        Ok(self.new.as_ref() == Some(&now))
    }

    fn is_untouched(&self, site: &Site) -> bool {
        // What cannot be asked counts as touched: the journal stays.
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
        if !work.is_there(&new)? {
            return Ok(());
        }
        if work.kind(&new)? != Some(Kind::Folder) || !self.is_new(&work.child(&new)?)? {
            // Exchanged before a kill. What stood there need not have been a folder.
            return work.rename(&new, work, &old);
        }
        let staged = work.child(&new)?;
        if !skills.is_there(&self.name)? {
            work.rename(&new, skills, &self.name)?;
            return self.check_placed(site, &staged);
        }
        if work.is_there(&old)? {
            // Between two renames somebody made the folder again.
            self.dispose(site)?;
        }
        let (from, to) = (OsStr::new(&new), OsStr::new(&self.name));
        match work.folder().exchange(from, skills.folder(), to) {
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
                    // Where this fails too, the next run does it.
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

    /// Refuses when what came into place is not the folder that was prepared and read.
    fn check_placed(&self, site: &Site, staged: &OpenFolder) -> Result<(), Error> {
        let placed = site.skills.child(&self.name)?;
        if placed.is(staged) {
            return Ok(());
        }
        let message = format!("{} is not what was prepared", placed.path().shown());
        Err(Error::new(ErrorKind::Refused, message)
            .help("another program changes this folder: look at what stands there"))
    }

    /// The folder cannot be renamed: it is copied, that is written down, then each file is replaced.
    fn begin_files(&mut self, site: &Site) -> Result<(), Error> {
        self.copy_first(site)?;
        let new = Snapshot::read_open(&site.work.child(self.place("new"))?)?;
        self.files = Some(new.entries.keys().cloned().collect());
        self.write(site).inspect_err(|_| self.files = None)?;
        self.put_files(site)
    }

    fn copy_first(&self, site: &Site) -> Result<(), Error> {
        let copy = self.place("copy");
        site.work.remove(&copy)?;
        site.skills.copy(&self.name, &site.work, &copy)
    }

    fn put_files(&self, site: &Site) -> Result<(), Error> {
        let new = self.place("new");
        let target = site.skills.make_child(&self.name)?;
        let files = self.files.as_deref().unwrap_or_default();
        if site.work.is_there(&new)? {
            let new = site.work.child(&new)?;
            // What refers to the others comes last.
            let (entry, others): (Vec<_>, Vec<_>) =
                files.iter().partition(|path| is_skill_file(path));
            let mut copied = false;
            for path in others.into_iter().chain(entry) {
                copied |= move_file(&new, &target, path)? == Moved::Copied;
            }
            if copied {
                // Of two file systems, after a power loss, the one can have lost the copies and the other the files.
                let synced = target.folder().sync_system();
                synced.map_err(|error| Error::io(target.path(), "cannot be written", error))?;
            }
        }
        for path in Snapshot::read_open(&target)?.entries.keys() {
            if files.binary_search(path).is_err() {
                remove_file(&target, path.as_ref())?;
            }
        }
        site.work.remove(&new)
    }

    fn take(&mut self, site: &Site) -> Result<(), Error> {
        let old = self.place("old");
        if self.files.is_none() {
            // Somebody may have made the folder again after a kill: that one stays.
            if !site.skills.is_there(&self.name)? || site.work.is_there(&old)? {
                return Ok(());
            }
            match site.skills.rename(&self.name, &site.work, &old) {
                Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
                renamed => return renamed,
            }
            self.copy_first(site)?;
            self.files = Some(Vec::new());
            self.write(site).inspect_err(|_| self.files = None)?;
        }
        site.skills.remove(&self.name)
    }

    /// The displaced folder goes to the trash when it is to be kept, or when it is not what was
    /// looked at before.
    fn dispose(&self, site: &Site) -> Result<(), Error> {
        let name = self.displaced();
        let is_known = self.replaced.as_ref().is_some_and(|replaced| {
            let now = site.work.child(&name);
            let now = now.and_then(|folder| Snapshot::read_open(&folder));
            now.is_ok_and(|now| now.fingerprint().to_string() == *replaced)
        });
        if is_known {
            site.work.remove(name)
        } else {
            self.trash.receive(&site.work, &name)
        }
    }
}

/// What was done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    /// It was moved, now or before.
    Whole,
    /// It was copied, since the skill's folder is mounted by itself. The other copy is still there.
    Copied,
}

/// Moves one file to its place in a folder, over what stands there. A missing file was moved before.
fn move_file(from: &OpenFolder, to: &OpenFolder, path: &str) -> Result<Moved, Error> {
    let path = Path::new(path);
    let (above, name) = (path.parent(), path.file_name().unwrap_or_default());
    let above = above.unwrap_or(Path::new(""));
    let from = match from.below(above) {
        Err(error) if error.is_not_found() => return Ok(Moved::Whole),
        from => from?,
    };
    if !from.is_there(name)? {
        return Ok(Moved::Whole);
    }
    let to = to.make_below(above, Obstacle::Removed)?;
    if to.kind(name)? == Some(Kind::Folder) {
        to.remove(name)?;
    }
    match from.rename(name, &to, name) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            from.copy(name, &to, name).map(|()| Moved::Copied)
        }
        renamed => renamed.map(|()| Moved::Whole),
    }
}

/// Removes a file of a folder, and the folders above it that are empty without it.
fn remove_file(root: &OpenFolder, path: &Path) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default();
    let above = path.parent().unwrap_or(Path::new(""));
    root.below(above)?.remove(name)?;
    for path in above.ancestors() {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            break;
        };
        // It is not empty, or it cannot be removed, which harms nobody.
        if root.below(above)?.folder().remove_folder(name).is_err() {
            break;
        }
    }
    Ok(())
}

fn stranger(path: &Path, folder: &Path) -> Error {
    let message = format!(
        "{} describes a change that was not begun with this folder of data: another person or another machine wrote it",
        path.shown()
    );
    Error::new(ErrorKind::Refused, message)
        .help(format_args!("look at {}, then remove it", folder.shown()))
}

fn damaged(path: &Path, why: &dyn std::fmt::Display) -> Error {
    let message = format!("{} cannot be read: {why}", path.shown());
    Error::new(ErrorKind::Damaged, message)
        .help("look at the folders beside it: `new-…` is the new skill, `old-…` the old one; then remove it")
}
