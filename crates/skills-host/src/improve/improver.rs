//! Who repairs a skill: an agent of the host, or a command.

use crate::agent::heard::{Bounds, End, hear};
use crate::agent::marked::MARK;
use crate::agent::{AgentCall, AgentCommand};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How long an agent may take.
pub const LIMIT: Duration = Duration::from_secs(120);
/// The tools that a run is offered, by their names in skills: reading a file, writing a file, running a
/// command. Nothing asks a person, nothing reads the web, and no other agent is started.
pub const TOOLS: &[&str] = &["Read", "Write", "Bash"];
/// How much of an agent's answer is kept.
const MOST_OUTPUT: usize = 64 * 1024;

/// What an agent is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Task {
    /// The name of the skill.
    pub name: String,
    /// The copy of its folder, which the agent changes.
    pub folder: PathBuf,
    /// All that a model is told. There is no history before it.
    pub prompt: String,
    /// The host's names of the tools that the run is offered.
    pub tools: Vec<String>,
    /// How long it may take.
    pub limit: Duration,
    /// What marks the processes of the run.
    pub(crate) mark: String,
}

/// How the run of an agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// Why the agent did not do its work. `None`: it ended well.
    pub fault: Option<String>,
    /// Whether it was ended at its limit.
    pub at_limit: bool,
    /// What it said.
    pub answer: String,
}

/// Repairs skills.
pub trait Improver {
    /// Changes the files of the copy, and returns when nothing of the run goes on any more: soon, when `is_stopped`
    /// says that a person asks for the end.
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> Ended;
}

/// An agent's command: it reads the prompt from standard input, and works in the copy, its working folder.
///
/// `SKILL_NAME` and `SKILL_DIR` are in its environment. No shell runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandImprover {
    command: AgentCommand,
    limit: Duration,
}

impl Ended {
    /// An agent that did its work. The first line of its answer says what it did.
    pub fn well(answer: impl Into<String>) -> Self {
        Self {
            fault: None,
            at_limit: false,
            answer: answer.into(),
        }
    }

    /// An agent that did not do its work.
    pub fn failed(why: impl fmt::Display) -> Self {
        Self {
            fault: Some(format!("{why:#}")),
            at_limit: false,
            answer: String::new(),
        }
    }
}

impl CommandImprover {
    /// An agent that is started with a command.
    pub fn new(command: AgentCommand) -> Self {
        let limit = LIMIT;
        Self { command, limit }
    }

    /// Gives the agent less time than [`LIMIT`].
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }
}

impl Improver for CommandImprover {
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> Ended {
        let variable = |name: &str, value: String| (name.to_owned(), value);
        let call = AgentCall {
            input: task.prompt.clone().into_bytes(),
            folder: Some(task.folder.clone()),
            variables: vec![
                variable("SKILL_NAME", task.name.clone()),
                variable("SKILL_DIR", task.folder.to_string_lossy().into_owned()),
                variable(MARK, task.mark.clone()),
            ],
        };
        let run = match self.command.start(call) {
            Ok(run) => run,
            Err(error) => return Ended::failed(error),
        };
        let limit = task.limit.min(self.limit);
        let bounds = Bounds {
            limit,
            output: MOST_OUTPUT,
            is_stopped,
        };
        let heard = hear(run, &bounds);
        let fault = heard.end.fault(&format!("{} seconds", limit.as_secs()));
        Ended {
            fault: fault.map(|fault| fault + &heard.last_lines()),
            at_limit: heard.end == End::AtLimit,
            answer: heard.output(),
        }
    }
}
