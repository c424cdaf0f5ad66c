//! A connection on which each line is a message. The SDK's own passes over a line that is not JSON, and ends at a
//! notification before the first request.

use crate::message::{LONGEST, Refused, read_message, too_long};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer};
use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader, Empty, empty};
use tokio::task::JoinHandle;

/// The messages of a client as lines, and the answers to what is not a message.
pub(crate) struct Lines<R, W>
where
    W: AsyncWrite + Send + Unpin + 'static,
{
    input: BufReader<R>,
    /// The part of a line that was read. It stays when a read is cancelled.
    line: Vec<u8>,
    /// Whether the line is too long, and its rest is passed over.
    is_too_long: bool,
    /// Whether a request was read.
    has_begun: bool,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// An answer that is being written. It goes on when a read is cancelled.
    answer: Option<JoinHandle<io::Result<()>>>,
}

/// The end of a line was read.
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
            output: AsyncRwTransport::new_server(empty(), output),
            answer: None,
        }
    }

    /// The next line. `None`: the client has closed the connection.
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

    /// The message of a line. `None`: there is nothing to hand on.
    fn message(&mut self, line: &Line) -> Option<ClientJsonRpcMessage> {
        let read = match line {
            Line::TooLong => {
                let error = ErrorData::invalid_request(too_long(), None);
                Err(Refused::new(None, error))
            }
            Line::Whole(line) if line.trim_ascii().is_empty() => return None,
            Line::Whole(line) => read_message(line),
        };
        match read {
            // What is left is a notification or an answer in a form that the SDK does not know.
            Ok(message) => serde_json::from_value(message).ok(),
            Err(refused) => {
                self.refuse(refused);
                None
            }
        }
    }

    /// Answers what was read last with an error, before anything else is read.
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
                // The client reads no more.
                written.ok()?.ok()?;
            }
            let line = self.line().await?;
            let message = self.message(&line);
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
