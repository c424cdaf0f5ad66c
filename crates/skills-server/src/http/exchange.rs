//! One HTTP request and its answer.

use crate::http::events::events;
use crate::http::growing::Answer;
use crate::http::origin::{Origins, Page, allow, is_preflight, preflight};
use crate::http::paced::Paced;
use crate::http::patient::PATIENCE;
use crate::http::refusal::{PATH, is_bare, not_heard, refusal, sentence, unclear_head};
use crate::http::room::{Busy, Place};
use crate::http::sessions::{Session, Sessions};
use crate::message::{
    BATCHED, LONGEST, Received, Refused, read, too_long, unbatched, without_mark,
};
use crate::server::{Gone, SkillsServer};
use http_body_util::{BodyExt, Empty, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The SDK's service, which answers valid requests.
pub(super) type Service = StreamableHttpService<SkillsServer, NeverSessionManager>;

/// Maximum number of answers that are being made or are unread by their clients. An answer can hold a whole file.
const ANSWERS: usize = 8;
/// Methods whose answers hold no text of a skill.
const SMALL: &[&str] = &[
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "notifications/cancelled",
    "notifications/initialized",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
];
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
/// The first version of the protocol without sessions.
const SESSIONLESS: &str = "2026-07-28";

/// The handler of HTTP requests. Clones share the limit of answers and the sessions.
#[derive(Clone)]
pub(super) struct Exchange {
    pub(super) service: Service,
    server: SkillsServer,
    origins: Origins,
    sessions: Sessions,
    answers: Arc<Semaphore>,
}

impl Exchange {
    pub(super) fn new(service: Service, server: SkillsServer, origins: Origins) -> Self {
        Self {
            service,
            server,
            origins,
            sessions: Sessions::default(),
            answers: Arc::new(Semaphore::new(ANSWERS)),
        }
    }

    pub(super) async fn answer(
        &self,
        mut request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Response<Paced> {
        if let Some(why) = unclear_head(request.uri(), request.headers()) {
            return not_heard(StatusCode::BAD_REQUEST, why);
        }
        let page = self.origins.admit(request.headers_mut());
        let mut answer = self.answered(request, page.as_ref(), place).await;
        allow(&mut answer, page);
        answer
    }

    async fn answered(
        &self,
        request: Request<Incoming>,
        page: Option<&Page>,
        place: &Arc<Place>,
    ) -> Response<Paced> {
        if request.uri().path() != PATH {
            let why = format!("nothing is at this path; the server answers at {PATH}");
            return not_heard(StatusCode::NOT_FOUND, why);
        }
        let (mut head, body) = request.into_parts();
        let body = match whole(body).await {
            Ok(body) => without_mark(body),
            Err((status, why)) => return not_heard(status, why),
        };
        // The whole request has arrived. From here on its connection is not evicted for a new connection.
        let busy = place.busy();
        let received = read(&body);
        let message = match &received {
            Ok(Received::Message(message)) => Some(message),
            _ => None,
        };
        // A client that may not call must learn nothing about its message or a session.
        let gate = self.gate(&head).await;
        let is_let_in = gate.status() == StatusCode::METHOD_NOT_ALLOWED;
        if !is_let_in || (head.method == Method::OPTIONS && page.is_none()) {
            return sentence(gate, message).await;
        }
        let session = match self.session(&head.headers) {
            Ok(session) => session,
            Err(why) => return not_heard(StatusCode::NOT_FOUND, why.to_owned()),
        };
        match (&head.method, &session) {
            (&Method::POST, _) => {}
            (&Method::OPTIONS, _) if is_preflight(&head.headers) => {
                return preflight(&head.headers).map(|body| Paced::new(body, None, Some(busy)));
            }
            (&Method::GET, Some(session)) => return self.stream(&head, session.clone(), busy),
            (&Method::DELETE, Some(_)) => return self.ended(&head.headers),
            _ => return sentence(gate, message).await,
        }
        if let Some(session) = &session {
            head.extensions.insert(Arc::clone(&session.client));
        }
        match received {
            Ok(Received::Batch(batch)) if has_batches(&head.headers, session.as_ref()) => {
                self.batch(head, batch, busy).await
            }
            Ok(Received::Batch(_)) => refusal(unbatched()),
            Ok(Received::Message(message)) => self.message(head, body, Ok(message), busy).await,
            Err(refused) => self.message(head, body, Err(refused), busy).await,
        }
    }

    /// Answers a single message.
    async fn message(
        &self,
        head: Parts,
        body: Bytes,
        message: Result<Value, Refused>,
        busy: Busy,
    ) -> Response<Paced> {
        // Before the answer is made: an answer is in memory until its client has read it.
        let slot = self.slot(message.as_ref().ok()).await;
        let version = version(&head.headers).map(str::to_owned);
        let answer = self.handle(head, body).await;
        match message {
            // A refusal of the form of the request (415) is of the message too, and the message's own error says more.
            Err(refused)
                if !is_bare(&answer) || answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE =>
            {
                refusal(refused)
            }
            message if is_bare(&answer) => sentence(answer, message.as_ref().ok()).await,
            Ok(message) if message.get("method").is_some_and(|it| it == "initialize") => {
                let answer = self.greeted(answer, version.as_deref()).await;
                answer.map(|body| Paced::new(body, slot, Some(busy)))
            }
            _ => answer.map(|body| Paced::new(body, slot, Some(busy))),
        }
    }

    /// Lets the SDK answer a message. If this future is dropped, since the connection ended, the request is abandoned:
    /// otherwise requests of clients that are gone would wait without a limit, and each would be answered for nobody.
    pub(super) async fn handle(&self, mut head: Parts, body: Bytes) -> Response<Answer> {
        let (_waits, gone) = tokio::sync::watch::channel(());
        head.extensions.insert(Gone(gone));
        let request = Request::from_parts(head, Full::new(body));
        self.service.handle(request).await
    }

    /// Begins a session for the client that an answer greets.
    async fn greeted(&self, answer: Response<Answer>, asked: Option<&str>) -> Response<Answer> {
        let (mut head, body) = answer.into_parts();
        let Ok(body) = body.collect().await;
        let body = body.to_bytes();
        let greeting: Option<Value> = serde_json::from_slice(&body).ok();
        let version = greeting
            .as_ref()
            .and_then(|greeting| greeting.pointer("/result/protocolVersion")?.as_str())
            .filter(|version| *version < SESSIONLESS && asked.is_none_or(|it| it < SESSIONLESS));
        let id = version.map(|version| self.sessions.begin(version));
        if let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) {
            head.headers.insert(SESSION, id);
        }
        Response::from_parts(head, Full::new(body).boxed())
    }

    /// Lets the SDK check the host and the page of a request. It answers 405 to a request that may come in: the SDK
    /// knows no such method.
    async fn gate(&self, head: &Parts) -> Response<Answer> {
        let mut request = Request::new(Empty::<Bytes>::new());
        *request.method_mut() = match head.method {
            Method::POST => Method::OPTIONS,
            ref method => method.clone(),
        };
        request.uri_mut().clone_from(&head.uri);
        request.headers_mut().clone_from(&head.headers);
        self.service.handle(request).await
    }

    /// Returns the session of a request; `None` without one. An unknown session is an error.
    fn session(&self, headers: &HeaderMap) -> Result<Option<Session>, &'static str> {
        let is_sessionless = version(headers).is_some_and(|version| version >= SESSIONLESS);
        let Some(id) = headers.get(SESSION).filter(|_| !is_sessionless) else {
            return Ok(None);
        };
        let session = id.to_str().ok().and_then(|id| self.sessions.get(id));
        session.map(Some).ok_or(
            "the session has ended, or never was; call initialize without the header Mcp-Session-Id",
        )
    }

    /// Answers with the stream of a session's notifications.
    fn stream(&self, head: &Parts, session: Session, busy: Busy) -> Response<Paced> {
        let accepted = head.headers.get_all(ACCEPT).iter();
        let mut accepted = accepted.filter_map(|accepted| accepted.to_str().ok());
        if !accepted
            .any(|accepted| accepted.contains("text/event-stream") || accepted.contains("*/*"))
        {
            let why = "the answer is a stream; send the header Accept: text/event-stream";
            return not_heard(StatusCode::NOT_ACCEPTABLE, why.to_owned());
        }
        let Ok(slot) = Arc::clone(&self.server.listeners).try_acquire_owned() else {
            let why = "too many clients listen to changes; try again when some have gone";
            return not_heard(StatusCode::SERVICE_UNAVAILABLE, why.to_owned());
        };
        let client = Arc::clone(&session.client);
        let body = events(self.server.skills().clone(), client, session.open(), slot);
        let mut answer = Response::new(Paced::new(body, None, Some(busy)));
        let mut set = |name, value| {
            answer
                .headers_mut()
                .insert(name, HeaderValue::from_static(value))
        };
        set("content-type", "text/event-stream");
        set("cache-control", "no-store");
        answer
    }

    /// Ends the session that a request names.
    fn ended(&self, headers: &HeaderMap) -> Response<Paced> {
        if let Some(id) = headers.get(SESSION).and_then(|id| id.to_str().ok()) {
            self.sessions.end(id);
        }
        let mut answer = Response::new(Paced::new(Empty::new().boxed(), None, None));
        *answer.status_mut() = StatusCode::NO_CONTENT;
        answer
    }

    /// Waits for the right to make an answer. A small answer needs none, so that clients which do not read large ones keep
    /// nobody from a `ping`. A subscription needs none either: its stream does not end.
    pub(super) async fn slot(&self, message: Option<&Value>) -> Option<OwnedSemaphorePermit> {
        let method = message.and_then(|message| message.get("method"));
        let method = method.and_then(Value::as_str);
        if method.is_some_and(|method| SMALL.contains(&method)) {
            return None;
        }
        Arc::clone(&self.answers).acquire_owned().await.ok()
    }
}

/// Returns the version of the protocol that a request names.
fn version(headers: &HeaderMap) -> Option<&str> {
    headers.get(VERSION)?.to_str().ok()
}

/// Returns whether the version of a request has batches. A client of that version names no version in its headers.
fn has_batches(headers: &HeaderMap, session: Option<&Session>) -> bool {
    let named = version(headers);
    let of_session = session.map(|session| &*session.version);
    named
        .or(of_session)
        .is_none_or(|version| version == BATCHED)
        && of_session.is_none_or(|version| version == BATCHED)
}

/// Reads the whole body of a request, or returns the status and the reason of a failure.
async fn whole(body: Incoming) -> Result<Bytes, (StatusCode, String)> {
    match timeout(PATIENCE, Limited::new(body, LONGEST).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err((StatusCode::PAYLOAD_TOO_LARGE, too_long()))
        }
        Ok(Err(_)) => {
            let why = "the request ends before its body is whole; send it again";
            Err((StatusCode::BAD_REQUEST, why.to_owned()))
        }
        Err(_) => {
            let seconds = PATIENCE.as_secs();
            let why = format!("the request was not whole after {seconds} seconds; send it again");
            Err((StatusCode::REQUEST_TIMEOUT, why))
        }
    }
}
