//! Waits for changes in folders.

use crate::environment::Environment;
use crate::outcome::Failure;
use notify::{RecursiveMode, Watcher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// How long nothing may change before a change is complete: an editor saves in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// Watches folders until it is dropped.
pub(crate) struct Watch {
    changes: Receiver<()>,
    /// It reports until it is dropped.
    _watcher: notify::RecommendedWatcher,
}

impl Watch {
    /// Watches folders. The folders above them are watched too, so that a replaced folder is noticed.
    pub(crate) fn new(roots: &[PathBuf], environment: &Environment) -> Result<Self, Failure> {
        let absolute: Vec<PathBuf> = roots
            .iter()
            .map(|root| environment.absolute(root))
            .collect();
        let ours = absolute.clone();
        let (sender, changes) = mpsc::channel();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                // A read is not a change. A watcher that reports an error may have missed a change.
                let is_change = event.map_or(true, |event| {
                    let concerns = |path: &PathBuf| {
                        let is_of =
                            |root: &PathBuf| path.starts_with(root) || root.starts_with(path);
                        ours.iter().any(is_of)
                    };
                    !event.kind.is_access() && event.paths.iter().any(concerns)
                });
                if is_change {
                    // An error means that nothing waits any more.
                    let _ = sender.send(());
                }
            })
            .map_err(|error| failed(Path::new("."), &error))?;
        for (root, path) in absolute.iter().zip(roots) {
            let above = root.ancestors().skip(1).find(|folder| folder.is_dir());
            if let Some(above) = above {
                watcher
                    .watch(above, RecursiveMode::NonRecursive)
                    .map_err(|error| failed(path, &error))?;
            }
            if root.exists() {
                watcher
                    .watch(root, RecursiveMode::Recursive)
                    .map_err(|error| failed(path, &error))?;
            }
        }
        Ok(Self {
            changes,
            _watcher: watcher,
        })
    }

    /// Waits until something has changed and nothing changes any more. Returns false when no change
    /// can come.
    pub(crate) fn wait(&self) -> bool {
        if self.changes.recv().is_err() {
            return false;
        }
        loop {
            match self.changes.recv_timeout(SETTLED) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }
}

fn failed(path: &Path, error: &notify::Error) -> Failure {
    Failure::failed(
        format_args!("cannot watch {}: {error}", path.display()),
        "run `skills check` without --watch",
    )
}
