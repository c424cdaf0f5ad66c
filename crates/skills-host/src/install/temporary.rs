//! Temporary folders, which are removed at the latest after their process has ended.

use crate::files::copy::{is_there, list, make_folder, remove};
use crate::files::guard::Guard;
use crate::git::observer::Observer;
use skills_format::text::path::PathText as _;
use skills_store::Error;
use std::path::{Path, PathBuf};

/// A folder that is removed on drop, or after a kill by the next process.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    guard: Option<Guard>,
    /// The folders above that did not exist before, the innermost first.
    made: Vec<PathBuf>,
}

impl Temporary {
    /// Creates a temporary folder in `root`, after removing the folders of ended processes.
    pub fn make(root: &Path, observer: &dyn Observer) -> Result<Self, Error> {
        // A dry run of a first install leaves no folder behind.
        let is_missing = |above: &&Path| matches!(is_there(above), Ok(false));
        let missing = root.ancestors().skip(1).take_while(is_missing);
        let made = missing.map(Path::to_owned).collect();
        // Held until the new folder has its own lock: the sweep of another process would remove the folder.
        let _all = Guard::wait(&root.join(".lock"), &|_, _| {})?;
        sweep(root, observer);
        let path = (0..u32::MAX)
            .map(|n| root.join(format!("{}-{n}", std::process::id())))
            .find(|path| !path.exists())
            .unwrap_or_default();
        make_folder(&path)?;
        let guard = Guard::wait(&path.join(".lock"), &|_, _| {})?;
        let guard = Some(guard);
        Ok(Self { path, guard, made })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The lock first: Windows removes no folder with an open lock. A concurrent sweep may remove the folder.
        self.guard = None;
        let _ = remove(&self.path);
        if let Some(root) = self.path.parent() {
            // Only if no other process has a temporary folder.
            if list(root).is_ok_and(|left| left.iter().all(|(name, _)| name == ".lock"))
                && let Ok(Some(all)) = Guard::try_once(&root.join(".lock"))
            {
                all.remove();
            }
        }
        for made in &self.made {
            // Only while it is empty: others may use it by now. A process that is about to make a lock in it makes the
            // folder again.
            if std::fs::remove_dir(made).is_err() {
                break;
            }
        }
    }
}

/// Removes the folders of processes that have ended: their locks are free.
///
/// A failure is a warning. What another process left, such as an agent, must not stop every later operation.
fn sweep(root: &Path, observer: &dyn Observer) {
    let swept = |path: &Path| match Guard::try_once(&path.join(".lock"))? {
        // Windows removes no folder with an open lock. Nobody takes it meanwhile: the lock of `root` is held.
        Some(guard) => {
            drop(guard);
            remove(path)
        }
        None => Ok(()),
    };
    let left = list(root).unwrap_or_else(|error| {
        observer.warning(&format!("{error:#}"));
        Vec::new()
    });
    for (_, path) in left.iter().filter(|(name, _)| name != ".lock") {
        if let Err(error) = swept(path) {
            let help = error.remedy_or("remove it manually");
            observer.warning(&format!(
                "an earlier operation left {}: {error:#}; {help}",
                path.shown()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::data::DataFolder;
    use crate::git::Quiet;

    #[test]
    fn folders_of_ended_processes_are_removed_by_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path());
        let root = data.temporary();
        let running = Temporary::make(&root, &Quiet).unwrap();
        let left = root.join("1-0");
        make_folder(&left).unwrap();
        let next = Temporary::make(&root, &Quiet).unwrap();
        assert!(!left.exists() && running.path().is_dir());
        drop((running, next));
        assert!(!root.exists());
    }

    #[test]
    fn no_folder_is_left_that_was_not_there_before() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataFolder::new(dir.path().join("share/skills"));
        drop(Temporary::make(&data.temporary(), &Quiet).unwrap());
        assert!(!dir.path().join("share").exists());
        let made = Temporary::make(&data.temporary(), &Quiet).unwrap();
        std::fs::write(dir.path().join("share/other"), "").unwrap();
        drop(made);
        assert!(dir.path().join("share/other").exists());
        assert!(!dir.path().join("share/skills").exists());
    }
}
