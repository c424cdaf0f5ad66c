//! Several messages as an array, as version 2025-03-26 of the protocol has them.

use crate::http::exchange::Exchange;
use crate::http::growing::growing;
use crate::http::paced::Paced;
use crate::http::refusal::{is_bare, refusal, sentence};
use crate::http::room::Busy;
use crate::message::{Refused, checked_in_batch, is_request};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use serde_json::Value;

impl Exchange {
    /// Answers the messages of a batch with an array, one after the other: each answer is made when the client has read
    /// the one before.
    pub(super) async fn batch(
        &self,
        head: Parts,
        batch: Vec<Value>,
        busy: Busy,
    ) -> Response<Paced> {
        let is_answered = |message: &Result<Value, Refused>| match message {
            Ok(message) => is_request(message),
            Err(_) => true,
        };
        let messages = batch.into_iter().map(checked_in_batch);
        // Notifications need no session on this server, and it has asked for no answers.
        let messages: Vec<_> = messages.filter(is_answered).collect();
        if messages.is_empty() {
            let mut answer = Response::new(Empty::new().boxed());
            *answer.status_mut() = StatusCode::ACCEPTED;
            return answer.map(|body| Paced::new(body, None, Some(busy)));
        }
        let slot = self.slot(None).await;
        let (parts, body) = growing();
        let exchange = self.clone();
        tokio::spawn(async move {
            let mut before: &[u8] = b"[";
            for message in messages {
                // The comma is taken when the answer before was passed on: one answer is in memory. A failure says
                // that the client is gone.
                if parts.send(Bytes::from_static(before)).await.is_err() {
                    return;
                }
                let Ok(part) = parts.reserve().await else {
                    return;
                };
                let element = exchange.element(&head, message);
                let element = tokio::select! {
                    biased;
                    () = parts.closed() => return,
                    element = element => element,
                };
                part.send(element);
                before = b",";
            }
            let _ = parts.send(Bytes::from_static(b"]")).await;
        });
        let mut answer = Response::new(Paced::new(body, slot, Some(busy)));
        let json = HeaderValue::from_static("application/json");
        answer.headers_mut().insert(CONTENT_TYPE, json);
        answer
    }

    /// Returns the answer to a request of a batch, as JSON.
    async fn element(&self, head: &Parts, message: Result<Value, Refused>) -> Bytes {
        let answer = match message {
            Err(refused) => refusal(refused).map(BodyExt::boxed),
            Ok(message) => {
                let body = Bytes::from(message.to_string());
                let answer = self.handle(head.clone(), body).await;
                if is_bare(&answer) {
                    sentence(answer, Some(&message)).await.map(BodyExt::boxed)
                } else {
                    answer
                }
            }
        };
        let Ok(body) = answer.into_body().collect().await;
        body.to_bytes()
    }
}
