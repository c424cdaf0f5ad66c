//! The current catalog, the digests that were listed of it, and the notifications of its changes.

// A file that differs from its listed digest is one error, which names `skills/get`. Then the digests are
// forgotten, so that a client without the extension can read on.

use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use skills_runtime::Catalog;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// An entry of `skills/list`, in the shape of the Skills extension (SEP-2640).
pub(crate) type ListedSkill = rmcp::model::Skill;

/// A snapshot of the skills.
#[derive(Debug)]
pub(crate) struct Now {
    pub(crate) catalog: Catalog,
    /// The number of changes before this snapshot. A cursor of a list belongs to one revision.
    pub(crate) revision: u64,
    /// The skills that were listed of this revision, by address: their files with digests and sizes.
    listed: Mutex<HashMap<String, Arc<ListedSkill>>>,
}

impl Now {
    fn new(catalog: Catalog, revision: u64) -> Self {
        Self {
            catalog,
            revision,
            listed: Mutex::default(),
        }
    }

    /// Returns the listed skill at an address.
    pub(crate) fn held(&self, uri: &str) -> Option<Arc<ListedSkill>> {
        self.listed().get(uri).cloned()
    }

    /// Returns the listed skills. The next read of one that is removed computes its digests again.
    pub(crate) fn listed(&self) -> MutexGuard<'_, HashMap<String, Arc<ListedSkill>>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The skills, with a current snapshot.
#[derive(Debug)]
pub(crate) struct Live {
    now: watch::Sender<Arc<Now>>,
    /// Locked during a change.
    updates: Mutex<()>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            now: watch::Sender::new(Arc::new(Now::new(catalog, 0))),
            updates: Mutex::default(),
        }
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.borrow())
    }

    /// Replaces the catalog by the result of `change`, and wakes all waiting tasks. `None` changes nothing. Changes
    /// run one after the other, so that none undoes a concurrent change.
    pub(crate) fn update(&self, change: impl FnOnce(&Catalog) -> Option<Catalog>) {
        let _one = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.now();
        if let Some(catalog) = change(&before.catalog) {
            let now = Now::new(catalog, before.revision + 1);
            self.now.send_replace(Arc::new(now));
        }
    }

    /// Returns a receiver that wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<Now>> {
        self.now.subscribe()
    }
}

/// Maximum number of files to which a client subscribes.
pub(crate) const SUBSCRIPTIONS: usize = 64;

/// The addresses of the files to which a client subscribes.
pub(crate) type Subscriptions = Arc<Mutex<BTreeSet<String>>>;

/// Waits for a change, and returns its notifications. May be cancelled. Returns `None` when the skills are gone.
pub(crate) async fn notices(
    changes: &mut watch::Receiver<Arc<Now>>,
    subscriptions: &Subscriptions,
) -> Option<Vec<ServerNotification>> {
    changes.changed().await.ok()?;
    let mut notifications: Vec<ServerNotification> = vec![
        ToolListChangedNotification::default().into(),
        PromptListChangedNotification::default().into(),
        ResourceListChangedNotification::default().into(),
    ];
    // Any file may have changed: its client reads it again.
    let uris = subscriptions.lock();
    for uri in uris.unwrap_or_else(PoisonError::into_inner).iter() {
        let params = ResourceUpdatedNotificationParam::new(uri);
        notifications.push(ResourceUpdatedNotification::new(params).into());
    }
    Some(notifications)
}
