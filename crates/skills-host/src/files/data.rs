//! The data folder: the store, the trash, temporary folders, and the list of known locks.

use crate::files::copy::replace_file;
use crate::files::guard::Guard;
use crate::files::store::Store;
use crate::files::target::name_of;
use crate::files::trash::Trash;
use skills_store::Error;
use skills_store::disk::read_text;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum length of the list of known locks, in bytes.
const MAX_LIST: u64 = 16 << 20;

/// The data folder, `<data>/skills`, which need not exist.
#[derive(Clone, Debug)]
pub struct DataFolder {
    root: PathBuf,
}

impl DataFolder {
    /// Returns the data folder of a path. Writes nothing.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Returns the store of installed versions.
    pub fn store(&self) -> Store {
        Store::new(self.root.join("store"))
    }

    /// Returns the trash of removed and replaced skills.
    pub fn trash(&self) -> Trash {
        Trash::new(self.root.join("trash"))
    }

    /// Returns the folder of proposals.
    pub fn proposals(&self) -> PathBuf {
        self.root.join("proposals")
    }

    /// Returns the file of the pinned skills.
    pub fn pins(&self) -> PathBuf {
        self.root.join("pins.json")
    }

    /// Returns the folder of the records of improvements.
    pub fn history(&self) -> PathBuf {
        self.root.join("history")
    }

    /// Returns the folder of the records of scheduled runs.
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// Returns the folder for temporary folders.
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Returns the folder with the witnesses of journals for a folder of skills. Only a journal with a witness is
    /// carried out: another user cannot write a witness.
    pub fn witnesses(&self, target: &Path) -> PathBuf {
        self.root.join("journals").join(name_of(target))
    }

    /// Records a folder whose lock is written, so that the store keeps the versions in that lock.
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

    /// Returns the folders whose locks were written.
    ///
    /// # Errors
    ///
    /// If the list cannot be read. It must not count as empty: the store would lose the versions of its folders.
    pub fn known(&self) -> Result<BTreeSet<PathBuf>, Error> {
        let list = self.list();
        match read_text(&list, MAX_LIST) {
            Ok(text) => Ok(text.lines().map(PathBuf::from).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(Error::io(&list, "cannot be read", error).help(
                "correct its permissions, or remove it: the next install in a folder notes it again",
            )),
        }
    }

    fn list(&self) -> PathBuf {
        self.root.join("locks.txt")
    }
}
