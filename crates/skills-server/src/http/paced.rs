//! The body of an answer, which counts as long as its client has not read it.

use crate::http::room::Busy;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// The bytes that are handed to the connection at once. It takes the next part when the client has read.
const PART: usize = 64 * 1024;

/// How long a client may take to read an answer. Few clients that read slowly would keep all others from answers.
const LONGEST: Duration = Duration::from_secs(5 * 60);

/// A body in parts.
pub(super) struct Paced {
    body: BoxBody<Bytes, Infallible>,
    /// What was not handed on of the last frame.
    rest: Bytes,
    /// The right to be in memory, and until when. A stream of events has none, and no end.
    slot: Option<(OwnedSemaphorePermit, Instant)>,
    /// Keeps the place of the connection.
    _busy: Option<Busy>,
}

impl Paced {
    /// Makes a body that holds `slot` until all of it was handed on, its connection has ended, or it was read for
    /// too long: then it ends early, which ends the connection. As long, the connection is `busy`.
    pub(super) fn new(
        body: BoxBody<Bytes, Infallible>,
        slot: Option<OwnedSemaphorePermit>,
        busy: Option<Busy>,
    ) -> Self {
        Self {
            body,
            rest: Bytes::new(),
            slot: slot.map(|slot| (slot, Instant::now() + LONGEST)),
            _busy: busy,
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
        let now = Instant::now();
        if self.slot.as_ref().is_some_and(|(_, until)| now > *until) {
            return Poll::Ready(None);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::{BodyExt as _, Full};
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    fn body(slots: &Arc<Semaphore>) -> Paced {
        let slot = Arc::clone(slots).try_acquire_owned().expect("a slot");
        Paced::new(
            Full::new(Bytes::from(vec![7; 3 * PART + 1])).boxed(),
            Some(slot),
            None,
        )
    }

    #[tokio::test]
    async fn an_answer_ends_early_when_it_is_read_for_too_long() {
        let slots = Arc::new(Semaphore::new(1));
        let mut late = body(&slots);
        let part = late.frame().await.expect("a part").expect("a part");
        assert_eq!(part.into_data().expect("bytes").len(), PART);
        late.slot = late.slot.map(|(slot, until)| (slot, until - 2 * LONGEST));
        assert!(late.frame().await.is_none() && !late.is_end_stream());
        drop(late);
        let whole = body(&slots).collect().await.expect("all of it").to_bytes();
        assert_eq!(whole.len(), 3 * PART + 1);
    }
}
