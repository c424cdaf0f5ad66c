//! One request over HTTP, and its answer.

use crate::http::paced::Paced;
use crate::http::patient::PATIENCE;
use crate::message::{LONGEST, Refused, read_message};
use crate::server::SkillsServer;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response, StatusCode};
use rmcp::model::{ErrorCode, ServerJsonRpcMessage};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// What answers the requests that are in order.
pub(super) type Service = StreamableHttpService<SkillsServer, NeverSessionManager>;

/// The path of the server.
pub const PATH: &str = "/mcp";
/// The most answers at one time that are made, or that their clients have not read. An answer can hold a whole
/// file.
const ANSWERS: usize = 8;

/// Answers requests. Clones share the limit of answers.
#[derive(Clone)]
pub(super) struct Exchange {
    service: Service,
    answers: Arc<Semaphore>,
}

impl Exchange {
    pub(super) fn new(service: Service) -> Self {
        let answers = Arc::new(Semaphore::new(ANSWERS));
        Self { service, answers }
    }

    pub(super) async fn answer(&self, request: Request<Incoming>) -> Response<Paced> {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, format!("the server is at {PATH}"));
        }
        let (head, body) = request.into_parts();
        let body = Limited::new(body, LONGEST).collect();
        let body = match timeout(PATIENCE, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                let why = format!("a request has at most {LONGEST} bytes");
                return plain(StatusCode::PAYLOAD_TOO_LARGE, why);
            }
            Ok(Err(_)) => return plain(StatusCode::BAD_REQUEST, "the request ends early".into()),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the request takes long".into()),
        };
        let message = read_message(&body);
        let slot = self.slot(message.as_ref().ok()).await;
        let request = Request::from_parts(head, Full::new(body));
        let answer = self.service.handle(request).await;
        // The SDK compares the head first: whether the client may ask at all.
        let is_heard = !matches!(
            answer.status(),
            StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_ACCEPTABLE
        );
        match message {
            Err(refused) if is_heard => refusal(refused),
            _ => answer.map(|body| Paced::new(body, slot)),
        }
    }

    /// The right to make an answer. A subscription has no end, and needs none.
    async fn slot(&self, message: Option<&Value>) -> Option<OwnedSemaphorePermit> {
        let method = message.and_then(|message| message.get("method"));
        if method.is_some_and(|method| method == "subscriptions/listen") {
            return None;
        }
        Arc::clone(&self.answers).acquire_owned().await.ok()
    }
}

/// The answer to what is not a message, or has wrong parameters.
fn refusal(refused: Refused) -> Response<Paced> {
    let status = match refused.error.code {
        ErrorCode::INVALID_PARAMS => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    };
    let error = ServerJsonRpcMessage::error(*refused.error, refused.id);
    let mut response = plain(status, serde_json::to_string(&error).unwrap_or_default());
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

fn plain(status: StatusCode, text: String) -> Response<Paced> {
    let body = Full::new(Bytes::from(text)).boxed();
    let mut response = Response::new(Paced::new(body, None));
    *response.status_mut() = status;
    response
}
