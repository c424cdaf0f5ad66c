//! One question to an agent, and its whole answer.

use crate::agent::heard::{Bounds, hear};
use crate::agent::marked::MARK;
use crate::agent::{AgentCall, AgentCommand};
use crate::error::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The most bytes of an answer that are kept.
const MOST: usize = 64 * 1024;

impl AgentCommand {
    /// Starts the agent with a question on its standard input, and waits for its whole answer: what it printed on
    /// standard output, of which 64 KiB are kept. When it ends, is stopped, or reaches the limit, its processes are
    /// ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], [`ErrorKind::Io`]: it cannot be started. [`ErrorKind::Cancelled`]: `is_stopped`
    /// said so. [`ErrorKind::Program`]: it ended with a code other than 0, by a signal, or at the limit; the
    /// message ends with the last lines of its standard error.
    pub fn answer(
        &self,
        question: &str,
        limit: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<String, Error> {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        let asked = ASKED.fetch_add(1, Ordering::Relaxed);
        let mark = format!("answer-{}-{asked}", std::process::id());
        let run = self.start(AgentCall {
            input: question.as_bytes().to_vec(),
            folder: None,
            variables: vec![(MARK.to_owned(), mark.clone())],
        })?;
        let heard = hear(
            run,
            &Bounds {
                limit,
                output: MOST,
                mark: &mark,
                is_stopped,
            },
        );
        let Some(fault) = heard.end.fault(&format_args!("{} s", limit.as_secs())) else {
            return Ok(heard.output());
        };
        let kind = if is_stopped() {
            ErrorKind::Cancelled
        } else {
            ErrorKind::Program
        };
        let program = self.words().first().map_or("", String::as_str);
        let lines = heard.last_lines();
        let message = format!("`{program}` gave no answer: {fault}{lines}");
        let help = "see why it fails, then run the command again: kept answers are not asked again";
        Err(Error::new(kind, message).help(help))
    }
}
