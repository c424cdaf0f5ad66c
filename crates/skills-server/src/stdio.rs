//! The server on standard input and output.

use crate::lines::Lines;
use crate::message::{BATCHED, Refused};
use crate::server::SkillsServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer, ServiceExt as _};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

/// Maximum number of requests that wait for an answer, or for the client to read it.
const WAITING: usize = 48;
/// The weight of a request whose answer can hold a whole file, so that few such answers are in memory at once.
const LARGE: usize = 8;

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
        let connection = Bounded {
            inner: Lines::new(input, output),
            waiting: Arc::default(),
        };
        let server = self.for_a_connection();
        let own = server.clone();
        let running = match server.serve(connection).await {
            Ok(running) => running,
            // The client is gone, or no longer reads.
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::Cancelled
                | ServerInitializeError::TransportError { .. },
            ) => return Ok(()),
            Err(error) => return Err(io::Error::other(error.to_string())),
        };
        // Polled beside the connection and not spawned, so that the reports end with the connection.
        let reports = own.reports(running.peer().clone());
        tokio::select! {
            ended = running.waiting() => ended.map(drop).map_err(io::Error::other),
            () = reports => Ok(()),
        }
    }
}

/// A connection that accepts no further request while many requests wait.
struct Bounded<R, W: AsyncWrite + Send + Unpin + 'static> {
    inner: Lines<R, W>,
    waiting: Arc<Waiting>,
}

/// The requests that wait for an answer, or for the client to read it.
#[derive(Default)]
struct Waiting {
    requests: Mutex<Requests>,
    answered: Notify,
    /// Notified when an answer could not be written: the client no longer reads.
    gone: Notify,
}

#[derive(Default)]
struct Requests {
    /// The unanswered requests, with their weights.
    ids: HashMap<RequestId, usize>,
    /// The weight of the answers that are being written. Their ids are free already: a client that has read an
    /// answer may reuse its id before the write returns.
    writing: usize,
}

impl<R, W> Transport<RoleServer> for Bounded<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &message
            && let ServerResult::InitializeResult(greeting) = &response.result
        {
            self.inner.has_batches = greeting.protocol_version.as_str() == BATCHED;
        }
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let waiting = Arc::clone(&self.waiting);
        let weight = answered.map_or(0, |id| waiting.answer(&id));
        let sent = self.inner.send(message);
        async move {
            let sent = sent.await;
            waiting.written(weight);
            if sent.is_err() {
                waiting.gone.notify_one();
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = tokio::select! {
                biased;
                () = self.waiting.gone.notified() => return None,
                message = next(&mut self.inner, &self.waiting) => message?,
            };
            match &message {
                JsonRpcMessage::Request(request) => {
                    let id = &request.id;
                    let weight = weight(&request.request);
                    if !self.waiting.insert(id.clone(), weight) {
                        self.inner.refuse(reused(id));
                        continue;
                    }
                }
                JsonRpcMessage::Notification(notification) => {
                    if let Some(id) = cancelled(&notification.notification) {
                        self.waiting.cancel(id);
                    }
                }
                _ => {}
            }
            return Some(message);
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

/// Returns the next message, once the waiting requests leave room for it.
async fn next<R, W>(inner: &mut Lines<R, W>, waiting: &Waiting) -> Option<ClientJsonRpcMessage>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    waiting.has_room().await;
    inner.receive().await
}

/// Returns the weight of a request. A subscription waits as long as the client wants; the server refuses more than 16 of
/// them, which leave room for 4 large answers.
fn weight(request: &ClientRequest) -> usize {
    match request {
        ClientRequest::ReadResourceRequest(_) | ClientRequest::CallToolRequest(_) => LARGE,
        _ => 1,
    }
}

/// Returns the request that a notification cancels.
fn cancelled(notification: &ClientNotification) -> Option<&RequestId> {
    match notification {
        ClientNotification::CancelledNotification(cancelled) => {
            cancelled.params.request_id.as_ref()
        }
        _ => None,
    }
}

/// Creates the error for the id of a request that still waits: the SDK would lose one of the two answers.
fn reused(id: &RequestId) -> Refused {
    let why = "the `id` is that of a request that waits for its answer";
    Refused::new(Some(id.clone()), ErrorData::invalid_request(why, None))
}

impl Waiting {
    async fn has_room(&self) {
        loop {
            let answered = self.answered.notified();
            let all = self.with(|requests| requests.writing + requests.ids.values().sum::<usize>());
            if all < WAITING {
                return;
            }
            answered.await;
        }
    }

    /// Adds a request. Returns whether its id is free.
    fn insert(&self, id: RequestId, weight: usize) -> bool {
        self.with(|requests| match requests.ids.entry(id) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(weight);
                true
            }
        })
    }

    /// Moves a request from waiting to being written, and returns its weight.
    fn answer(&self, id: &RequestId) -> usize {
        self.with(|requests| {
            let weight = requests.ids.remove(id).unwrap_or_default();
            requests.writing += weight;
            weight
        })
    }

    fn written(&self, weight: usize) {
        self.with(|requests| requests.writing -= weight);
        self.answered.notify_one();
    }

    /// Removes a cancelled request, which gets no answer.
    fn cancel(&self, id: &RequestId) {
        self.with(|requests| requests.ids.remove(id));
        self.answered.notify_one();
    }

    fn with<T>(&self, of: impl FnOnce(&mut Requests) -> T) -> T {
        of(&mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
