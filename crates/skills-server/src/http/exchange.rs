//! One HTTP request and its answer.

use crate::http::paced::Paced;
use crate::http::patient::PATIENCE;
use crate::http::refusal::{PATH, is_bare, not_heard, refusal, sentence, unclear_head};
use crate::http::room::Place;
use crate::message::{LONGEST, read_message, too_long};
use crate::server::SkillsServer;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
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

/// The handler of HTTP requests. Clones share the limit of answers.
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

    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Response<Paced> {
        if let Some(why) = unclear_head(request.uri(), request.headers()) {
            return not_heard(StatusCode::BAD_REQUEST, why);
        }
        if request.uri().path() != PATH {
            let why = format!("nothing is at this path; the server answers at {PATH}");
            return not_heard(StatusCode::NOT_FOUND, why);
        }
        let (head, body) = request.into_parts();
        let body = match whole(body).await {
            Ok(body) => body,
            Err((status, why)) => return not_heard(status, why),
        };
        // The whole request has arrived. From here on its connection is not evicted for a new connection.
        let busy = place.busy();
        let message = read_message(&body);
        // Before the answer is made: an answer is in memory until its client has read it.
        let slot = self.slot(message.as_ref().ok()).await;
        let request = Request::from_parts(head, Full::new(body));
        let answer = self.service.handle(request).await;
        match message {
            // A refusal of the head by the SDK (host, origin) takes precedence over an error in the message: a refused
            // client must learn nothing about the message.
            Err(refused)
                if !is_bare(&answer) || answer.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE =>
            {
                refusal(refused)
            }
            message if is_bare(&answer) => sentence(answer, message.as_ref().ok()).await,
            _ => answer.map(|body| Paced::new(body, slot, Some(busy))),
        }
    }

    /// Waits for the right to make an answer. A subscription needs none: its stream does not end, so eight
    /// subscriptions would block all other answers.
    async fn slot(&self, message: Option<&Value>) -> Option<OwnedSemaphorePermit> {
        let method = message.and_then(|message| message.get("method"));
        if method.is_some_and(|method| method == "subscriptions/listen") {
            return None;
        }
        Arc::clone(&self.answers).acquire_owned().await.ok()
    }
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
