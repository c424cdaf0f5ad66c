//! The server over HTTP: Streamable HTTP at the path `/mcp`.

// Over HTTP each request stands alone: there are no sessions to keep or to fill. Web pages are refused (`Origin`).
// The SDK refuses requests with a bare text; `refusal.rs` puts a JSON-RPC error in its place, and keeps the
// status.

mod exchange;
mod paced;
mod patient;
mod refusal;
mod room;

pub use crate::http::refusal::PATH;

use crate::http::exchange::{Exchange, Service};
use crate::http::patient::{PATIENCE, Patient};
use crate::http::room::{Place, Room};
use crate::message::LONGEST;
use crate::server::SkillsServer;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// The most connections at one time.
const CONNECTIONS: usize = 64;
/// The time until a connection is accepted again when none can be, such as when the process has no file left for it.
const PAUSE: Duration = Duration::from_millis(100);

/// The options of a server over HTTP.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The names by which clients may call this machine (the header `Host`), beside those of the loopback
    /// addresses. A server at an address that is not loopback needs at least one.
    pub allowed_hosts: Vec<String>,
    /// The origins of web pages that may call the server (the header `Origin`), such as
    /// `https://app.example.com:443`. Name the port. Empty: a request of any web page is refused.
    pub allowed_origins: Vec<String>,
}

/// Serves over HTTP, for a program that has no asynchronous runtime. `ready` gets the address at which the
/// server listens. It returns only with an error.
///
/// # Errors
///
/// The address cannot be used, or is not loopback and no host is allowed.
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
    /// Serves over HTTP. It returns only with an error.
    ///
    /// Each request stands alone: the server keeps no session. A client that asks for `subscriptions/listen`
    /// is told about changes.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::PermissionDenied`]: the address is not loopback, and no host is allowed.
    pub async fn serve_http(self, listener: TcpListener, options: &HttpOptions) -> io::Result<()> {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() && options.allowed_hosts.is_empty() {
            let message = format!(
                "{address} is not a loopback address; allow the names by which clients may call this machine"
            );
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        let exchange = Exchange::new(self.service(options));
        let room = Room::new(CONNECTIONS);
        loop {
            // Accepted first: a place that is asked for before there is a connection would be taken from one that
            // waits, and in a full server that is the connection which came last.
            let (stream, _) = accepted(|context| listener.poll_accept(context)).await;
            let place = room.enter().await;
            tokio::spawn(connection(stream, exchange.clone(), place));
        }
    }

    fn service(&self, options: &HttpOptions) -> Service {
        let server = self.clone();
        let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let hosts = loopback
            .into_iter()
            .chain(options.allowed_hosts.iter().cloned());
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_allowed_hosts(hosts)
            .with_allowed_origins(options.allowed_origins.iter().cloned())
            .enforce_origin_validation()
            .with_max_request_body_bytes(LONGEST);
        StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config)
    }
}

/// The next connection. A failure ends nothing: neither a client that has gone before it was accepted, nor a system
/// that has no file left for the connection. The system would refuse the second again at once, so it is asked again
/// after a pause.
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

/// Serves the requests of one connection until it ends, or must leave its place to another. What a client does
/// wrong ends only its connection.
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
    async fn a_system_without_files_is_not_asked_without_end() {
        // EMFILE, and what a client does that goes early.
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
