//! Detects writes of an agent beside its copy: compares the folder of skills, with a repository in it, before and after
//! the run. A repository around the folder is not compared.

use skills_format::Prose;
use skills_host::files::work::WORK_FOLDER;
use skills_store::Error;
use skills_store::files::copy::{is_absent, list};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Maximum number of compared entries.
const MOST: usize = 1_000_000;

/// A snapshot of the folder of skills.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    entries: BTreeMap<PathBuf, Stamp>,
}

/// The metadata of an entry. Changed bytes change the last field, which no program can set.
type Stamp = (u64, Option<std::time::SystemTime>, bool, (i64, i64, u64));

impl Surroundings {
    pub(crate) fn read(target: &Path) -> Result<Self, Error> {
        let mut all = Self::default();
        all.walk(target)?;
        Ok(all)
    }

    /// Describes the differences from an earlier snapshot: the first, and the number of further ones.
    pub(crate) fn changed_since(&self, before: &Self) -> Option<Prose> {
        let new = self.entries.iter();
        let new = new.filter(|(path, stamp)| before.entries.get(*path) != Some(*stamp));
        let gone = before.entries.iter();
        let gone = gone.filter(|(path, _)| !self.entries.contains_key(*path));
        let changed: Vec<_> = new.chain(gone).map(|(path, _)| path).collect();
        let more = match changed.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(Prose::from(*changed.first()?).words(&more))
    }

    /// Adds all entries below a folder, but not the folder in which changes are prepared.
    ///
    /// # Errors
    ///
    /// A folder that cannot be listed: what an agent did in it would not be seen.
    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for (name, path) in list(&folder)? {
                if name == WORK_FOLDER
                    || path.ends_with(".git/objects")
                    || self.entries.len() > MOST
                {
                    continue;
                }
                if self.add(&path)? {
                    folders.push(path);
                }
            }
        }
        Ok(())
    }

    /// Adds an entry. Returns whether the entry is a folder.
    fn add(&mut self, path: &Path) -> Result<bool, Error> {
        let metadata = match path.symlink_metadata() {
            Err(error) if is_absent(&error) => return Ok(false),
            found => found.map_err(|error| Error::io(path, "cannot be read", error))?,
        };
        let is_folder = metadata.is_dir();
        // The times of a folder change with its entries, which are compared anyway.
        let stamp = if is_folder {
            (0, None, true, (0, 0, 0))
        } else {
            let time = metadata.modified().ok();
            (metadata.len(), time, false, identity(&metadata))
        };
        self.entries.insert(path.to_owned(), stamp);
        Ok(is_folder)
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (i64, i64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.ctime(), metadata.ctime_nsec(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (i64, i64, u64) {
    (0, 0, 0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use skills_format::disk::Folder;

    #[test]
    fn a_folder_that_cannot_be_listed_is_not_taken_for_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(dir.path()).unwrap();
        // Deeper than the longest path that the system opens.
        let name = "d".repeat(200);
        for _ in 0..25 {
            folder = folder.make_child(name.as_ref()).unwrap();
        }
        assert!(Surroundings::default().walk(dir.path()).is_err());
    }
}
