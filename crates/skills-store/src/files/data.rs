//! The folder of data: the store, the trash, temporary folders, and the locks that are known.

use crate::error::Error;
use crate::files::copy::replace_file;
use crate::files::guard::Guard;
use crate::files::lock::LockEntry;
use crate::files::store::{Collected, Removal, Store};
use crate::files::trash::Trash;
use skills_format::Digest;
use skills_format::disk::resolved;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// `<data>/skills`, whether it is there or not.
#[derive(Clone, Debug)]
pub struct DataFolder {
    root: PathBuf,
}

impl DataFolder {
    /// The folder of data that belongs to skills.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Skills as they were installed.
    pub fn store(&self) -> Store {
        Store::new(self.root.join("store"))
    }

    /// Skills that were removed or replaced.
    pub fn trash(&self) -> Trash {
        Trash::new(self.root.join("trash"))
    }

    /// Where changes wait for a person.
    pub fn proposals(&self) -> PathBuf {
        self.root.join("proposals")
    }

    /// Where the attempts to improve skills are written down.
    pub fn history(&self) -> PathBuf {
        self.root.join("history")
    }

    /// Where temporary folders are made.
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where the journals of a folder of skills are witnessed: only what this person's programs wrote
    /// down is carried out.
    pub fn witnesses(&self, target: &Path) -> PathBuf {
        let target = resolved(target);
        let digest = Digest::of(target.as_os_str().as_encoded_bytes()).to_string();
        let name = digest.trim_start_matches("sha256:");
        self.root.join("journals").join(name)
    }

    /// Notes a folder whose lock was written, so that the store keeps what the lock names.
    pub fn note(&self, target: &Path) -> Result<(), Error> {
        let mut known = self.known()?;
        if known.contains(target) {
            return Ok(());
        }
        let _guard = Guard::wait(&self.root.join(".locks"), &|_, _| {})?;
        known.extend(self.known()?);
        known.insert(target.to_owned());
        known.retain(|folder| folder.is_dir());
        let lines: Vec<String> = known
            .iter()
            .filter_map(|folder| Some(folder.to_str()?.to_owned() + "\n"))
            .collect();
        replace_file(&self.list(), lines.concat().as_bytes())
    }

    /// The folders whose locks were written.
    ///
    /// # Errors
    ///
    /// A list that cannot be read. It is not taken for empty: the store would lose what its folders name.
    pub fn known(&self) -> Result<BTreeSet<PathBuf>, Error> {
        let list = self.list();
        match fs::read_to_string(&list) {
            Ok(text) => Ok(text.lines().map(PathBuf::from).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(Error::io(&list, "cannot be read", error).help(
                "correct its rights, or remove it: the next install in a folder notes it again",
            )),
        }
    }

    fn list(&self) -> PathBuf {
        self.root.join("locks.txt")
    }

    /// Removes versions from the store that no known lock and nothing in the trash names, and that
    /// are not among `kept`. `locked` gives the digests that the lock of a folder of skills names.
    ///
    /// # Errors
    ///
    /// A known lock that cannot be read stops it: what that lock names is not known.
    pub fn collect(
        &self,
        mut kept: BTreeSet<Digest>,
        locked: impl Fn(&Path) -> Result<Vec<Digest>, Error>,
        removal: Removal,
    ) -> Result<Collected, Error> {
        for target in self.known()?.iter().filter(|target| target.is_dir()) {
            kept.extend(locked(target)?);
        }
        for trashed in self.trash().list()? {
            let entry = trashed.record.entry.as_ref();
            kept.extend(entry.and_then(LockEntry::digest));
        }
        self.store().collect(&kept, removal)
    }
}
