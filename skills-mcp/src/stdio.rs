//! The server on standard input and output.

use crate::server::SkillsServer;
use rmcp::model::{
    CancelledNotification, ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt as _};
use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

/// The longest message of a client, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;
/// The most requests that wait for their answer, or for the client to read it.
const WAITING: usize = 32;

/// Serves on standard input and output until the client closes it, for a program that has no asynchronous
/// runtime.
///
/// # Errors
///
/// The runtime cannot be made, or the connection fails.
pub fn serve_stdio(server: SkillsServer) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(8)
        .build()?;
    runtime.block_on(server.serve_stdio())
}

impl SkillsServer {
    /// Serves on standard input and output until the client closes it. Nothing else of the program may
    /// write to standard output.
    ///
    /// # Errors
    ///
    /// The connection fails.
    pub async fn serve_stdio(self) -> io::Result<()> {
        let (input, output) = rmcp::transport::stdio();
        self.serve_streams(input, output).await
    }

    /// Serves one client on a pair of streams until it closes them. A client that does not read its answers
    /// is not read either.
    ///
    /// # Errors
    ///
    /// The connection fails.
    pub async fn serve_streams(
        self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> io::Result<()> {
        let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST);
        let running = match self.serve(Bounded::new(transport)).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return Ok(());
            }
            Err(error) => return Err(io::Error::other(error.to_string())),
        };
        running.waiting().await.map_err(io::Error::other)?;
        Ok(())
    }
}

/// A connection that takes no further request while many wait for an answer.
struct Bounded<T> {
    inner: T,
    waiting: Arc<Waiting>,
}

/// The requests that wait for an answer.
#[derive(Default)]
struct Waiting {
    ids: Mutex<HashSet<RequestId>>,
    answered: Notify,
}

impl<T> Bounded<T> {
    fn new(inner: T) -> Self {
        Self {
            inner,
            waiting: Arc::default(),
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Bounded<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let waiting = Arc::clone(&self.waiting);
        let sent = self.inner.send(message);
        async move {
            let sent = sent.await;
            if let Some(id) = answered {
                waiting.remove(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.waiting.has_room().await;
        let message = self.inner.receive().await;
        match &message {
            // A subscription waits as long as the client wants.
            Some(JsonRpcMessage::Request(request))
                if !matches!(
                    request.request,
                    ClientRequest::SubscriptionsListenRequest(_)
                ) =>
            {
                self.waiting.insert(request.id.clone());
            }
            Some(JsonRpcMessage::Notification(notification)) => {
                if let ClientNotification::CancelledNotification(CancelledNotification {
                    params,
                    ..
                }) = &notification.notification
                    && let Some(id) = &params.request_id
                {
                    self.waiting.remove(id);
                }
            }
            _ => {}
        }
        message
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

impl Waiting {
    async fn has_room(&self) {
        loop {
            let answered = self.answered.notified();
            if self.count(|ids| ids.len()) < WAITING {
                return;
            }
            answered.await;
        }
    }

    fn insert(&self, id: RequestId) {
        self.count(|ids| ids.insert(id));
    }

    fn remove(&self, id: &RequestId) {
        self.count(|ids| ids.remove(id));
        self.answered.notify_one();
    }

    fn count<T>(&self, of: impl FnOnce(&mut HashSet<RequestId>) -> T) -> T {
        of(&mut self.ids.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
