//! The catalog as it is now, and the news that it has changed.

use crate::held::Held;
use skills_runtime::Catalog;
use skills_runtime::command::CommandSpec;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use tokio::sync::watch;

/// The skills at one moment.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) catalog: Catalog,
    /// The number of changes before this moment. A cursor of a list is of one revision.
    pub(crate) revision: u64,
    /// What was listed of this revision.
    pub(crate) held: Held,
    /// The slash commands, once they were asked for.
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

/// The skills as they are now.
#[derive(Debug)]
pub(crate) struct Live {
    now: RwLock<Arc<Now>>,
    /// Held while a change is made.
    updates: Mutex<()>,
    /// Sends the revision.
    changes: watch::Sender<u64>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            now: RwLock::new(Arc::new(Now::new(catalog, 0))),
            updates: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the catalog by what `change` makes of it, and wakes whoever waits for a change. `None`: nothing
    /// changes. Changes are made one after the other: none undoes another that was made at the same time.
    pub(crate) fn update(&self, change: impl FnOnce(&Catalog) -> Option<Catalog>) {
        let _one = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = change(&self.now().catalog) {
            self.put(catalog);
        }
    }

    fn put(&self, catalog: Catalog) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let revision = now.revision + 1;
        *now = Arc::new(Now::new(catalog, revision));
        drop(now);
        self.changes.send_replace(revision);
    }

    /// Wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
