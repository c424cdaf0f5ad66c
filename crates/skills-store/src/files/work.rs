//! The hidden work folder, in which changes of a folder of skills are prepared by one process at a time.

use crate::error::{Error, ErrorKind};
use crate::files::data::DataFolder;
use crate::files::folder::{Durable, OpenFolder};
use crate::files::guard::{Guard, Waiting};
pub use crate::files::journal::JOURNAL;
use crate::files::journal::{Journal, Site};
use crate::files::lock::{LOCK_FILE, LockChange, LockFormat};
use crate::files::snapshot::{Seen, Snapshot};
use crate::files::target::{make_target, open_target};
use crate::files::trash::Place;
use skills_format::disk::Kind;
use skills_format::prose;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The name of the work folder, in the folder of skills.
pub const WORK_FOLDER: &str = ".skills-work";
/// The name of the lock file, in the work folder.
pub(crate) const LOCK: &str = "lock";

/// A folder of skills that only this process changes.
#[derive(Debug)]
pub struct Work {
    site: Site,
    guard: Option<Guard>,
}

/// Finishes the change of a killed process in a folder of skills. If a link leaves the repository nothing is
/// finished: such a folder is only read.
///
/// # Errors
///
/// If the change cannot be finished, or was recorded by another user.
pub fn finish(target: &Path, data: &DataFolder, lock: Rc<dyn LockFormat>) -> Result<(), Error> {
    match open_target(target) {
        Err(error) if error.kind() == ErrorKind::Refused => Ok(()),
        skills => match skills? {
            Some(skills) => finish_left(target, skills, data, lock),
            None => Ok(()),
        },
    }
}

fn finish_left(
    target: &Path,
    skills: OpenFolder,
    data: &DataFolder,
    lock: Rc<dyn LockFormat>,
) -> Result<(), Error> {
    refuse_link(&skills)?;
    let work = match skills.child(WORK_FOLDER) {
        Err(error) if error.is_not_found() => return Ok(()),
        work => work?,
    };
    if work.is_there(JOURNAL)? {
        // Waits for a running process too: until its change is done, a reader may find no skill at all.
        drop(Work::open(target, data, lock, &|_, _| {})?);
    } else if let Ok(Some(guard)) = Guard::try_once_in(&skills, WORK_FOLDER, LOCK) {
        // A running process holds the lock, and is not waited for. With a free lock the folder was left by a kill.
        drop(Work::of(skills, data, guard, lock)?);
    }
    Ok(())
}

/// Rejects a link in the place of the work folder: the sweep would empty its target.
fn refuse_link(skills: &OpenFolder) -> Result<(), Error> {
    if matches!(skills.kind(WORK_FOLDER)?, None | Some(Kind::Folder)) {
        return Ok(());
    }
    let folder = skills.path().join(WORK_FOLDER);
    let message = prose!("{} is not a folder", &folder);
    Err(Error::new(ErrorKind::Refused, message)
        .help("look at the item at this path, then remove the item"))
}

/// A change of one skill.
pub struct SkillChange<'c> {
    /// The name of the skill, which is also the name of its folder.
    pub name: &'c str,
    /// The present version, as the plan saw it.
    pub before: Option<Seen>,
    /// Decides whether the present version is kept.
    pub keep: Keep,
    /// The place for the displaced folder.
    pub trash: Place,
    /// The change of the lock entry.
    pub lock: LockChange,
    /// The entry of the trash that is restored.
    pub consumed: Option<PathBuf>,
}

/// The treatment of the displaced folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The folder goes to the trash.
    InTrash,
    /// The folder is removed: its files are in the store, or in the new folder.
    No,
}

impl Work {
    /// Opens a folder of skills, which is made if it is missing. Waits for its lock, finishes the change of a killed
    /// process, and removes its rest.
    pub fn open(
        target: &Path,
        data: &DataFolder,
        lock: Rc<dyn LockFormat>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let skills = make_target(target)?;
        refuse_link(&skills)?;
        let guard = Guard::wait_in(&skills, WORK_FOLDER, LOCK, waiting)?;
        let work = Self::of(skills, data, guard, lock)?;
        work.settle()?;
        work.sweep()?;
        Ok(work)
    }

    /// Finishes the change in the journal, if there is one: of a killed process, or of the previous skill, if its
    /// change failed midway.
    fn settle(&self) -> Result<(), Error> {
        if !self.site.pending.borrow().is_empty() {
            // The journal belongs to this run, and its skill is in place.
            return Ok(());
        }
        match Journal::read(&self.site)? {
            Some(journal) => journal.finish(&self.site),
            None => Ok(()),
        }
    }

    fn of(
        skills: OpenFolder,
        data: &DataFolder,
        guard: Guard,
        lock: Rc<dyn LockFormat>,
    ) -> Result<Self, Error> {
        Ok(Self {
            site: Site {
                witnesses: data.witnesses(skills.path()),
                work: guard.folder().again()?,
                skills,
                lock,
                pending: RefCell::default(),
                defers: Cell::new(false),
                together: RefCell::default(),
            },
            guard: Some(guard),
        })
    }

    /// Returns the path of the folder of skills.
    pub fn target(&self) -> &Path {
        self.site.skills.path()
    }

    /// Returns the folder of skills.
    #[doc(hidden)]
    pub fn skills(&self) -> &OpenFolder {
        &self.site.skills
    }

    /// Collects the lock changes of many skills from now on, until [`Work::flush`] writes the lock. After a kill the
    /// journal has the missing changes.
    pub fn defer_lock(&self) {
        self.site.defers.set(true);
    }

    /// Returns the names of the skills that are in place and missing in the lock.
    pub fn pending(&self) -> Vec<String> {
        let pending = self.site.pending.borrow();
        pending.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Writes the collected changes to the lock.
    ///
    /// # Errors
    ///
    /// If the lock cannot be written. The next command in this folder tries again.
    pub fn flush(&self) -> Result<(), Error> {
        Journal::flush(&self.site)
    }

    /// Puts many skills into place, with one journal and one wait for the disk. Returns the result of each, in order. The
    /// failure of one stops no other.
    pub fn put_all(&self, all: Vec<(&Snapshot, SkillChange<'_>)>) -> Vec<Result<(), Error>> {
        if all.len() == 1 {
            return all
                .into_iter()
                .map(|(new, change)| self.put(new, change))
                .collect();
        }
        let mut results = Vec::new();
        let mut journals = Vec::new();
        let ready = self.flush().and_then(|()| self.settle());
        for (new, change) in all {
            let staged = match &ready {
                Ok(()) => self.stage(new, change, Durable::of_many()),
                Err(error) => Err(Error::new(error.kind(), error)
                    .help(error.remedy_or("run the same command again"))),
            };
            results.push(staged.map(|journal| journals.push(journal)));
        }
        if journals.is_empty() {
            return results;
        }
        // Before the journal: after a power loss, a journal must not find half of what it names.
        let mut done = match self.site.sync() {
            Ok(()) => Journal::commit_all(journals, &self.site),
            Err(error) => {
                let again = |_| {
                    Err(Error::new(error.kind(), &error)
                        .help(error.remedy_or("run the same command again")))
                };
                journals.into_iter().map(again).collect()
            }
        }
        .into_iter();
        let is_staged = |result: &&mut Result<(), Error>| result.is_ok();
        for result in results.iter_mut().filter(is_staged) {
            *result = done.next().unwrap_or(Ok(()));
        }
        if results.iter().any(Result::is_err) {
            // The first errors are reported. What stays is swept by the next process that works here.
            let _ = self.sweep();
        }
        results
    }

    /// Prepares the new version of a skill, and returns the journal of its change.
    fn stage(
        &self,
        new: &Snapshot,
        mut change: SkillChange<'_>,
        durable: Durable,
    ) -> Result<Journal, Error> {
        if change.before.is_some_and(|before| before.is_repository) {
            // A snapshot holds no `.git`, so without the trash the repository would be lost.
            change.keep = Keep::InTrash;
        }
        // After `settle`, which may have changed the skill, and under the lock of the folder.
        self.check_before(&change)?;
        let place = self.free_place(&change)?;
        let folder = self.site.work.make_child(&place)?;
        new.write_open(&folder, durable)?;
        Ok(Self::journal(Some(new), change))
    }

    /// Puts a skill into place, over the present version.
    pub fn put(&self, new: &Snapshot, change: SkillChange<'_>) -> Result<(), Error> {
        self.settle()?;
        let staged = self.stage(new, change, Durable::Yes);
        let done = staged.and_then(|journal| journal.commit(&self.site));
        self.clean_unless_pending(done)
    }

    /// Puts a copy of a folder into place, over the present version.
    pub fn put_folder(&self, from: &Path, change: SkillChange<'_>) -> Result<(), Error> {
        self.settle()?;
        self.check_before(&change)?;
        let place = self.free_place(&change)?;
        let work = &self.site.work;
        let (above, name) = OpenFolder::above(from)?;
        let staged = above
            .copy(name, work, &place)
            .and_then(|()| Snapshot::read_open(&work.child(&place)?));
        let done = staged.and_then(|new| Self::journal(Some(&new), change).commit(&self.site));
        self.clean_unless_pending(done)
    }

    /// Removes a skill.
    pub fn take(&self, change: SkillChange<'_>) -> Result<(), Error> {
        self.settle()?;
        // Without `check_before`: a folder that has changed since the plan goes to the trash (`Journal::dispose`).
        let done = Self::journal(None, change).commit(&self.site);
        self.clean_unless_pending(done)
    }

    fn journal(new: Option<&Snapshot>, change: SkillChange<'_>) -> Journal {
        Journal {
            version: 1,
            name: change.name.to_owned(),
            new: new.map(|new| new.fingerprint().to_string()),
            replaced: match (change.before, change.keep) {
                // The place is empty, and no folder has the empty fingerprint.
                (None, Keep::No) => Some(String::new()),
                (Some(before), Keep::No) => Some(before.fingerprint.to_string()),
                (_, Keep::InTrash) => None,
            },
            trash: change.trash,
            lock: change.lock,
            consumed: change.consumed,
            files: None,
            pending: Vec::new(),
            with: Vec::new(),
        }
    }

    /// Returns the name of the folder in which a skill is prepared, after removing an old folder of that name.
    fn free_place(&self, change: &SkillChange<'_>) -> Result<String, Error> {
        let place = format!("new-{}", change.name);
        // A failed change can have left the folder: while a journal is there, nothing is swept.
        self.site.work.remove(&place)?;
        Ok(place)
    }

    /// Fails if the skill is no longer the version that the plan saw.
    fn check_before(&self, change: &SkillChange<'_>) -> Result<(), Error> {
        let skills = &self.site.skills;
        let same = match change.before {
            // With `InTrash` a folder that appeared meanwhile is kept, so it need not stop the change.
            None => !skills.is_there(change.name)? || change.keep == Keep::InTrash,
            Some(before) => Snapshot::read_open(&skills.child(change.name)?)?.seen() == before,
        };
        if same {
            return Ok(());
        }
        let path = skills.path().join(change.name);
        let message = prose!("{} was changed meanwhile", &path);
        Err(Error::new(ErrorKind::Refused, message).help("run the same command again"))
    }

    fn clean_unless_pending(&self, done: Result<(), Error>) -> Result<(), Error> {
        if done.is_err() {
            // The first error is reported. What stays is swept by the next process that works here.
            let _ = self.sweep();
        }
        done
    }

    /// Removes prepared folders, unless a journal still needs them.
    fn sweep(&self) -> Result<(), Error> {
        let Site { skills, work, .. } = &self.site;
        if work.is_there(JOURNAL)? {
            return Ok(());
        }
        for name in work.names()? {
            if name != LOCK {
                work.remove(name)?;
            }
        }
        // The other rest of a kill: new files of the lock, which are written beside the lock before their rename.
        let leftover = format!(".{LOCK_FILE}.");
        for name in skills.names()? {
            if name.starts_with(&leftover) && name.ends_with('~') {
                skills.remove(name)?;
            }
        }
        Ok(())
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // Before the lock is released: afterwards the sweep could remove what another process prepares. An error cannot
        // be returned from here; what stays is swept by the next process that works here.
        let _ = self.sweep();
        if let Some(guard) = self.guard.take() {
            guard.remove();
        }
    }
}

#[cfg(test)]
mod tests;
