//! A question to an agent, and its complete answer.

use crate::agent::heard::{Bounds, Heard, hear};
use crate::agent::{AgentCommand, AgentProgress, AgentRequest, AgentRun};
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
        let help = "see why it fails, then run the command again";
        let bounds = Bounds {
            program: self.program(),
            limit,
            output: MOST,
            is_stopped,
            progress,
        };
        let heard = self.heard(self.ask(request)?, &bounds, help)?;
        Ok(heard.output())
    }

    /// Runs the program to its end. Any end but exit code 0 is an error.
    fn heard(&self, run: AgentRun, bounds: &Bounds<'_>, help: &str) -> Result<Heard, Error> {
        let heard = hear(run, bounds);
        let Some(fault) = heard
            .end
            .fault(&format_args!("{} s", bounds.limit.as_secs()))
        else {
            return Ok(heard);
        };
        let kind = if (bounds.is_stopped)() {
            ErrorKind::Cancelled
        } else {
            ErrorKind::Program
        };
        let program = self.program();
        let lines = heard.last_lines();
        let message = format!("`{program}` gave no answer: {fault}{lines}");
        Err(Error::new(kind, message).help(help))
    }
}
