//! A connection that ends when its client stops reading.

// A client that does not read its answers is not read either. On standard input and output, at most 32 requests
// wait, or 4 whose answers can hold a file. Over HTTP, 8 answers wait: each until its client reads less than 64 KiB
// in 30 seconds, and for at most five minutes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Maximum time until a request has arrived, between two requests, and until an unread answer is read.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Minimum bytes that a client must read within its patience. Without it, a client that reads single bytes would
/// keep its place for ever.
const FEWEST: usize = 64 * 1024;

/// A stream whose writes fail when the client reads too little for too long.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// The timer, running since a write had to wait. `None` if the client has read enough.
    waiting: Option<Pin<Box<Sleep>>>,
    /// The bytes written since the timer started.
    written: usize,
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            waiting: None,
            written: 0,
        }
    }

    /// Polls a write. `length` returns the number of written bytes. Only [`FEWEST`] bytes stop the timer.
    fn write<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
        length: impl FnOnce(&T) -> usize,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), context) {
            self.written += written.as_ref().map_or(0, length);
            if self.written >= FEWEST {
                self.waiting = None;
            }
            return Poll::Ready(written);
        }
        if self.waiting.is_none() {
            self.written = 0;
        }
        let patience = self.patience;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        waiting
            .as_mut()
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        read: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write(
            context,
            |stream, context| stream.poll_write(context, bytes),
            |length| *length,
        )
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(
            context,
            |stream, context| stream.poll_write_vectored(context, parts),
            |length| *length,
        )
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A finished flush stops the timer: nothing is left to read.
        self.write(context, AsyncWrite::poll_flush, |()| FEWEST)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write(context, AsyncWrite::poll_shutdown, |()| FEWEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[tokio::test]
    async fn a_write_that_nobody_reads_fails() {
        let (here, mut there) = tokio::io::duplex(8);
        let mut stream = Patient::new(here, Duration::from_millis(20));
        stream.write_all(b"12345678").await.expect("room");
        let failed = stream.write_all(b"9").await.expect_err("no room");
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
        there.read_exact(&mut [0; 8]).await.expect("the bytes");
        stream.write_all(b"9").await.expect("room again");
    }

    /// Reading a few bytes now and then does not keep the connection.
    #[tokio::test]
    async fn a_write_that_is_read_byte_by_byte_fails() {
        let (here, mut there) = tokio::io::duplex(8);
        let mut stream = Patient::new(here, Duration::from_millis(50));
        let reading = tokio::spawn(async move {
            while there.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let failed = stream.write_all(&vec![0; FEWEST]).await.expect_err("slow");
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
        drop(stream);
        reading.await.expect("the reader ends");
    }

    /// A client that reads steadily may take longer than the patience for the whole answer.
    #[tokio::test]
    async fn a_write_that_is_read_steadily_does_not_fail() {
        let (here, mut there) = tokio::io::duplex(FEWEST);
        let mut stream = Patient::new(here, Duration::from_millis(200));
        let reading = tokio::spawn(async move {
            let mut part = vec![0; FEWEST];
            while there.read_exact(&mut part).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(40)).await;
            }
        });
        stream.write_all(&vec![0; 10 * FEWEST]).await.expect("read");
        stream.flush().await.expect("read");
        drop(stream);
        reading.await.expect("the reader ends");
    }
}
