//! The current catalog, and notifications of its changes.

use crate::held::Held;
use skills_runtime::catalog::CommandSpec;
use skills_runtime::{__event, Catalog};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use tokio::sync::watch;

/// A snapshot of the skills.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) catalog: Catalog,
    /// The number of changes before this snapshot. A cursor of a list belongs to one revision.
    pub(crate) revision: u64,
    /// The listed digests of this revision.
    pub(crate) held: Held,
    /// The slash commands, computed at the first request.
    pub(crate) commands: OnceLock<Vec<CommandSpec>>,
}

impl Now {
    fn new(catalog: Catalog, revision: u64) -> Self {
        Self {
            catalog,
            revision,
            held: Held::default(),
            commands: OnceLock::new(),
        }
    }
}

/// The numbers of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// The changes of the catalog: a list can differ.
    pub(crate) lists: u64,
    /// The changes of files that leave the catalog as it was.
    pub(crate) files: u64,
}

/// The skills, with a current snapshot.
#[derive(Debug)]
pub(crate) struct Live {
    now: RwLock<Arc<Now>>,
    /// Locked during a change.
    updates: Mutex<()>,
    changes: watch::Sender<Changes>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            now: RwLock::new(Arc::new(Now::new(catalog, 0))),
            updates: Mutex::default(),
            changes: watch::Sender::default(),
        }
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the catalog by the result of `change`, and wakes all waiting tasks. `None` changes nothing. Changes
    /// run one after the other, so that none undoes a concurrent change. Returns whether the catalog was replaced.
    pub(crate) fn update(&self, change: impl FnOnce(&Catalog) -> Option<Catalog>) -> bool {
        let _one = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(catalog) = change(&self.now().catalog) else {
            return false;
        };
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let revision = now.revision + 1;
        *now = Arc::new(Now::new(catalog, revision));
        drop(now);
        __event!(info: "the served skills changed", revision = revision);
        self.changes.send_modify(|changes| changes.lists += 1);
        true
    }

    /// Reports that files of skills have changed, and the catalog has not. The digests that were listed are forgotten:
    /// clients are notified, and read the new files without an error.
    #[cfg(feature = "watch")]
    pub(crate) fn files_changed(&self) {
        self.now().held.forget_all();
        __event!(info: "files of the served skills changed");
        self.changes.send_modify(|changes| changes.files += 1);
    }

    /// Returns a receiver that wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<Changes> {
        self.changes.subscribe()
    }
}
