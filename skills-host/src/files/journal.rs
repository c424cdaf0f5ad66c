//! A change of one skill that is carried out to its end, whoever is killed meanwhile.
//!
//! Names in the work folder: `new-NAME` is the skill as it will be, `old-NAME` the one that it
//! displaced, `copy-NAME` the same where the folder cannot be renamed.

use crate::error::{Error, ErrorKind};
use crate::files::copy::{
    copy_whole, is_there, make_folder, move_file, remove, remove_empty_above, rename, replace_file,
};
use crate::files::exchange::{Exchanged, exchange};
use crate::files::lock::{self, LockChange};
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::trash::Place;
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use skills_format::disk::read_text;
use skills_format::text::path::PathText as _;
use std::path::{Path, PathBuf};

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
}

/// The folder of skills, and the hidden folder in it where changes are prepared.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) target: PathBuf,
    pub(crate) folder: PathBuf,
    /// The folder in which each journal leaves an empty file of its digest. A repository that a person
    /// cloned can hold a journal; it cannot hold its witness.
    pub(crate) witnesses: PathBuf,
}

impl Site {
    fn witness(&self, journal: &[u8]) -> PathBuf {
        let digest = Digest::of(journal).to_string();
        self.witnesses.join(digest.trim_start_matches("sha256:"))
    }
}

impl Journal {
    /// Reads the journal of a work folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a journal that was not written with this folder of data.
    pub(crate) fn read(site: &Site) -> Result<Option<Self>, Error> {
        let path = site.folder.join(JOURNAL);
        if !is_there(&path) {
            return Ok(None);
        }
        let text = read_text(&path).map_err(|error| Error::io(&path, "cannot be read", error))?;
        if !is_there(&site.witness(text.as_bytes())) {
            return Err(stranger(&path, &site.folder));
        }
        let journal: Self = serde_json::from_str(&text).map_err(|error| damaged(&path, &error))?;
        if journal.version != 1 {
            return Err(damaged(&path, &"another version of `skills` wrote it"));
        }
        skills_format::SkillName::new(&journal.name).map_err(|error| damaged(&path, &error))?;
        Ok(Some(journal))
    }

    fn write(&self, site: &Site) -> Result<(), Error> {
        let path = site.folder.join(JOURNAL);
        let text = serde_json::to_vec_pretty(self).map_err(|error| {
            Error::new(ErrorKind::NotUtf8, format!("{}: {error}", path.shown()))
        })?;
        make_folder(&site.witnesses)?;
        replace_file(&site.witness(&text), b"")?;
        replace_file(&path, &text)
    }

    /// Removes a journal, and then its witnesses.
    fn end(site: &Site) -> Result<(), Error> {
        remove(&site.folder.join(JOURNAL))?;
        remove(&site.witnesses)
    }

    /// Writes the journal and carries it out. When that fails before anything was changed, the
    /// journal goes away again.
    pub(crate) fn commit(mut self, site: &Site) -> Result<(), Error> {
        self.write(site)?;
        let done = self.carry_out(site);
        if done.is_err() && self.is_untouched(site) {
            Self::end(site)?;
        }
        done
    }

    /// Goes on where a killed process stopped.
    pub(crate) fn finish(mut self, site: &Site) -> Result<(), Error> {
        let done = self.carry_out(site);
        if done.is_err() && self.is_untouched(site) {
            return Self::end(site);
        }
        done.map_err(|error| {
            let help = format!(
                "a change of `{}` in {} was interrupted, and this must be possible to finish it",
                self.name,
                site.target.shown()
            );
            error.help(help)
        })
    }

    fn carry_out(&mut self, site: &Site) -> Result<(), Error> {
        match &self.new {
            Some(_) => self.put(site)?,
            None => self.take(site)?,
        }
        lock::change(&site.target, &self.name, &self.lock)?;
        self.dispose(site)?;
        if let Some(consumed) = &self.consumed {
            remove(consumed)?;
        }
        Self::end(site)
    }

    fn place(&self, site: &Site, kind: &str) -> PathBuf {
        site.folder.join(format!("{kind}-{}", self.name))
    }

    fn displaced(&self, site: &Site) -> PathBuf {
        self.place(site, if self.files.is_some() { "copy" } else { "old" })
    }

    /// Whether `new-NAME` is the new skill and not yet the old one.
    fn is_new(&self, folder: &Path) -> Result<bool, Error> {
        let now = Snapshot::read(folder)?.fingerprint().to_string();
        Ok(self.new.as_ref() == Some(&now))
    }

    fn is_untouched(&self, site: &Site) -> bool {
        let (new, old) = (self.place(site, "new"), self.place(site, "old"));
        let there = is_there(&site.target.join(&self.name));
        self.files.is_none()
            && !is_there(&old)
            && match &self.new {
                None => there,
                Some(_) => self.is_new(&new).unwrap_or(false) && there == self.expects_something(),
            }
    }

    fn expects_something(&self) -> bool {
        self.replaced.as_deref() != Some("")
    }

    fn put(&mut self, site: &Site) -> Result<(), Error> {
        if self.files.is_some() {
            return self.put_files(site);
        }
        let target = site.target.join(&self.name);
        let (new, old) = (self.place(site, "new"), self.place(site, "old"));
        if !is_there(&new) {
            return Ok(());
        }
        if !self.is_new(&new)? {
            // Exchanged before a kill.
            return same_system(rename(&new, &old)?, &new);
        }
        if !is_there(&target) {
            return same_system(rename(&new, &target)?, &new);
        }
        if is_there(&old) {
            // Between two renames somebody made the folder again.
            self.dispose(site)?;
        }
        let failed = |error| Error::io(&target, "cannot be exchanged", error);
        match exchange(&new, &target).map_err(failed)? {
            Exchanged::Done => same_system(rename(&new, &old)?, &new),
            Exchanged::CrossDevice => self.begin_files(site),
            Exchanged::Unsupported => {
                if !rename(&target, &old)? {
                    return self.begin_files(site);
                }
                rename(&new, &target)
                    .and_then(|renamed| same_system(renamed, &new))
                    .inspect_err(|_| {
                        // Where this fails too, the next run does it.
                        let _ = rename(&old, &target);
                    })
            }
        }
    }

    /// The folder cannot be renamed: it is copied, that is written down, then each file is replaced.
    fn begin_files(&mut self, site: &Site) -> Result<(), Error> {
        self.copy_first(site)?;
        let new = Snapshot::read(&self.place(site, "new"))?;
        self.files = Some(new.entries.keys().cloned().collect());
        self.write(site).inspect_err(|_| self.files = None)?;
        self.put_files(site)
    }

    fn copy_first(&self, site: &Site) -> Result<(), Error> {
        let copy = self.place(site, "copy");
        remove(&copy)?;
        copy_whole(&site.target.join(&self.name), &copy)
    }

    fn put_files(&self, site: &Site) -> Result<(), Error> {
        let target = site.target.join(&self.name);
        let new = self.place(site, "new");
        let files = self.files.as_deref().unwrap_or_default();
        // What refers to the others comes last.
        let (entry, others): (Vec<_>, Vec<_>) = files.iter().partition(|path| is_skill_file(path));
        for path in others.into_iter().chain(entry) {
            let from = new.join(path);
            if is_there(&from) {
                move_file(&from, &target, path)?;
            }
        }
        for path in Snapshot::read(&target)?.entries.keys() {
            if files.binary_search(path).is_err() {
                remove(&target.join(path))?;
                remove_empty_above(&target, path);
            }
        }
        remove(&new)
    }

    fn take(&mut self, site: &Site) -> Result<(), Error> {
        let target = site.target.join(&self.name);
        let old = self.place(site, "old");
        if self.files.is_none() {
            // Somebody may have made the folder again after a kill: that one stays.
            if !is_there(&target) || is_there(&old) || rename(&target, &old)? {
                return Ok(());
            }
            self.copy_first(site)?;
            self.files = Some(Vec::new());
            self.write(site).inspect_err(|_| self.files = None)?;
        }
        remove(&target)
    }

    /// The displaced folder goes to the trash when it is to be kept, or when it is not what was
    /// looked at before.
    fn dispose(&self, site: &Site) -> Result<(), Error> {
        let folder = self.displaced(site);
        let is_known = self.replaced.as_ref().is_some_and(|replaced| {
            Snapshot::read(&folder).is_ok_and(|now| now.fingerprint().to_string() == *replaced)
        });
        if is_known {
            remove(&folder)
        } else {
            self.trash.receive(&folder)
        }
    }
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

/// Renames within one folder of skills stay on one file system.
fn same_system(renamed: bool, path: &Path) -> Result<(), Error> {
    if renamed {
        return Ok(());
    }
    let error = std::io::Error::from(std::io::ErrorKind::CrossesDevices);
    Err(Error::io(path, "cannot be renamed", error))
}
