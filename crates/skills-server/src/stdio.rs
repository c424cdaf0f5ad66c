//! The server on standard input and output.

use crate::lines::Lines;
use crate::message::Refused;
use crate::server::SkillsServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
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

/// The most requests that wait for their answer, or for the client to read it.
const WAITING: usize = 32;
/// A request whose answer can hold a whole file counts as so many: few of them are in memory at once.
const LARGE: usize = 8;

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
    let result = runtime.block_on(server.serve_stdio());
    // A client that has gone can have left standard input open, and a thread that reads it.
    runtime.shutdown_background();
    result
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

    /// Serves one client on a pair of streams until it closes one of them. A client that does not read its
    /// answers is not read either.
    ///
    /// # Errors
    ///
    /// The connection fails.
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
            // The client has gone, or reads no more.
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::Cancelled
                | ServerInitializeError::TransportError { .. },
            ) => return Ok(()),
            Err(error) => return Err(io::Error::other(error.to_string())),
        };
        // Beside the connection and not in a task: what reports changes ends with it.
        let reports = own.reports(running.peer().clone());
        tokio::select! {
            ended = running.waiting() => ended.map(drop).map_err(io::Error::other),
            () = reports => Ok(()),
        }
    }
}

/// A connection that takes no further request while many wait for an answer.
struct Bounded<R, W: AsyncWrite + Send + Unpin + 'static> {
    inner: Lines<R, W>,
    waiting: Arc<Waiting>,
}

/// The requests that wait for an answer, or for the client to read it.
#[derive(Default)]
struct Waiting {
    requests: Mutex<Requests>,
    answered: Notify,
    /// An answer could not be written: the client reads no more.
    gone: Notify,
}

#[derive(Default)]
struct Requests {
    /// Those without an answer, each with how many it counts as.
    ids: HashMap<RequestId, usize>,
    /// How many the answers count as that are being written. A client can take their ids again once it has read
    /// them, which can be before the writing returns.
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
                    if weight.is_some_and(|weight| !self.waiting.insert(id.clone(), weight)) {
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

/// The next message, once there is room for it.
async fn next<R, W>(inner: &mut Lines<R, W>, waiting: &Waiting) -> Option<ClientJsonRpcMessage>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    waiting.has_room().await;
    inner.receive().await
}

/// How many a request counts as. `None`: a subscription waits as long as the client wants.
fn weight(request: &ClientRequest) -> Option<usize> {
    match request {
        ClientRequest::SubscriptionsListenRequest(_) => None,
        ClientRequest::ReadResourceRequest(_) | ClientRequest::CallToolRequest(_) => Some(LARGE),
        _ => Some(1),
    }
}

/// The request that a notification cancels.
fn cancelled(notification: &ClientNotification) -> Option<&RequestId> {
    match notification {
        ClientNotification::CancelledNotification(cancelled) => {
            cancelled.params.request_id.as_ref()
        }
        _ => None,
    }
}

/// The SDK would lose the answer of one of the two.
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

    /// Gives whether the id is not that of a request that waits.
    fn insert(&self, id: RequestId, weight: usize) -> bool {
        self.with(|requests| match requests.ids.entry(id) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(weight);
                true
            }
        })
    }

    /// The answer of a request begins to be written. Gives how many it counts as.
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

    /// A request that was cancelled gets no answer.
    fn cancel(&self, id: &RequestId) {
        self.with(|requests| requests.ids.remove(id));
        self.answered.notify_one();
    }

    fn with<T>(&self, of: impl FnOnce(&mut Requests) -> T) -> T {
        of(&mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
