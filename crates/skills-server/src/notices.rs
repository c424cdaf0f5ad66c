//! The notifications of one client, from the changes of the skills and the messages of the log.

#![expect(deprecated, reason = "clients before 2026-07-28 use logging")]

use crate::client::Client;
use crate::live::Changes;
use crate::messages::{Message, NotServed};
use crate::skills::Skills;
use rmcp::model::{
    LoggingMessageNotification, PromptListChangedNotification, ResourceListChangedNotification,
    ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification,
    ToolListChangedNotification,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

/// The news of a client, in order.
pub(crate) struct Notices {
    skills: Skills,
    client: Arc<Client>,
    changes: watch::Receiver<Changes>,
    /// The changes that the client knows.
    known: Changes,
    messages: broadcast::Receiver<Message>,
    /// The reported skills that are not served. Each list finds them again.
    told: BTreeSet<NotServed>,
}

/// News that is not yet turned into notifications.
#[derive(Debug)]
pub(crate) enum News {
    Changes(Changes),
    Message(Message),
}

impl Notices {
    /// Starts with the next change and the next message.
    pub(crate) fn new(skills: Skills, client: Arc<Client>) -> Self {
        let mut changes = skills.live.changes();
        let known = *changes.borrow_and_update();
        let messages = skills.live.messages();
        Self {
            skills,
            client,
            changes,
            known,
            messages,
            told: BTreeSet::new(),
        }
    }

    /// Forgets what has happened until now.
    pub(crate) fn begin_now(&mut self) {
        *self = Self::new(self.skills.clone(), Arc::clone(&self.client));
    }

    /// Waits for news. May be cancelled. Returns `None` when the skills are gone.
    pub(crate) async fn wait(&mut self) -> Option<News> {
        tokio::select! {
            biased;
            changed = self.changes.changed() => {
                changed.ok()?;
                Some(News::Changes(*self.changes.borrow_and_update()))
            }
            message = self.messages.recv() => match message {
                Ok(message) => Some(News::Message(message)),
                Err(RecvError::Lagged(count)) => Some(News::Message(Message::Lost(count))),
                Err(RecvError::Closed) => None,
            },
        }
    }

    /// Turns news into notifications.
    pub(crate) async fn notifications(&mut self, news: News) -> Vec<ServerNotification> {
        match news {
            News::Changes(now) => {
                let before = std::mem::replace(&mut self.known, now);
                let mut notifications = Vec::new();
                if now.lists != before.lists {
                    self.told.clear();
                    notifications.push(ToolListChangedNotification::default().into());
                    notifications.push(PromptListChangedNotification::default().into());
                }
                notifications.push(ResourceListChangedNotification::default().into());
                notifications.extend(self.updated().await);
                notifications
            }
            News::Message(message) => {
                let is_wanted = self.client.wants(message.level()) && self.is_new(&message);
                let notification =
                    is_wanted.then(|| LoggingMessageNotification::new(message.params()).into());
                notification.into_iter().collect()
            }
        }
    }

    fn is_new(&mut self, message: &Message) -> bool {
        match message {
            Message::NotServed(left_out) => self.told.insert(left_out.clone()),
            Message::Changed { .. } | Message::Lost(_) => true,
        }
    }

    /// Returns the notifications of the subscribed files that have changed.
    async fn updated(&self) -> Vec<ServerNotification> {
        let (skills, client) = (self.skills.clone(), Arc::clone(&self.client));
        let changed = tokio::task::spawn_blocking(move || client.changed(&skills));
        let changed = changed.await.unwrap_or_default().into_iter();
        changed
            .map(|uri| {
                let params = ResourceUpdatedNotificationParam::new(uri);
                ResourceUpdatedNotification::new(params).into()
            })
            .collect()
    }
}
