//! The body of an answer, which counts as long as its client has not read it.

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::sync::OwnedSemaphorePermit;

/// The bytes that are handed to the connection at once. It takes the next part when the client has read.
const PART: usize = 64 * 1024;

/// A body in parts.
pub(super) struct Paced {
    body: BoxBody<Bytes, Infallible>,
    /// What was not handed on of the last frame.
    rest: Bytes,
    _slot: Option<OwnedSemaphorePermit>,
}

impl Paced {
    /// Makes a body that holds `slot` until all of it was handed on, or its connection has ended.
    pub(super) fn new(
        body: BoxBody<Bytes, Infallible>,
        slot: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            body,
            rest: Bytes::new(),
            _slot: slot,
        }
    }

    /// Copies the next part: a slice would keep the whole answer in memory.
    fn part(&mut self) -> Frame<Bytes> {
        let part = self.rest.split_to(self.rest.len().min(PART));
        Frame::data(Bytes::copy_from_slice(&part))
    }
}

impl Body for Paced {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.part())));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame.map(|Ok(frame)| match frame.into_data() {
            Ok(data) => {
                self.rest = data;
                Ok(self.part())
            }
            Err(trailers) => Ok(trailers),
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let mut hint = self.body.size_hint();
        if let Some(most) = hint.upper() {
            hint.set_upper(most + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
