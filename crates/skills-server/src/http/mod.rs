//! The server over HTTP: Streamable HTTP at the path `/mcp`.

// Each HTTP request stands alone. A session (`sessions.rs`) holds only what its client has set. Requests of web pages
// are refused, but those of the own origin and of the allowed origins (`origin.rs`). The SDK refuses requests with a plain text. `refusal.rs` replaces that text by a JSON-RPC
// error, and keeps the status.

mod batch;
mod events;
mod exchange;
mod growing;
mod origin;
mod paced;
mod patient;
mod refusal;
mod room;
mod sessions;

pub use crate::http::origin::is_origin;
pub use crate::http::refusal::PATH;

use crate::http::exchange::{Exchange, Service};
use crate::http::origin::Origins;
use crate::http::patient::{PATIENCE, Patient};
use crate::http::room::{Place, Room};
use crate::message::LONGEST;
use crate::server::SkillsServer;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use skills_runtime::__event;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// Maximum number of connections.
const CONNECTIONS: usize = 64;
/// The pause after a failed accept, such as when the process has no free file descriptor.
const PAUSE: Duration = Duration::from_millis(100);

/// The options of a server over HTTP.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The names of this machine that clients may use in the header `Host`, beside those of the loopback addresses.
    /// A server at another address than loopback needs at least one name.
    pub allowed_hosts: Vec<String>,
    /// The origins of web pages that may call the server (the header `Origin`), such as `https://app.example`. A page
    /// of the server's own address may call it too. Requests of other pages are refused.
    pub allowed_origins: Vec<String>,
}

/// Serves over HTTP, for a program without an asynchronous runtime. `ready` gets the address on which the server
/// listens. Returns only with an error.
///
/// # Errors
///
/// If the address cannot be used, or is not loopback and no host is allowed.
pub fn serve_http(
    server: SkillsServer,
    address: SocketAddr,
    options: &HttpOptions,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(8)
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        server.serve_http(listener, options).await
    })
}

impl SkillsServer {
    /// Serves over HTTP. Returns only with an error.
    ///
    /// A client that calls `subscriptions/listen` is notified of changes. A client before 2026-07-28 gets a session
    /// instead, and reads its notifications by `GET`. At most 64 sessions are kept, and 16 clients are notified at once.
    ///
    /// # Errors
    ///
    /// - [`io::ErrorKind::PermissionDenied`] if the address is not loopback, and no host is allowed.
    /// - [`io::ErrorKind::InvalidInput`] if an allowed origin is not an origin: see [`is_origin`].
    pub async fn serve_http(self, listener: TcpListener, options: &HttpOptions) -> io::Result<()> {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() && options.allowed_hosts.is_empty() {
            let message = format!(
                "{address} is not a loopback address; allow the names by which clients may call this machine"
            );
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        let origins = Origins::new(&options.allowed_origins).map_err(|wrong| {
            let message = format!("'{wrong}' is not the origin of a web page");
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })?;
        let exchange = Exchange::new(self.service(options, address), self.clone(), origins);
        let room = Room::new(CONNECTIONS);
        loop {
            let ((stream, _), place) =
                admitted(&room, |context| listener.poll_accept(context)).await;
            __event!(debug: "a client connected");
            tokio::spawn(connection(stream, exchange.clone(), place));
        }
    }

    fn service(&self, options: &HttpOptions, address: SocketAddr) -> Service {
        let server = self.clone();
        let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        // `127.0.0.2` is loopback too.
        let own = Some(address.ip()).filter(IpAddr::is_loopback);
        let hosts = loopback
            .into_iter()
            .chain(own.map(|own| own.to_string()))
            .chain(options.allowed_hosts.iter().cloned());
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_allowed_hosts(hosts)
            // With an empty list: a page that may call was let in before.
            .enforce_origin_validation()
            .with_max_request_body_bytes(LONGEST);
        StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config)
    }
}

/// Accepts the next connection, and gives it a place.
async fn admitted<S>(
    room: &Room,
    accept: impl FnMut(&mut Context<'_>) -> Poll<io::Result<S>>,
) -> (S, Arc<Place>) {
    // Accepted before a place is requested: in a full server a requested place evicts a waiting connection.
    // Without a new connection, the connection that came last would be evicted for nothing.
    let stream = accepted(accept).await;
    (stream, room.enter().await)
}

/// Accepts the next connection. No failure ends the server. After a failure of the client, such as a connection
/// closed too early, the next connection is accepted at once. After a failure of the system, such as no free file
/// descriptor, the next attempt follows a pause: without it the loop would spin.
async fn accepted<S>(mut accept: impl FnMut(&mut Context<'_>) -> Poll<io::Result<S>>) -> S {
    loop {
        match poll_fn(&mut accept).await {
            Ok(connection) => return connection,
            Err(error) if is_of_the_client(&error) => tokio::task::yield_now().await,
            Err(_) => sleep(PAUSE).await,
        }
    }
}

fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

/// Serves the requests of one connection until it ends or is evicted. An error of a client ends only its own
/// connection.
async fn connection(stream: TcpStream, exchange: Exchange, place: Arc<Place>) {
    let own = Arc::clone(&place);
    let answer = service_fn(move |request| {
        let (exchange, place) = (exchange.clone(), Arc::clone(&own));
        async move { Ok::<_, Infallible>(exchange.answer(request, &place).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(Patient::new(stream, PATIENCE)), answer);
    tokio::select! {
        _ = served => {}
        () = place.leave() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_connection_is_evicted_while_no_other_comes() {
        let room = Room::new(1);
        let waits = room.enter().await;
        let nobody = admitted(&room, |_| Poll::<io::Result<()>>::Pending);
        let admitted_nobody = tokio::time::timeout(PAUSE, nobody).await;
        assert!(admitted_nobody.is_err());
        let evicted = tokio::time::timeout(PAUSE, waits.leave()).await;
        assert!(evicted.is_err(), "the connection keeps its place");
        // A connection that comes takes the place.
        let comes = admitted(&room, |_| Poll::Ready(Ok(())));
        let leaves = async {
            waits.leave().await;
            drop(waits);
        };
        let ((), ()) = tokio::join!(async { drop(comes.await) }, leaves);
    }

    #[tokio::test]
    async fn a_system_without_files_is_not_asked_without_end() {
        // EMFILE, and the error of a client that closed its connection early.
        let no_files = || io::Error::from_raw_os_error(24);
        let mut calls = 0;
        let failing = accepted(|_| {
            calls += 1;
            Poll::Ready(Err::<(), _>(no_files()))
        });
        let ended = tokio::time::timeout(3 * PAUSE, failing).await;
        assert!(ended.is_err() && calls <= 4, "{calls} calls");
        let mut answers = vec![
            Ok(7),
            Err(io::ErrorKind::ConnectionAborted.into()),
            Err(no_files()),
        ];
        let got = accepted(|_| Poll::Ready(answers.pop().expect("an answer"))).await;
        assert_eq!((got, answers.len()), (7, 0));
    }
}
