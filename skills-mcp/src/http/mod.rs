//! The server over HTTP: Streamable HTTP at the path `/mcp`.

mod exchange;
mod paced;
mod patient;
mod refusal;

pub use crate::http::refusal::PATH;

use crate::http::exchange::{Exchange, Service};
use crate::http::patient::{PATIENCE, Patient};
use crate::message::LONGEST;
use crate::server::{Connection, SkillsServer};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The most connections at one time.
const CONNECTIONS: usize = 64;

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
        let connections = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let slot = Arc::clone(&connections).acquire_owned().await;
            let slot = slot.map_err(io::Error::other)?;
            // A client that has gone before it was accepted is no reason to end.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::task::yield_now().await;
                continue;
            };
            let exchange = exchange.clone();
            tokio::spawn(async move {
                let _slot = slot;
                connection(stream, exchange).await;
            });
        }
    }

    fn service(&self, options: &HttpOptions) -> Service {
        let mut server = self.clone();
        server.connection = Connection::RequestByRequest;
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

/// Serves the requests of one connection until it ends. What a client does wrong ends only its connection.
async fn connection(stream: TcpStream, exchange: Exchange) {
    let answer = service_fn(move |request| {
        let exchange = exchange.clone();
        async move { Ok::<_, Infallible>(exchange.answer(request).await) }
    });
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(Patient::new(stream, PATIENCE)), answer)
        .await;
}
