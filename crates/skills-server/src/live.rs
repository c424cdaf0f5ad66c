//! The current catalog, and notifications of its changes.

use crate::held::Held;
use crate::messages::{MESSAGES, Message};
use skills_format::Digest;
use skills_runtime::catalog::CommandSpec;
use skills_runtime::{__event, Catalog};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use tokio::sync::{broadcast, watch};

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
    /// The digests of subscribed files since the last change. Locked while a file is hashed, so that hashing takes one
    /// thread, however many clients subscribe.
    hashed: Mutex<(Changes, BTreeMap<String, Option<Digest>>)>,
    /// The log. Without a client that listens, a message is dropped: the program has its own log.
    messages: broadcast::Sender<Message>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            now: RwLock::new(Arc::new(Now::new(catalog, 0))),
            updates: Mutex::default(),
            changes: watch::Sender::default(),
            hashed: Mutex::default(),
            messages: broadcast::Sender::new(MESSAGES),
        }
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the catalog by the result of `change`, and wakes all waiting tasks. `None` changes nothing. Changes
    /// run one after the other, so that none undoes a concurrent change. Returns whether the catalog was replaced.
    pub(crate) fn update(&self, change: impl FnOnce(&Catalog) -> Option<Catalog>) -> bool {
        self.update_read(|catalog| Some((change(catalog)?, Vec::new())))
    }

    /// Like [`Self::update`], of a change that also says whose files were read again, by qualified id.
    pub(crate) fn update_read(
        &self,
        change: impl FnOnce(&Catalog) -> Option<(Catalog, Vec<String>)>,
    ) -> bool {
        let _one = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.now();
        let Some((catalog, read)) = change(&before.catalog) else {
            return false;
        };
        let message = difference(&before.catalog, &catalog, read);
        self.put(catalog);
        self.tell(message);
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

    /// Returns the digest of a file, which `hash` computes once a change. A file that changes later is hashed at its own
    /// change.
    pub(crate) fn hashed(
        &self,
        uri: &str,
        hash: impl FnOnce() -> Option<Digest>,
    ) -> Option<Digest> {
        let now = *self.changes.borrow();
        let mut hashed = self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        if hashed.0 != now {
            *hashed = (now, BTreeMap::new());
        }
        if let Some(known) = hashed.1.get(uri) {
            return *known;
        }
        let digest = hash();
        hashed.1.insert(uri.to_owned(), digest);
        digest
    }

    pub(crate) fn tell(&self, message: Message) {
        // The error says that no client listens.
        let _ = self.messages.send(message);
    }

    fn put(&self, catalog: Catalog) {
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let revision = now.revision + 1;
        *now = Arc::new(Now::new(catalog, revision));
        drop(now);
        __event!(info: "the served skills changed", revision = revision);
        self.changes.send_modify(|changes| changes.lists += 1);
    }

    /// Returns a receiver that wakes at each later change.
    pub(crate) fn changes(&self) -> watch::Receiver<Changes> {
        self.changes.subscribe()
    }

    /// Returns a receiver of each later message.
    pub(crate) fn messages(&self) -> broadcast::Receiver<Message> {
        self.messages.subscribe()
    }
}

/// Returns the message about a change of the catalog. A skill is changed if its files were read again, or if a list shows
/// it in another way.
fn difference(before: &Catalog, now: &Catalog, read: Vec<String>) -> Message {
    let (old, new) = (shown(before), shown(now));
    let beyond = |of: &BTreeMap<String, Shown<'_>>, other: &BTreeMap<String, Shown<'_>>| {
        let ids = of.keys().filter(|id| !other.contains_key(*id));
        ids.cloned().collect()
    };
    let mut changed: BTreeSet<String> = read.into_iter().collect();
    let other = new
        .iter()
        .filter(|(id, it)| old.get(*id).is_some_and(|old| old != *it));
    changed.extend(other.map(|(id, _)| id.clone()));
    Message::Changed {
        added: beyond(&new, &old),
        changed: changed.into_iter().collect(),
        removed: beyond(&old, &new),
    }
}

/// What the lists show of a skill: its front matter, and whether it can be started by whom.
type Shown<'c> = (Cow<'c, str>, [bool; 4]);

fn shown(catalog: &Catalog) -> BTreeMap<String, Shown<'_>> {
    let entries = catalog.iter().map(|entry| {
        let can = [
            entry.is_enabled(),
            entry.is_trusted(),
            entry.is_user_invocable(),
            entry.is_model_invocable(),
        ];
        (entry.qualified_id(), (entry.front_matter(), can))
    });
    entries.collect()
}
