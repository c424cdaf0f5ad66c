//! Watches folders for changes.

use crate::environment::Environment;
use crate::outcome::Failure;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use skills_format::{command, prose};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// The time without a change after which a change is complete. An editor saves in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// The maximum number of these intervals for which an open file delays a check: ten seconds in all.
const MAX_SETTLES: u32 = 100;

/// A change of files.
enum Change {
    /// Files are written, and not closed yet.
    Written(Vec<PathBuf>),
    /// Written files were closed or removed.
    Closed(Vec<PathBuf>),
    /// Any other change.
    Other,
}

/// A watch on folders.
pub(crate) struct Watch {
    changes: Receiver<Change>,
    /// The files that are being written.
    open: BTreeSet<PathBuf>,
    is_changed: bool,
    /// A dropped watcher reports nothing, so the watch keeps it.
    _watcher: notify::RecommendedWatcher,
}

impl Watch {
    /// Watches folders. The folders above them are watched too, so that a replaced folder is noticed. `own` is
    /// a file that the check itself writes: its changes are ignored, since they would start the check again.
    pub(crate) fn new(
        roots: &[PathBuf],
        own: Option<&Path>,
        environment: &Environment,
    ) -> Result<Self, Failure> {
        let absolute: Vec<PathBuf> = roots
            .iter()
            .map(|root| environment.absolute(root))
            .collect();
        let ours = absolute.clone();
        let own = own.map(|own| environment.absolute(own));
        let (sender, changes) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let concerns = |path: &PathBuf| {
                // A folder above a root can be replaced too.
                let is_of = |root: &PathBuf| path.starts_with(root) || root.starts_with(path);
                ours.iter().any(is_of) && own.as_ref().is_none_or(|own| !is_file(path, own))
            };
            // A watcher that reports an error may have missed a change.
            let change = event.map_or(Some(Change::Other), |event| change(event, concerns));
            if let Some(change) = change {
                // Sending fails only after the watch was dropped.
                let _ = sender.send(change);
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
            open: BTreeSet::new(),
            is_changed: false,
            _watcher: watcher,
        })
    }

    /// Returns whether a file has changed since the watch began.
    pub(crate) fn has_changed(&mut self) -> bool {
        match self.changes.try_recv() {
            Ok(change) => {
                self.note(change);
                true
            }
            Err(_) => false,
        }
    }

    /// Waits for a change, then until no file changes and every written file is closed. Returns false when no
    /// change can arrive.
    pub(crate) fn wait(&mut self) -> bool {
        if !self.is_changed {
            match self.changes.recv() {
                Ok(change) => self.note(change),
                Err(_) => return false,
            }
        }
        let mut settles = 0;
        loop {
            match self.changes.recv_timeout(SETTLED) {
                Ok(change) => {
                    self.note(change);
                    settles = 0;
                }
                Err(RecvTimeoutError::Timeout) => {
                    settles += 1;
                    if self.open.is_empty() || settles >= MAX_SETTLES {
                        return true;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    fn note(&mut self, change: Change) {
        self.is_changed = true;
        match change {
            Change::Written(paths) => self.open.extend(paths),
            Change::Closed(paths) => {
                for path in paths {
                    self.open.remove(&path);
                }
            }
            Change::Other => {}
        }
    }
}

/// Classifies an event. A read is not a change. Only some systems report that a file was closed.
fn change(event: Event, concerns: impl Fn(&PathBuf) -> bool) -> Option<Change> {
    if !event.paths.iter().any(concerns) {
        return None;
    }
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
            Some(Change::Closed(event.paths))
        }
        EventKind::Access(_) => None,
        // Linux reports the close that follows. Elsewhere a written file would count as open until the maximum.
        EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => {
            Some(Change::Written(event.paths))
        }
        // A removed file is not closed later.
        EventKind::Remove(_) => Some(Change::Closed(event.paths)),
        _ => Some(Change::Other),
    }
}

/// Returns whether a path is `file`, or the temporary file that replaces `file`.
fn is_file(path: &Path, file: &Path) -> bool {
    let is_temporary = || {
        let name = path.file_name().map(|name| name.to_string_lossy());
        path.parent() == file.parent()
            && name.is_some_and(|name| name.starts_with('.') && name.ends_with('~'))
    };
    path == file || is_temporary()
}

fn failed(path: &Path, error: &notify::Error) -> Failure {
    Failure::failed(
        prose!("cannot watch {}: {error}", path),
        prose!("run {} without --watch", command("check")),
    )
}
