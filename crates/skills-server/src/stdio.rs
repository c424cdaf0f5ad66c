//! The server on standard input and output.

use crate::server::SkillsServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt as _};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Maximum length of a line, in bytes. A longer line is skipped.
const LONGEST: usize = 1024 * 1024;
/// Maximum number of requests that wait for an answer, or for the client to read it.
const WAITING: usize = 32;

/// Serves on standard input and output until the client closes the connection, for a program without an
/// asynchronous runtime.
///
/// # Errors
///
/// If the runtime cannot be made, or the connection fails.
pub fn serve_stdio(server: SkillsServer) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(8)
        .build()?;
    let result = runtime.block_on(server.serve_stdio());
    // Dropping the runtime would wait for the thread that reads standard input, which a client that is gone can
    // leave open.
    runtime.shutdown_background();
    result
}

impl SkillsServer {
    /// Serves on standard input and output until the client closes the connection. No other part of the program may
    /// write to standard output.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub async fn serve_stdio(self) -> io::Result<()> {
        let (input, output) = rmcp::transport::stdio();
        self.serve_streams(input, output).await
    }

    /// Serves one client on a pair of streams until the client closes one of them. A client that does not read its
    /// answers is not read either.
    ///
    /// # Errors
    ///
    /// If the connection fails.
    pub async fn serve_streams(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> io::Result<()> {
        let lines = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST);
        match self.for_a_connection().serve(Bounded::new(lines)).await {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // The client is gone, or no longer reads.
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::Cancelled
                | ServerInitializeError::TransportError { .. },
            ) => Ok(()),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }
}

/// A connection that accepts no further request while many requests wait.
///
/// The SDK starts a task for each message, and keeps answers that a client does not read. So a million notifications in
/// a row would be a million tasks, and unread answers would fill the memory.
struct Bounded<T> {
    lines: T,
    room: Arc<Semaphore>,
    waiting: Arc<Mutex<HashMap<RequestId, OwnedSemaphorePermit>>>,
    /// Notified when an answer could not be written: the client no longer reads.
    gone: Arc<Notify>,
    has_begun: bool,
    has_notified: bool,
}

impl<T> Bounded<T> {
    fn new(lines: T) -> Self {
        Self {
            lines,
            room: Arc::new(Semaphore::new(WAITING)),
            waiting: Arc::default(),
            gone: Arc::default(),
            has_begun: false,
            has_notified: false,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<RequestId, OwnedSemaphorePermit>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Bounded<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let place = answered.and_then(|id| self.waiting().remove(id));
        let gone = Arc::clone(&self.gone);
        let sent = self.lines.send(message);
        async move {
            let sent = sent.await;
            if sent.is_err() {
                gone.notify_one();
            }
            drop(place);
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // The task of the last notification ends before the next message is read.
            if std::mem::take(&mut self.has_notified) {
                tokio::task::yield_now().await;
            }
            let room = Arc::clone(&self.room);
            // The place comes first: a message that was read must not be lost when this is cancelled.
            let next = async {
                let place = room.acquire_owned().await.ok()?;
                Some((place, self.lines.receive().await?))
            };
            let (place, message) = tokio::select! {
                biased;
                () = self.gone.notified() => return None,
                next = next => next?,
            };
            match &message {
                JsonRpcMessage::Request(request) => {
                    self.has_begun = true;
                    self.waiting().insert(request.id.clone(), place);
                    return Some(message);
                }
                // The SDK ends a connection that begins with a notification, and needs only these two.
                JsonRpcMessage::Notification(notification) if self.has_begun => {
                    match &notification.notification {
                        ClientNotification::CancelledNotification(cancelled) => {
                            // A cancelled request gets no answer.
                            if let Some(id) = &cancelled.params.request_id {
                                self.waiting().remove(id);
                            }
                        }
                        ClientNotification::InitializedNotification(_) => {}
                        _ => continue,
                    }
                    self.has_notified = true;
                    return Some(message);
                }
                // The server asks its client nothing.
                _ => {}
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.lines.close()
    }
}
