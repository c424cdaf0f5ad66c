//! Detects writes of an agent beside its copy: compares the folder of skills and its repository before and after the
//! run.

use crate::history::{History, Place};
use crate::install::Host;
use skills_format::disk::resolve;
use skills_format::{Prose, prose};
use skills_store::Error;
use skills_store::files::clock::Clock;
use skills_store::files::copy::{is_absent, list};
use skills_store::files::work::WORK_FOLDER;
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Maximum number of compared entries.
const MOST: usize = 1_000_000;

/// A snapshot of the folder of skills, and of the repository that holds it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    entries: BTreeMap<PathBuf, Stamp>,
    /// Git's answers about references and about the index.
    git: BTreeMap<&'static str, Vec<u8>>,
}

/// The metadata of an entry. Changed bytes change the last field, which no program can set.
type Stamp = (u64, Option<std::time::SystemTime>, bool, (i64, i64, u64));

impl Surroundings {
    /// Reads the folder of skills, and the files of its repository that are not ignored.
    pub(crate) fn read(target: &Path, host: Host<'_>) -> Result<Self, Error> {
        let mut all = Self::default();
        all.walk(target)?;
        let history = history(target, host);
        let Some((root, history)) = history else {
            return Ok(all);
        };
        for part in [
            ".git/HEAD",
            ".git/config",
            ".git/config.worktree",
            ".git/hooks",
            ".git/info",
        ] {
            if all.add(&root.join(part))? {
                all.walk(&root.join(part))?;
            }
        }
        let ask = |arguments: &[&str]| {
            let call = history.call("its state cannot be read");
            host.git.output(call.arguments(arguments), host.observer)
        };
        all.git.insert("references", ask(&["for-each-ref"])?);
        all.git
            .insert("what is staged", ask(&["ls-files", "-s", "-z"])?);
        let data = host.data.temporary();
        let data = data.ancestors().find_map(|above| resolve(above).ok());
        // In a repository of the home folder, this and other programs write untracked files all the time.
        let is_of_home = data.is_some_and(|data| data.starts_with(&root));
        let files: &[&str] = if is_of_home {
            &["ls-files", "-z"]
        } else {
            &[
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ]
        };
        for path in ask(files)?.split(|byte| *byte == 0) {
            if let Ok(path) = std::str::from_utf8(path) {
                all.add(&root.join(path))?;
            }
        }
        Ok(all)
    }

    /// Describes the differences from an earlier snapshot: at most three, and the number of further ones.
    pub(crate) fn changed_since(&self, before: &Self) -> Option<Prose> {
        let mut changed: Vec<Prose> = Vec::new();
        for (path, stamp) in &self.entries {
            if before.entries.get(path) != Some(stamp) {
                changed.push(path.into());
            }
        }
        let gone = before
            .entries
            .keys()
            .filter(|path| !self.entries.contains_key(*path));
        changed.extend(gone.map(Prose::from));
        for (what, said) in &self.git {
            if before.git.get(what) != Some(said) {
                changed.push(prose!("{what} of the repository"));
            }
        }
        let more = match changed.len() {
            0 => return None,
            1..=3 => String::new(),
            count => format!(" and {} more", count - 3),
        };
        changed.truncate(3);
        let listed = changed
            .into_iter()
            .reduce(|all, one| all.words(", ").and(one));
        listed.map(|all| all.words(&more))
    }

    /// Adds all entries below a folder, but neither a repository nor the folder in which changes are prepared.
    ///
    /// # Errors
    ///
    /// A folder that cannot be listed: what an agent did in it would not be seen.
    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for (name, path) in list(&folder)? {
                if name == ".git" || name == WORK_FOLDER || self.entries.len() > MOST {
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

fn history<'h>(target: &Path, host: Host<'h>) -> Option<(PathBuf, History<'h>)> {
    let clock: &'h dyn Clock = host.clock;
    match Place::of(target) {
        Place::Own => {
            let history = History::of(target, host.git, clock, host.observer);
            // An unusable repository is refused later, with its reason, before a change is taken.
            let history = history.ok()??;
            Some((target.to_owned(), history))
        }
        Place::Inside(root) => {
            let history = History::inside(target, &root, host.git, clock, host.observer).ok()?;
            Some((root, history))
        }
        Place::Outside => None,
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
