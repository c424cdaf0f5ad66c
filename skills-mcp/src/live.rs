//! The catalog as it is now, and the news that it has changed.

use crate::held::Held;
use skills_runtime::Catalog;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::watch;

/// The skills at one moment.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) catalog: Catalog,
    /// The number of changes before this moment. A cursor of a list is of one revision.
    pub(crate) revision: u64,
    /// What was listed of this revision.
    pub(crate) held: Held,
}

/// The skills as they are now.
#[derive(Debug)]
pub(crate) struct Live {
    now: RwLock<Arc<Now>>,
    /// Sends the revision.
    changes: watch::Sender<u64>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog) -> Self {
        let now = Now {
            catalog,
            revision: 0,
            held: Held::default(),
        };
        Self {
            now: RwLock::new(Arc::new(now)),
            changes: watch::Sender::new(0),
        }
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the catalog, and wakes whoever waits for a change.
    pub(crate) fn replace(&self, catalog: Catalog) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let revision = now.revision + 1;
        *now = Arc::new(Now {
            catalog,
            revision,
            held: Held::default(),
        });
        drop(now);
        self.changes.send_replace(revision);
    }

    /// Wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
