//! The messages of the log.

#![expect(deprecated, reason = "clients before 2026-07-28 use logging")]

use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use serde_json::{Value, json};
use std::fmt;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

/// A skill that may be started, but is not served.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct NotServed {
    /// The id of the skill: `source:name`.
    pub skill: String,
    /// The reason, as a sentence for a log.
    pub reason: String,
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skill '{}' is not served: {}", self.skill, self.reason)
    }
}

/// Maximum number of messages that wait for a client. The number of lost messages is a message itself.
pub(crate) const MESSAGES: usize = 64;
/// Maximum number of ids in a message about a change.
const IDS: usize = 100;

/// A message of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    NotServed(NotServed),
    /// The ids of the skills that were added, changed and removed.
    Changed {
        added: Vec<String>,
        changed: Vec<String>,
        removed: Vec<String>,
    },
    /// The number of messages that a client was too slow to get.
    Lost(u64),
}

impl Message {
    pub(crate) fn level(&self) -> LoggingLevel {
        match self {
            Self::NotServed(_) | Self::Lost(_) => LoggingLevel::Warning,
            Self::Changed { .. } => LoggingLevel::Info,
        }
    }

    pub(crate) fn params(&self) -> LoggingMessageNotificationParam {
        LoggingMessageNotificationParam::new(self.level(), self.data()).with_logger("skills")
    }

    fn data(&self) -> Value {
        match self {
            Self::NotServed(left_out) => {
                json!({ "message": left_out.to_string(), "skill": left_out.skill })
            }
            Self::Changed {
                added,
                changed,
                removed,
            } => {
                let first = |ids: &[String]| ids.iter().take(IDS).cloned().collect::<Vec<_>>();
                let (new, other, gone) = (added.len(), changed.len(), removed.len());
                json!({
                    "message": format!("the skills have changed: {new} added, {other} changed, {gone} removed"),
                    "added": first(added),
                    "changed": first(changed),
                    "removed": first(removed),
                })
            }
            Self::Lost(count) => {
                json!({ "message": format!("{count} messages were lost: the client reads too slowly") })
            }
        }
    }
}

/// Takes the messages that have come since the receiver was made.
pub(crate) fn drained(messages: &mut Receiver<Message>) -> Vec<Message> {
    let mut drained = Vec::new();
    loop {
        match messages.try_recv() {
            Ok(message) if !drained.contains(&message) => drained.push(message),
            Ok(_) => {}
            Err(TryRecvError::Lagged(count)) => drained.push(Message::Lost(count)),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return drained,
        }
    }
}
