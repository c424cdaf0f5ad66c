//! The body of an answer, which occupies its slot until the client has read it.

use crate::http::room::Busy;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// Bytes passed to the connection at once. The connection takes the next part after the client has read.
const PART: usize = 64 * 1024;

/// Maximum time to read an answer. Without it, a few slow clients would occupy all slots.
const LONGEST: Duration = Duration::from_secs(5 * 60);

/// A body that is sent in parts.
pub(super) struct Paced {
    body: BoxBody<Bytes, Infallible>,
    /// The unsent rest of the last frame.
    rest: Bytes,
    /// The slot of the answer, and its deadline. A stream of events has neither.
    slot: Option<(OwnedSemaphorePermit, Instant)>,
    /// Protects the connection from eviction.
    _busy: Option<Busy>,
}

impl Paced {
    /// Creates a body that holds `slot` and `busy` until it was sent, its connection has ended, or the deadline has
    /// passed. At the deadline the body ends early, which ends the connection.
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

    /// Copies the next part. A slice would keep the whole answer in memory.
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
