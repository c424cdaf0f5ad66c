//! The hidden work folder, in which changes of a folder of skills are prepared by one process at a time.

use crate::files::again;
use crate::files::data::DataFolder;
use crate::files::folder::{Durable, OpenFolder};
use crate::files::guard::{Guard, Waiting};
pub use crate::files::journal::JOURNAL;
use crate::files::journal::{Change, Journal, Site};
use crate::files::lock::{LockChange, read_open};
use crate::files::snapshot::{Seen, Snapshot};
use crate::files::target::{make_target, open_target};
use crate::files::trash::Place;
use skills_compiler::LOCK_FILE;
use skills_format::disk::Kind;
use skills_format::prose;
use skills_repository::Lock;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

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
pub fn finish(target: &Path, data: &DataFolder) -> Result<(), Error> {
    match open_target(target) {
        Err(error) if error.kind() == ErrorKind::Refused => Ok(()),
        skills => match skills? {
            Some(skills) => finish_left(target, skills, data),
            None => Ok(()),
        },
    }
}

fn finish_left(target: &Path, skills: OpenFolder, data: &DataFolder) -> Result<(), Error> {
    refuse_link(&skills)?;
    let work = match skills.child(WORK_FOLDER) {
        Err(error) if error.is_not_found() => return Ok(()),
        work => work?,
    };
    if work.is_there(JOURNAL)? {
        // Waits for a running process too: until its change is done, a reader may find no skill at all.
        drop(Work::open(target, data, &|_, _| {})?);
    } else if let Ok(Some(guard)) = Guard::try_once_in(&skills, WORK_FOLDER, LOCK) {
        // A running process holds the lock, and is not waited for. With a free lock the folder was left by a kill.
        drop(Work::of(skills, data, guard)?);
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

/// Returns whether a process that was killed has left a change in a folder of skills. Waits for nothing, and writes nothing.
///
/// # Errors
///
/// [`ErrorKind::Refused`]: another person or another machine began the change. [`ErrorKind::Damaged`]: the record of
/// the change cannot be read. [`ErrorKind::Io`]: the folder cannot be read.
pub fn is_interrupted(target: &Path, data: &DataFolder) -> Result<bool, Error> {
    let skills = match open_target(target) {
        // Nothing is changed there.
        Err(error) if error.kind() == ErrorKind::Refused => None,
        skills => skills?,
    };
    let Some(skills) = skills else {
        return Ok(false);
    };
    let work = match skills.child(WORK_FOLDER) {
        Err(error) if error.is_not_found() => return Ok(false),
        work => work?,
    };
    // First whether the file exists: to try the lock would create it.
    let is_running =
        work.is_there(LOCK)? && matches!(Guard::try_once_in(&skills, WORK_FOLDER, LOCK), Ok(None));
    Ok(!is_running && Journal::read(&work, &data.witnesses(skills.path()))?.is_some())
}

/// The new version of a skill.
pub enum New<'n> {
    /// These files.
    Files(&'n Snapshot),
    /// A copy of this folder.
    Copy(&'n Path),
    /// None: the skill is removed.
    Nothing,
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
    pub fn open(target: &Path, data: &DataFolder, waiting: Waiting<'_>) -> Result<Self, Error> {
        let skills = make_target(target)?;
        refuse_link(&skills)?;
        let guard = Guard::wait_in(&skills, WORK_FOLDER, LOCK, waiting)?;
        let work = Self::of(skills, data, guard)?;
        work.settle()?;
        work.sweep()?;
        Ok(work)
    }

    /// Finishes the changes in the journal, if there is one: of a killed process, or of this one, if they failed midway.
    fn settle(&self) -> Result<(), Error> {
        match Journal::read(&self.site.work, &self.site.witnesses)? {
            Some(journal) => journal.finish(&self.site),
            None => Ok(()),
        }
    }

    fn of(skills: OpenFolder, data: &DataFolder, guard: Guard) -> Result<Self, Error> {
        Ok(Self {
            site: Site {
                witnesses: data.witnesses(skills.path()),
                work: guard.folder().again()?,
                skills,
            },
            guard: Some(guard),
        })
    }

    /// Returns the present lock on the disk.
    pub fn lock(&self) -> Result<Lock, Error> {
        read_open(&self.site.skills)
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

    /// Makes many changes, with one journal and one wait for the disk. Returns the result of each, in order. The failure of one
    /// stops no other.
    pub fn make(&self, all: Vec<(New<'_>, SkillChange<'_>)>) -> Vec<Result<(), Error>> {
        let mut results = Vec::new();
        let mut changes = Vec::new();
        let ready = self.settle();
        for (new, change) in all {
            let staged = match &ready {
                Ok(()) => self.stage(&new, change),
                Err(error) => Err(again(error)),
            };
            results.push(staged.map(|change| changes.push(change)));
        }
        let count = changes.len();
        let mut done = if count == 0 {
            Vec::new()
        } else {
            // Before the journal: after a power loss, a journal must not find half of what it names.
            match self.site.sync() {
                Ok(()) => Journal::new(changes).commit(&self.site),
                Err(error) => (0..count).map(|_| Err(again(&error))).collect(),
            }
        }
        .into_iter();
        for result in results.iter_mut().filter(|result| result.is_ok()) {
            *result = done.next().unwrap_or(Ok(()));
        }
        if results.iter().any(Result::is_err) {
            // The first errors are reported. What stays is swept by the next process that works here.
            let _ = self.sweep();
        }
        results
    }

    /// Puts the files of a skill into place, over the present version.
    pub fn put(&self, new: &Snapshot, change: SkillChange<'_>) -> Result<(), Error> {
        let mut done = self.make(vec![(New::Files(new), change)]);
        done.pop().unwrap_or(Ok(()))
    }

    /// Prepares the new version of a skill, and returns its change.
    fn stage(&self, new: &New<'_>, mut change: SkillChange<'_>) -> Result<Change, Error> {
        let work = &self.site.work;
        let place = format!("new-{}", change.name);
        let new = match new {
            // A folder that has changed since the plan goes to the trash.
            New::Nothing => None,
            New::Files(files) => {
                if change.before.is_some_and(|before| before.is_repository) {
                    // A snapshot holds no `.git`, so without the trash the repository would be lost.
                    change.keep = Keep::InTrash;
                }
                self.check_before(&change)?;
                // A failed change can have left the folder: while a journal is there, nothing is swept.
                work.remove(&place)?;
                files.write_open(&work.make_child(&place)?, Durable::of_many())?;
                Some(files.fingerprint())
            }
            New::Copy(from) => {
                self.check_before(&change)?;
                work.remove(&place)?;
                let (above, name) = OpenFolder::above(from)?;
                above.copy(name, work, &place)?;
                Some(Snapshot::read_open(&work.child(&place)?)?.fingerprint())
            }
        };
        Ok(Change {
            name: change.name.to_owned(),
            new: new.map(|new| new.to_string()),
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
        })
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
