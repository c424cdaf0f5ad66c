//! A transport with one message a line. The SDK's own transport skips lines that are not JSON, and ends at a
//! notification before the first request.

use crate::message::{LONGEST, Received, Refused, checked_in_batch, read, too_long, unbatched};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader, Empty, empty};
use tokio::task::JoinHandle;

/// The messages of a client as lines, and the errors for lines that are not messages.
pub(crate) struct Lines<R, W>
where
    W: AsyncWrite + Send + Unpin + 'static,
{
    input: BufReader<R>,
    /// The part of a line that was read so far. It survives a cancelled read.
    line: Vec<u8>,
    /// True while the rest of a line that is too long is skipped.
    is_too_long: bool,
    /// True once a request was read.
    has_begun: bool,
    /// Whether the version of the protocol has batches.
    pub(crate) has_batches: bool,
    /// The rest of a batch. The answers are lines of their own, so that few of them are in memory.
    batch: VecDeque<Value>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// An error that is being written. Its writing survives a cancelled read.
    answer: Option<JoinHandle<io::Result<()>>>,
}

/// A line that was read to its end.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            is_too_long: false,
            has_begun: false,
            has_batches: false,
            batch: VecDeque::new(),
            output: AsyncRwTransport::new_server(empty(), output),
            answer: None,
        }
    }

    /// Reads the next line. Returns `None` when the client has closed the connection.
    async fn line(&mut self) -> Option<Line> {
        loop {
            let read = self.input.fill_buf().await.ok()?;
            let end = read.iter().position(|byte| *byte == b'\n');
            let (taken, is_end) = match end {
                Some(end) => (end + 1, true),
                None => (read.len(), read.is_empty()),
            };
            let part = read.get(..end.unwrap_or(taken)).unwrap_or_default();
            if !self.is_too_long && self.line.len() + part.len() <= LONGEST {
                self.line.extend_from_slice(part);
            } else {
                self.is_too_long = true;
                self.line = Vec::new();
            }
            self.input.consume(taken);
            if is_end {
                let line = std::mem::take(&mut self.line);
                return match (taken, line.len(), self.is_too_long) {
                    (0, 0, _) => None,
                    (_, _, true) => {
                        self.is_too_long = false;
                        Some(Line::TooLong)
                    }
                    _ => Some(Line::Whole(line)),
                };
            }
        }
    }

    /// Parses the message of a line. Returns `None` if there is nothing to pass to the SDK.
    fn message(&mut self, line: &Line) -> Option<ClientJsonRpcMessage> {
        let read = match line {
            Line::TooLong => {
                let error = ErrorData::invalid_request(too_long(), None);
                Err(Refused::new(None, error))
            }
            Line::Whole(line) if line.trim_ascii().is_empty() => return None,
            Line::Whole(line) => read(line),
        };
        let read = match read {
            Ok(Received::Batch(messages)) if self.has_batches => {
                self.batch = messages.into();
                return None;
            }
            Ok(Received::Batch(_)) => Err(unbatched()),
            Ok(Received::Message(message)) => Ok(message),
            Err(refused) => Err(refused),
        };
        self.passed(read)
    }

    /// Returns a checked message for the SDK, or sends its error.
    fn passed(&mut self, read: Result<Value, Refused>) -> Option<ClientJsonRpcMessage> {
        match read {
            // The rest are notifications and answers in a form that the SDK does not know.
            Ok(message) => serde_json::from_value(message).ok(),
            Err(refused) => {
                self.refuse(refused);
                None
            }
        }
    }

    /// Sends an error for the last message. The next line is read after the error was written.
    pub(crate) fn refuse(&mut self, refused: Refused) {
        let error = ServerJsonRpcMessage::error(*refused.error, refused.id);
        let sent = self.output.send(error);
        self.answer = Some(tokio::spawn(sent));
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.output.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // A client that does not read its answers is not read either.
            if let Some(answer) = &mut self.answer {
                let written = answer.await;
                self.answer = None;
                // A failed write: the client no longer reads.
                written.ok()?.ok()?;
            }
            let message = if let Some(message) = self.batch.pop_front() {
                self.passed(checked_in_batch(message))
            } else {
                let line = self.line().await?;
                self.message(&line)
            };
            // The SDK ends the connection at a notification before the first request, so such messages are dropped.
            self.has_begun |= matches!(message, Some(JsonRpcMessage::Request(_)));
            if message.is_some() && self.has_begun {
                return message;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.close().await
    }
}
