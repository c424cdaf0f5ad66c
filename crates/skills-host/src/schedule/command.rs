//! A runner that starts the program of an agent.

use crate::agent::heard::{Bounds, End, Heard, hear};
use crate::agent::marked::MARK;
use crate::agent::{AgentCall, AgentCommand};
use crate::schedule::record::{MOST_OUTPUT, Outcome};
use crate::schedule::runner::{Ended, Job, Runner, Stop, StopLevel};
use std::path::PathBuf;

pub use crate::agent::heard::REFUSED;

/// The program of an agent, which reads the message for the model from standard input, and writes the result to
/// standard output.
///
/// The name and the folder of the skill are in its environment: `SKILL_NAME`, `SKILL_DIR`. The program runs in a
/// process group of its own, without a shell. When the program ends, or reaches its limit, its other processes are
/// ended like those of [`AgentCommand::start`]: all of them below a [supervisor](AgentCommand::supervisor).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRunner {
    command: AgentCommand,
    folder: Option<PathBuf>,
}

impl CommandRunner {
    /// Creates a runner that starts a command.
    pub fn new(command: AgentCommand) -> Self {
        let folder = None;
        Self { command, folder }
    }

    /// Sets the working folder of the agent. The default is the working folder of this process.
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
                (text("SKILL_NAME"), job.name.to_string()),
                (text("SKILL_DIR"), job.folder.to_string_lossy().into_owned()),
                (text(MARK), job.mark()),
            ],
        }
    }
}

impl Runner for CommandRunner {
    fn run(&self, job: &Job, stop: &Stop) -> Ended {
        let run = match self.command.start(self.call(job)) {
            Ok(run) => run,
            Err(error) => return Ended::failed(error),
        };
        let bounds = Bounds {
            limit: job.limit.duration(),
            output: MOST_OUTPUT,
            is_stopped: &|| stop.level() == StopLevel::Now,
        };
        ended(&hear(run, &bounds), job)
    }
}

/// Classifies the end of a run.
fn ended(heard: &Heard, job: &Job) -> Ended {
    let output = heard.output();
    let code = heard.end.code();
    let fault = heard.end.fault(&job.limit);
    let (outcome, mut reason) = match (heard.end, fault) {
        (End::AtLimit | End::Stopped, fault) => (Outcome::TimedOut, fault.unwrap_or_default()),
        (_, None) if output.trim().is_empty() => (
            Outcome::NoOutput,
            "it ended well, and wrote nothing".to_owned(),
        ),
        (_, None) => (Outcome::Ok, String::new()),
        (_, Some(fault)) if code == Some(REFUSED) => (Outcome::Refused, fault),
        (_, Some(fault)) => (Outcome::Failed, fault),
    };
    if outcome != Outcome::Ok {
        reason.push_str(&heard.last_lines());
    }
    Ended {
        outcome,
        code,
        reason,
        output,
        output_bytes: heard.output_bytes,
    }
}
