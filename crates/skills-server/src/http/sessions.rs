//! The sessions of clients before 2026-07-28: what the client has set, and the stream of its notifications.
//!
//! A session holds no answers. Its client asks and gets its answers as without a session, so a session costs little,
//! and the number of sessions has a limit: a new session ends the one that was used longest ago.

use crate::client::Client;
use rmcp::transport::common::server_side_http::session_id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Maximum number of sessions.
const SESSIONS: usize = 64;

/// The sessions. Clones are the same sessions.
#[derive(Clone, Default)]
pub(super) struct Sessions(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    sessions: HashMap<String, Kept>,
    /// The number of uses of all sessions.
    uses: u64,
}

struct Kept {
    session: Session,
    /// The number of the last use.
    used: u64,
}

/// A session.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) client: Arc<Client>,
    /// The version of the protocol of its client.
    pub(super) version: Arc<str>,
    /// The number of streams that were opened. A stream ends when the next is opened, and with its session.
    streams: Arc<watch::Sender<u64>>,
}

impl Sessions {
    /// Begins a session, and returns its id. No other client can guess the id.
    pub(super) fn begin(&self, version: &str) -> String {
        let id = session_id().to_string();
        let session = Session {
            client: Arc::default(),
            version: version.into(),
            streams: Arc::default(),
        };
        let mut table = self.table();
        if table.sessions.len() >= SESSIONS {
            let open = |kept: &Kept| kept.session.streams.receiver_count() > 0;
            let oldest = table
                .sessions
                .iter()
                .min_by_key(|(_, kept)| (open(kept), kept.used));
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                table.sessions.remove(&oldest);
            }
        }
        let used = table.next_use();
        table.sessions.insert(id.clone(), Kept { session, used });
        id
    }

    /// Returns a session, which counts as used now.
    pub(super) fn get(&self, id: &str) -> Option<Session> {
        let mut table = self.table();
        let used = table.next_use();
        let kept = table.sessions.get_mut(id)?;
        kept.used = used;
        Some(kept.session.clone())
    }

    pub(super) fn end(&self, id: &str) {
        self.table().sessions.remove(id);
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn next_use(&mut self) -> u64 {
        self.uses += 1;
        self.uses
    }
}

impl Session {
    /// Opens a stream, which ends the stream before. Returns a receiver that changes, or is closed, at the end.
    pub(super) fn open(self) -> watch::Receiver<u64> {
        self.streams.send_modify(|count| *count += 1);
        self.streams.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_that_was_used_longest_ago_ends() {
        let sessions = Sessions::default();
        let ids: Vec<String> = (0..SESSIONS).map(|_| sessions.begin("x")).collect();
        let stream = sessions.get(&ids[1]).expect("a session").open();
        // The first is used again, and the second has a stream.
        assert!(sessions.get(&ids[0]).is_some());
        let more: Vec<String> = (0..SESSIONS - 2).map(|_| sessions.begin("x")).collect();
        assert!(sessions.get(&ids[2]).is_none() && sessions.get(&ids[SESSIONS - 1]).is_none());
        for id in more.iter().chain(&ids[..2]) {
            assert!(sessions.get(id).is_some());
        }
        assert_eq!(sessions.table().sessions.len(), SESSIONS);
        assert!(stream.has_changed().is_ok());
        sessions.end(&ids[1]);
        assert!(
            stream.has_changed().is_err(),
            "the stream ends with its session"
        );
    }

    #[test]
    fn a_stream_ends_the_stream_before() {
        let sessions = Sessions::default();
        let id = sessions.begin("x");
        let first = sessions.get(&id).expect("a session").open();
        assert!(first.has_changed().is_ok_and(|changed| !changed));
        let second = sessions.get(&id).expect("a session").open();
        assert!(first.has_changed().is_ok_and(|changed| changed));
        assert!(second.has_changed().is_ok_and(|changed| !changed));
    }
}
