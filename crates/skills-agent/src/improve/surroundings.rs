//! Detects writes of an agent beside its copy: compares the folder of skills, with a repository in it, before and after
//! the run. A repository around the folder is not compared.

use skills_format::Prose;
use skills_host::files::copy::{is_absent, list};
use skills_host::files::work::WORK_FOLDER;
use skills_store::Error;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Maximum number of compared entries.
const MOST: usize = 1_000_000;

/// The entries of the folder of skills.
pub(crate) type Surroundings = BTreeMap<PathBuf, Stamp>;

/// The metadata of an entry; `None` for a folder, whose times change with its entries. Changed bytes change the last field, which
/// no program can set.
type Stamp = Option<(u64, Option<SystemTime>, (i64, i64, u64))>;

/// Reads all entries below a folder, but not the folder in which changes are prepared.
///
/// # Errors
///
/// A folder that cannot be listed: what an agent did in it would not be seen.
pub(crate) fn read(folder: &Path) -> Result<Surroundings, Error> {
    let mut entries = Surroundings::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for (name, path) in list(&folder)? {
            if name == WORK_FOLDER || path.ends_with(".git/objects") || entries.len() > MOST {
                continue;
            }
            let metadata = match path.symlink_metadata() {
                Err(error) if is_absent(&error) => continue,
                found => found.map_err(|error| Error::io(&path, "cannot be read", error))?,
            };
            let stamp = || {
                let time = metadata.modified().ok();
                (metadata.len(), time, identity(&metadata))
            };
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            entries.insert(path, (!metadata.is_dir()).then(stamp));
        }
    }
    Ok(entries)
}

/// Describes the differences between two states: the first, and the number of further ones.
pub(crate) fn difference(before: &Surroundings, now: &Surroundings) -> Option<Prose> {
    let new = now.iter();
    let new = new.filter(|(path, stamp)| before.get(*path) != Some(*stamp));
    let gone = before.iter();
    let gone = gone.filter(|(path, _)| !now.contains_key(*path));
    let changed: Vec<_> = new.chain(gone).map(|(path, _)| path).collect();
    let more = match changed.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    Some(Prose::from(*changed.first()?).words(&more))
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
        assert!(read(dir.path()).is_err());
    }
}
