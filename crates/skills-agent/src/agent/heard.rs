//! The output of an agent until its end, its limit or a request to stop.

use crate::agent::{AgentEnd, AgentEvent, AgentProgress, AgentRun, ErrorLines};
use skills_host::waited::Waited;
use std::time::{Duration, Instant};

/// The exit code of an agent that asked for a permission which nobody can give.
pub const REFUSED: i32 = 77;
/// Maximum bytes of standard error that are kept: its last bytes.
const MOST_ERRORS: usize = 8 * 1024;
/// Number of lines of standard error that are shown.
const LAST_LINES: usize = 20;
/// The interval in which a run is polled.
const PAUSE: Duration = Duration::from_millis(50);

/// The reason why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    ItEnded(AgentEnd),
    AtLimit,
    Stopped,
}

/// The output of an agent.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) end: End,
    pub(crate) output_bytes: u64,
    /// The first bytes of standard output.
    output: Vec<u8>,
    /// The last bytes of standard error.
    errors: Vec<u8>,
    lines: ErrorLines,
    /// The last line of standard error.
    last_line: String,
    /// True when a person is told what is waited for. A line of the agent is then a part of these words.
    is_told: bool,
}

/// The bounds of a run.
pub(crate) struct Bounds<'b> {
    /// The program that is waited for.
    pub(crate) program: &'b str,
    pub(crate) limit: Duration,
    /// Maximum bytes of output that are kept.
    pub(crate) output: usize,
    /// Returns true to stop the run.
    pub(crate) is_stopped: &'b dyn Fn() -> bool,
    /// Receives the lines of standard error, and after a time what is waited for.
    pub(crate) progress: &'b AgentProgress,
}

/// Follows an agent until it ends. At the limit, or on request, ends the agent with its processes.
pub(crate) fn hear(mut run: AgentRun, bounds: &Bounds<'_>) -> Heard {
    let mut heard = Heard {
        end: End::Stopped,
        output_bytes: 0,
        output: Vec::new(),
        errors: Vec::new(),
        lines: ErrorLines::default(),
        last_line: String::new(),
        is_told: false,
    };
    heard.end = heard.follow(&mut run, bounds);
    if !matches!(heard.end, End::ItEnded(_)) {
        let had_ended = run.has_ended_by_itself();
        let end = run.stop();
        // Keeps what was printed before the end. `next` returns the end soon, whatever still prints.
        while heard.take(run.next(PAUSE), bounds).is_none() {}
        // The agent ended before its limit, and only processes that it left behind still ran: this is not a timeout.
        if heard.end == End::AtLimit && had_ended {
            heard.end = End::ItEnded(end);
        }
    }
    heard
}

impl Heard {
    #[expect(
        clippy::disallowed_methods,
        reason = "a limit counts on a clock that nobody sets"
    )]
    fn follow(&mut self, run: &mut AgentRun, bounds: &Bounds<'_>) -> End {
        let start = Instant::now();
        let mut waited = Waited::new(bounds.program, "");
        loop {
            if let Some(end) = self.take(run.next(PAUSE), bounds) {
                return End::ItEnded(end);
            }
            let time = start.elapsed();
            waited.tell(time, &self.last_line, &**bounds.progress);
            self.is_told = Waited::is_told(time);
            if start.elapsed() >= bounds.limit {
                return End::AtLimit;
            }
            if (bounds.is_stopped)() {
                return End::Stopped;
            }
        }
    }

    /// Keeps what an agent printed. Returns the end of the agent.
    fn take(&mut self, event: Option<AgentEvent>, bounds: &Bounds<'_>) -> Option<AgentEnd> {
        match event? {
            AgentEvent::Output(bytes) => {
                self.output_bytes += bytes.len() as u64;
                let room = bounds.output.saturating_sub(self.output.len());
                self.output.extend(bytes.iter().take(room));
            }
            AgentEvent::Errors(bytes) => {
                let Self {
                    lines,
                    last_line,
                    is_told,
                    ..
                } = self;
                lines.push(&bytes, &mut |line| {
                    if !*is_told {
                        (bounds.progress)(line);
                    }
                    line.clone_into(last_line);
                });
                self.errors.extend(bytes);
                let gone = self.errors.len().saturating_sub(MOST_ERRORS);
                self.errors.drain(..gone);
            }
            AgentEvent::Ended(end) => return Some(end),
        }
        None
    }

    /// Returns the output as text, without a character that was cut at the end.
    pub(crate) fn output(&self) -> String {
        let kept = match std::str::from_utf8(&self.output) {
            Err(error) if error.error_len().is_none() => self.output.get(..error.valid_up_to()),
            _ => Some(self.output.as_slice()),
        };
        String::from_utf8_lossy(kept.unwrap_or_default()).into_owned()
    }

    /// Returns the last lines of standard error, each after a line feed.
    pub(crate) fn last_lines(&self) -> String {
        let errors = String::from_utf8_lossy(&self.errors);
        let mut lines: Vec<&str> = errors.lines().rev().take(LAST_LINES).collect();
        lines.reverse();
        lines.iter().flat_map(|line| ["\n", line]).collect()
    }
}

impl End {
    /// Returns the exit code of an agent that ended by itself.
    pub(crate) fn code(self) -> Option<i32> {
        match self {
            Self::ItEnded(end) => end.code,
            Self::AtLimit | Self::Stopped => None,
        }
    }

    /// Explains why the agent failed; `None` if it exited with code 0.
    pub(crate) fn fault(self, limit: &dyn std::fmt::Display) -> Option<String> {
        let end = match self {
            Self::AtLimit => return Some(format!("it was killed at its limit of {limit}")),
            Self::Stopped => {
                let why = "it was killed, because the program that ran it was told to stop";
                return Some(why.to_owned());
            }
            Self::ItEnded(end) => end,
        };
        match end.code {
            Some(0) => None,
            Some(REFUSED) => {
                Some("it requested a permission, and no user is present to grant it".to_owned())
            }
            Some(code) => Some(format!("it exited with code {code}")),
            None => {
                let signal = end.signal.map(|signal| format!(" {signal}"));
                Some(format!(
                    "it was ended by signal{}",
                    signal.unwrap_or_default()
                ))
            }
        }
    }
}
