//! The stream of the notifications of a session.

use crate::client::Client;
use crate::http::growing::{Answer, growing};
use crate::notices::Notices;
use crate::skills::Skills;
use hyper::body::Bytes;
use rmcp::model::{ServerJsonRpcMessage, ServerNotification};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::sleep;

/// The time after which a stream without news sends a comment. Without it, nothing shows that a client is gone.
const ALIVE: Duration = Duration::from_secs(15);

/// Creates the body of a stream, which ends when `end` changes or the client is gone. It holds `slot` meanwhile.
pub(super) fn events(
    skills: Skills,
    client: Arc<Client>,
    mut end: watch::Receiver<u64>,
    slot: OwnedSemaphorePermit,
) -> Answer {
    let (parts, body) = growing();
    // Before the answer begins: a change after it is reported.
    let mut notices = Notices::new(skills, client);
    tokio::spawn(async move {
        let _slot = slot;
        // A client knows that the stream has begun when the first bytes come.
        let mut next = vec![Bytes::from_static(b":\n\n")];
        loop {
            for part in next {
                if parts.send(part).await.is_err() {
                    return;
                }
            }
            let news = tokio::select! {
                biased;
                () = parts.closed() => return,
                _ = end.changed() => return,
                news = notices.wait() => news,
                () = sleep(ALIVE) => {
                    next = vec![Bytes::from_static(b":\n\n")];
                    continue;
                }
            };
            let Some(news) = news else {
                return;
            };
            let notifications = notices.notifications(news).await.into_iter();
            next = notifications.filter_map(event).collect();
        }
    });
    body
}

/// Renders a notification as an event. JSON has no line breaks here.
fn event(notification: ServerNotification) -> Option<Bytes> {
    let message = ServerJsonRpcMessage::notification(notification);
    let message = serde_json::to_string(&message).ok()?;
    Some(format!("data: {message}\n\n").into())
}
