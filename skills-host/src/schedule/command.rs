//! A runner that starts an agent's program.

use crate::agent::{AgentCall, AgentCommand, AgentEnd, AgentEvent, AgentRun};
use crate::schedule::marked::{MARK, end_marked};
use crate::schedule::record::{MOST_OUTPUT, Outcome};
use crate::schedule::runner::{Ended, Job, Runner, Stop, StopLevel};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The exit code of an agent that asked for a permission which nobody can give.
pub const REFUSED: i32 = 77;
/// How much of standard error is kept: its end.
const MOST_ERRORS: usize = 8 * 1024;
/// How many lines of it a record holds.
const LAST_LINES: usize = 20;
/// How often a run is looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// An agent's program: it reads what a model gets from standard input, and writes the result to standard
/// output.
///
/// The name and the folder of the skill are in its environment: `SKILL_NAME`, `SKILL_DIR`. It runs in a
/// process group of its own, without a shell. When it ends, or reaches its limit, what is left of the group
/// is ended. A process that left the group is ended with a run that reaches its limit, on Linux.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRunner {
    command: AgentCommand,
    folder: Option<PathBuf>,
}

impl CommandRunner {
    /// A runner that starts a command.
    pub fn new(command: AgentCommand) -> Self {
        let folder = None;
        Self { command, folder }
    }

    /// Sets the working folder of the agent. Without it, the working folder of this process is used.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    fn call(&self, job: &Job) -> AgentCall {
        let text = |text: &str| text.to_owned();
        AgentCall {
            input: job.message.clone().into_bytes(),
            folder: self.folder.clone(),
            variables: vec![
                (text("SKILL_NAME"), job.name.clone()),
                (text("SKILL_DIR"), job.folder.to_string_lossy().into_owned()),
                (text(MARK), job.mark()),
            ],
        }
    }
}

impl Runner for CommandRunner {
    fn run(&self, job: &Job, stop: &Stop) -> Ended {
        let mut run = match self.command.start(self.call(job)) {
            Ok(run) => run,
            Err(error) => return Ended::failed(error),
        };
        let mut said = Said::default();
        let end = follow(&mut run, job, stop, &mut said);
        if !matches!(end, End::ItEnded(_)) {
            run.stop();
            end_marked(&job.mark());
            while said.take(run.next(PAUSE)).is_none() {}
        }
        run.end_group();
        said.ended(&end, job)
    }
}

/// Why a run is no longer waited for.
enum End {
    ItEnded(AgentEnd),
    AtLimit,
    Stopped,
}

impl End {
    fn code(&self) -> Option<i32> {
        match self {
            Self::ItEnded(end) => end.code,
            Self::AtLimit | Self::Stopped => None,
        }
    }

    /// The outcome, and why it is not [`Outcome::Ok`].
    fn outcome(&self, output: &str, job: &Job) -> (Outcome, String) {
        let because = |outcome, reason: &str| (outcome, reason.to_owned());
        match (self, self.code()) {
            (Self::AtLimit, _) => {
                let reason = format!("it was ended at its limit of {}", job.limit);
                (Outcome::TimedOut, reason)
            }
            (Self::Stopped, _) => {
                let reason = "it was ended, because this was asked of what ran it";
                because(Outcome::TimedOut, reason)
            }
            (_, Some(0)) if output.trim().is_empty() => {
                because(Outcome::NoOutput, "it ended well, and wrote nothing")
            }
            (_, Some(0)) => because(Outcome::Ok, ""),
            (_, Some(REFUSED)) => {
                let reason = "it asked for a permission, and nobody is there to give it";
                because(Outcome::Refused, reason)
            }
            (_, Some(code)) => (Outcome::Failed, format!("it ended with code {code}")),
            (Self::ItEnded(end), None) => {
                let signal = end.signal.map(|signal| format!(" {signal}"));
                let signal = signal.unwrap_or_default();
                (Outcome::Failed, format!("it was ended by signal{signal}"))
            }
        }
    }
}

/// What an agent has said.
#[derive(Default)]
struct Said {
    /// The beginning of its output.
    output: Vec<u8>,
    output_bytes: u64,
    /// The end of what it wrote to standard error.
    errors: Vec<u8>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a limit counts on a clock that nobody sets"
)]
fn follow(run: &mut AgentRun, job: &Job, stop: &Stop, said: &mut Said) -> End {
    let start = Instant::now();
    loop {
        if let Some(end) = said.take(run.next(PAUSE)) {
            return End::ItEnded(end);
        }
        if start.elapsed() >= job.limit.duration() {
            return End::AtLimit;
        }
        if stop.level() == StopLevel::Now {
            return End::Stopped;
        }
    }
}

impl Said {
    /// Keeps what an agent said. Gives its end.
    fn take(&mut self, event: Option<AgentEvent>) -> Option<AgentEnd> {
        match event? {
            AgentEvent::Output(bytes) => {
                self.output_bytes += bytes.len() as u64;
                let room = MOST_OUTPUT.saturating_sub(self.output.len());
                self.output.extend(bytes.iter().take(room));
            }
            AgentEvent::Errors(bytes) => {
                self.errors.extend(bytes);
                let gone = self.errors.len().saturating_sub(MOST_ERRORS);
                self.errors.drain(..gone);
            }
            AgentEvent::Ended(end) => return Some(end),
        }
        None
    }

    /// The output as text. A character that is cut at its end is left out.
    fn output(&self) -> String {
        let kept = match std::str::from_utf8(&self.output) {
            Err(error) if error.error_len().is_none() => self.output.get(..error.valid_up_to()),
            _ => Some(self.output.as_slice()),
        };
        String::from_utf8_lossy(kept.unwrap_or_default()).into_owned()
    }

    fn ended(&self, end: &End, job: &Job) -> Ended {
        let output = self.output();
        let (outcome, mut reason) = end.outcome(&output, job);
        if outcome != Outcome::Ok {
            self.add_last_lines(&mut reason);
        }
        Ended {
            outcome,
            code: end.code(),
            reason,
            output,
            output_bytes: self.output_bytes,
        }
    }

    /// Adds the last lines of standard error.
    fn add_last_lines(&self, reason: &mut String) {
        let errors = String::from_utf8_lossy(&self.errors);
        let mut lines: Vec<&str> = errors.lines().rev().take(LAST_LINES).collect();
        lines.reverse();
        for line in lines {
            reason.push('\n');
            reason.push_str(line);
        }
    }
}
