//! The server over HTTP: Streamable HTTP at the path `/mcp`.
//!
//! The SDK answers the requests, and refuses foreign hosts and web pages. This module adds what the SDK does not limit:
//! connections, the time for a request and for its answer, unread answers, streams and sessions.

// A connection carries one request. So the time for an answer is that of its connection, and a client that does not read
// cannot keep its place.

use crate::server::SkillsServer;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tower_http::cors::{AllowHeaders, CorsLayer};

/// The path at which the server answers.
pub const PATH: &str = "/mcp";

/// Maximum length of a request's body, in bytes.
const LONGEST: usize = 1024 * 1024;
/// Maximum number of connections. Each can hold a body of [`LONGEST`] bytes in memory.
const CONNECTIONS: usize = 128;
/// Maximum number of answers that are computed, or not yet read.
const ANSWERS: usize = 8;
/// Maximum number of streams of notifications. Fewer than connections: streams stay as long as their clients want.
const STREAMS: usize = 32;
/// Maximum number of sessions.
const SESSIONS: usize = 64;
/// Maximum time until the head of a request has arrived, and then until its body has.
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum time from the first byte of a connection until its client has read the answer. A stream has no end.
const ANSWER: Duration = Duration::from_secs(120);
/// The pause after a failed accept, such as when the process has no free file descriptor.
const PAUSE: Duration = Duration::from_millis(100);

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
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
        let address = listener.local_addr()?;
        let app = server.router(options, address)?;
        ready(address);
        accept(&listener, app).await
    })
}

impl SkillsServer {
    /// Serves over HTTP. Returns only with an error.
    ///
    /// A client that calls `subscriptions/listen` is notified of changes. A client before 2026-07-28 gets a session
    /// instead, and reads its notifications by `GET`. At most 64 sessions are kept.
    ///
    /// # Errors
    ///
    /// - [`io::ErrorKind::PermissionDenied`] if the address is not loopback, and no host is allowed.
    /// - [`io::ErrorKind::InvalidInput`] if an allowed host is not a name, or an allowed origin not a scheme, a host and
    ///   perhaps a port.
    pub async fn serve_http(self, listener: TcpListener, options: &HttpOptions) -> io::Result<()> {
        let app = self.router(options, listener.local_addr()?)?;
        accept(&listener, app).await
    }

    fn router(self, options: &HttpOptions, address: SocketAddr) -> io::Result<Router> {
        let error = |kind, why: String| Err(io::Error::new(kind, why));
        if !address.ip().is_loopback() && options.allowed_hosts.is_empty() {
            let ip = address.ip();
            let why = "is not a loopback address; allow the host names that clients use";
            return error(io::ErrorKind::PermissionDenied, format!("{ip} {why}"));
        }
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
        // `127.0.0.2` is loopback too.
        if address.ip().is_loopback() {
            hosts.push(address.ip().to_string());
        }
        let mut allowed = options.allowed_hosts.iter();
        if let Some(written) = allowed.find(|it| it.is_empty() || it.contains('/')) {
            let why = format!("'{written}' is not a valid host name");
            return error(io::ErrorKind::InvalidInput, why);
        }
        hosts.extend(options.allowed_hosts.iter().cloned());
        let own = hosts.iter().filter_map(|host| own(host, address));
        let (mut pages, mut origins): (Vec<HeaderValue>, Vec<String>) = own.unzip();
        for written in &options.allowed_origins {
            let Some((page, origin)) = origin(written) else {
                let why = format!("'{written}' is not the origin of a web page");
                return error(io::ErrorKind::InvalidInput, why);
            };
            pages.push(page);
            origins.push(origin);
        }
        let config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation();
        let mut manager = LocalSessionManager::default();
        // Sessions end by their number (`Limits::used`): a client that only listens is not idle.
        manager.session_config.keep_alive = None;
        let manager = Arc::new(manager);
        let limits = Limits {
            answers: Arc::new(Semaphore::new(ANSWERS)),
            streams: Arc::new(Semaphore::new(STREAMS)),
            sessions: Arc::default(),
            manager: Arc::clone(&manager),
        };
        let service =
            StreamableHttpService::new(move || Ok(self.for_a_connection()), manager, config);
        let cors = CorsLayer::new()
            .allow_origin(pages)
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers([SESSION])
            // Chromium asks when a page of the internet calls a machine of the local network.
            .allow_private_network(true)
            .max_age(Duration::from_secs(600));
        Ok(Router::new()
            .route_service(PATH, service)
            .layer(from_fn_with_state(limits, limited))
            .layer(cors))
    }
}

async fn accept(listener: &TcpListener, app: Router) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = Arc::clone(&room).acquire_owned().await;
        let place = place.map_err(io::Error::other)?;
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(connection(stream, app.clone(), place))),
            // A system without file descriptors is not asked without end.
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Serves the request of a connection, for no longer than [`ANSWER`] unless the answer is a stream. What the request
/// occupies is free when the connection ends: then its client has read the answer, or is gone.
async fn connection(stream: TcpStream, app: Router, _place: OwnedSemaphorePermit) {
    let occupied = Occupied::default();
    let app = app.layer(Extension(Arc::clone(&occupied)));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
    let overdue = async {
        sleep(ANSWER).await;
        if occupied.get().is_some_and(|(_, is_stream)| *is_stream) {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        _ = served => {}
        () = overdue => {}
    }
}

/// What the answer of a connection occupies: a place of [`ANSWERS`], or (`true`) of [`STREAMS`].
type Occupied = Arc<OnceLock<(OwnedSemaphorePermit, bool)>>;

#[derive(Clone)]
struct Limits {
    answers: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    /// The sessions, the one that was used longest ago first.
    sessions: Arc<Mutex<VecDeque<String>>>,
    manager: Arc<LocalSessionManager>,
}

impl Limits {
    /// Records the use of a session. A session too many ends the one that was used longest ago.
    fn record(&self, session: Option<String>, is_over: bool, response: &Response) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = text(response.headers(), &SESSION);
        let is_known = session
            .as_ref()
            .is_some_and(|session| sessions.contains(session));
        if let Some(session) = session.filter(|_| is_known && response.status().is_success()) {
            sessions.retain(|other| *other != session);
            if !is_over {
                sessions.push_back(session);
            }
        }
        sessions.extend(begun);
        if sessions.len() > SESSIONS
            && let Some(oldest) = sessions.pop_front()
        {
            let manager = Arc::clone(&self.manager);
            // Not awaited: a session waits for a client that does not read its stream.
            tokio::spawn(async move { manager.close_session(&oldest.into()).await });
        }
    }
}

/// Lets the SDK answer a request that has arrived whole.
async fn limited(
    State(limits): State<Limits>,
    Extension(occupied): Extension<Occupied>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    if let Some(why) = ambiguous(&head.uri, &head.headers) {
        return (StatusCode::BAD_REQUEST, why).into_response();
    }
    let body = match timeout(PATIENCE, to_bytes(body, LONGEST)).await {
        Ok(Ok(body)) => Body::from(body),
        Ok(Err(_)) => {
            let why = format!("the message is incomplete, or longer than {LONGEST} bytes");
            return (StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
        }
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let session = text(&head.headers, &SESSION);
    // Without a session the SDK compares the header with the message.
    let listens = session.is_none()
        && text(&head.headers, &METHOD).as_deref() == Some("subscriptions/listen");
    let may_last = head.method == Method::GET || listens;
    let is_over = head.method == Method::DELETE;
    let streams = Arc::clone(&limits.streams);
    let place = Arc::clone(&limits.answers).acquire_owned().await.ok();
    // A task: a session that begins for a client that has gone meanwhile must be recorded.
    let answered = tokio::spawn(async move {
        let response = next.run(Request::from_parts(head, body)).await;
        limits.record(session, is_over, &response);
        (response, place)
    });
    let Ok((response, place)) = answered.await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let kind = text(response.headers(), &CONTENT_TYPE);
    let is_stream = may_last && kind.as_deref() == Some("text/event-stream");
    let place = if is_stream {
        streams.try_acquire_owned().ok()
    } else {
        place
    };
    let Some(place) = place else {
        let why = format!("{STREAMS} streams are open already");
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    let _ = occupied.set((place, is_stream));
    response
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

/// Returns why it is unclear which host a request is for. A proxy before this server could choose another one.
fn ambiguous(uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
    let is_twice = |name: HeaderName| headers.get_all(name).iter().nth(1).is_some();
    let host = headers.get(HOST).map_or(&b""[..], HeaderValue::as_bytes);
    let other = uri
        .authority()
        .filter(|other| !host.eq_ignore_ascii_case(other.as_str().as_bytes()));
    if is_twice(HOST) || is_twice(ORIGIN) {
        return Some("the header Host or Origin is repeated");
    }
    if host.iter().any(|byte| b"@,".contains(byte)) || other.is_some() {
        return Some("the request names its host in two ways");
    }
    None
}

/// Reads the origin of a web page, a scheme, a host and perhaps a port. Returns it as a browser sends it, and as the SDK
/// compares it. `null` is not one: any page can make a frame that has it.
fn origin(written: &str) -> Option<(HeaderValue, String)> {
    let (scheme, host) = written.split_once("://")?;
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => "",
    };
    let host = host.strip_suffix(usual).unwrap_or(host);
    let sent = format!("{scheme}://{host}").to_ascii_lowercase();
    let uri: Uri = sent.parse().ok()?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    uri.host().filter(|_| host.chars().all(is_part))?;
    // The SDK takes an origin without a port for that of every port.
    let port = if uri.port().is_none() { usual } else { "" };
    Some((sent.parse().ok()?, format!("{sent}{port}")))
}

/// Returns the origin of a page that the server's own address could have.
fn own(host: &str, address: SocketAddr) -> Option<(HeaderValue, String)> {
    let host = match host.parse::<Ipv6Addr>() {
        Ok(host) => format!("[{host}]"),
        Err(_) => host.to_owned(),
    };
    let with_port = format!("http://{host}:{}", address.port());
    // An allowed host can have a port already.
    origin(&with_port).or_else(|| origin(&format!("http://{host}")))
}
