//! A body whose parts are made while the client reads it, so that few of them are in memory.

use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// The body of an answer.
pub(super) type Answer = BoxBody<Bytes, Infallible>;

struct Growing(mpsc::Receiver<Bytes>);

/// Creates a body, and the sender of its parts. The body ends when the sender is dropped; the sender is closed when the
/// client is gone.
pub(super) fn growing() -> (mpsc::Sender<Bytes>, Answer) {
    let (sender, receiver) = mpsc::channel(1);
    (sender, Growing(receiver).boxed())
}

impl Body for Growing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = self.0.poll_recv(context);
        part.map(|part| part.map(|part| Ok(Frame::data(part))))
    }
}
