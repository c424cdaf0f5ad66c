//! Temporary folders, which are removed at the latest after their process has ended.

use crate::git::observer::Observer;
use skills_format::text::path::PathText as _;
use skills_store::Error;
use skills_store::files::copy::{list, make_folder, remove};
use skills_store::files::guard::Guard;
use std::path::{Path, PathBuf};

/// A folder that is removed on drop, or after a kill by the next process.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    guard: Option<Guard>,
}

impl Temporary {
    /// Creates a temporary folder in `root`, after removing the folders of ended processes.
    pub(crate) fn make(root: &Path, observer: &dyn Observer) -> Result<Self, Error> {
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
        Ok(Self { path, guard })
    }

    pub(crate) fn path(&self) -> &Path {
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
    }
}

/// Removes the folders of processes that have ended: their locks are free.
///
/// A failure is a warning. What another process left, such as an agent, must not stop every later operation.
fn sweep(root: &Path, observer: &dyn Observer) {
    let swept = |path: &Path| match Guard::try_once(&path.join(".lock"))? {
        Some(_guard) => remove(path),
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
