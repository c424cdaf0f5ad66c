//! The current catalog, the digests that were listed of it, and the notifications of its changes.

// A file that differs from its listed digest is one error, which names `skills/get`. Then the digests are
// forgotten, so that a client without the extension can read on.

use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use skills_runtime::Catalog;
use skills_session::commands::CommandSpec;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use tokio::sync::watch;

/// An entry of `skills/list`, in the shape of the Skills extension (SEP-2640).
pub(crate) type ListedSkill = rmcp::model::Skill;

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
        self.replace(catalog);
        true
    }

    /// Reads the folders, so that each later reload notices a text that changed. Wakes tasks only if a skill has changed.
    #[cfg(feature = "watch")]
    pub(crate) fn read(&self) {
        let _one = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.now();
        let read = before.catalog.reload();
        if read.changes_since(&before.catalog) == skills_runtime::source::Changes::default() {
            let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
            *now = Arc::new(Now::new(read, before.revision));
        } else {
            self.replace(read);
        }
    }

    fn replace(&self, catalog: Catalog) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let revision = now.revision + 1;
        *now = Arc::new(Now::new(catalog, revision));
        drop(now);
        self.changes.send_modify(|changes| changes.lists += 1);
    }

    /// Reports that files of skills have changed, and the catalog has not. The digests that were listed are forgotten:
    /// clients are notified, and read the new files without an error.
    #[cfg(feature = "watch")]
    pub(crate) fn files_changed(&self) {
        self.now().held.forget_all();
        self.changes.send_modify(|changes| changes.files += 1);
    }

    /// Returns a receiver that wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<Changes> {
        self.changes.subscribe()
    }
}

/// The listed skills, by address: their files with digests and sizes.
#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<HashMap<String, Arc<ListedSkill>>>);

impl Held {
    /// Keeps an entry, in place of the one listed before.
    pub(crate) fn keep(&self, entry: &Arc<ListedSkill>) {
        self.lock().insert(entry.uri.clone(), Arc::clone(entry));
    }

    /// Returns the listed skill at an address.
    pub(crate) fn of(&self, uri: &str) -> Option<Arc<ListedSkill>> {
        self.lock().get(uri).cloned()
    }

    /// Forgets a skill. Its next read computes the digests again.
    pub(crate) fn forget(&self, uri: &str) {
        self.lock().remove(uri);
    }

    /// Forgets all skills.
    #[cfg(feature = "watch")]
    pub(crate) fn forget_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<ListedSkill>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maximum number of files to which a client subscribes.
pub(crate) const SUBSCRIPTIONS: usize = 64;

/// The addresses of the files to which a client subscribes.
pub(crate) type Subscriptions = Arc<Mutex<BTreeSet<String>>>;

pub(crate) struct Notices {
    changes: watch::Receiver<Changes>,
    /// The changes that the client knows.
    known: Changes,
    subscriptions: Subscriptions,
}

impl Notices {
    /// Starts with the next change.
    pub(crate) fn new(live: &Live, subscriptions: Subscriptions) -> Self {
        let mut changes = live.changes();
        let known = *changes.borrow_and_update();
        Self {
            changes,
            known,
            subscriptions,
        }
    }

    /// Waits for changes, and returns their notifications. May be cancelled. Returns `None` when the skills are gone.
    pub(crate) async fn next(&mut self) -> Option<Vec<ServerNotification>> {
        self.changes.changed().await.ok()?;
        let now = *self.changes.borrow_and_update();
        let mut notifications = Vec::new();
        if now.lists != self.known.lists {
            notifications.push(ToolListChangedNotification::default().into());
            notifications.push(PromptListChangedNotification::default().into());
        }
        self.known = now;
        notifications.push(ResourceListChangedNotification::default().into());
        // Any file may have changed: its client reads it again.
        let uris = self.subscriptions.lock();
        for uri in uris.unwrap_or_else(PoisonError::into_inner).iter() {
            let params = ResourceUpdatedNotificationParam::new(uri);
            notifications.push(ResourceUpdatedNotification::new(params).into());
        }
        Some(notifications)
    }
}
