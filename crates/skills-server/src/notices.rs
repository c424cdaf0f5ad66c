//! The notifications of one client.

use crate::live::{Changes, Live};
use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

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
