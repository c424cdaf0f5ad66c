//! A question to an agent, and its complete answer.

use crate::agent::heard::{Bounds, hear};
use crate::agent::{AgentCommand, AgentProgress, AgentRequest};
use skills_store::{Error, ErrorKind};
use std::time::Duration;

/// Maximum bytes of an answer that are kept.
const MOST: usize = 64 * 1024;

impl AgentCommand {
    /// Starts the agent with a request, and returns its complete standard output, of which 64 KiB
    /// are kept. When the agent ends, is stopped, or reaches the limit, its processes are ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Io`]: the agent cannot be started. [`ErrorKind::Cancelled`]: `is_stopped`
    /// returned true. [`ErrorKind::Program`]: the agent ended with a code other than 0, by a signal, or at the limit.
    /// The message ends with the last lines of standard error.
    pub fn answer(
        &self,
        request: &AgentRequest,
        limit: Duration,
        is_stopped: &dyn Fn() -> bool,
        progress: &AgentProgress,
    ) -> Result<String, Error> {
        let bounds = Bounds {
            program: self.program(),
            limit,
            output: MOST,
            is_stopped,
            progress,
        };
        let heard = hear(self.ask(request)?, &bounds);
        let Some(fault) = heard.end.fault(&format_args!("{} s", limit.as_secs())) else {
            return Ok(heard.output());
        };
        let kind = if is_stopped() {
            ErrorKind::Cancelled
        } else {
            ErrorKind::Program
        };
        let (program, lines) = (self.program(), heard.last_lines());
        let message = format!("`{program}` gave no answer: {fault}{lines}");
        Err(Error::new(kind, message).help("see why it fails, then run the command again"))
    }
}
