//! The improver: an agent of the host, or a command.

use crate::agent::heard::{Bounds, End, hear};
use crate::agent::marked::MARK;
use crate::agent::{AgentCommand, AgentMessage, AgentProgress, AgentRequest, TaskKind};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum time of an agent.
pub const LIMIT: Duration = Duration::from_secs(120);
/// The tools of a run, by their names in skills: read a file, write a file, run a command. No tool asks a person, reads
/// the web, or starts another agent.
pub const TOOLS: &[&str] = &["Read", "Write", "Bash"];
/// Maximum bytes of an agent's answer that are kept.
const MOST_OUTPUT: usize = 64 * 1024;

/// The task of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Task {
    /// The name of the skill.
    pub name: String,
    /// The copy of the skill's folder, which the agent changes.
    pub folder: PathBuf,
    /// The complete prompt. There is no history before it.
    pub prompt: String,
    /// The tools of the run, by the host's names.
    pub tools: Vec<String>,
    /// Maximum time of the run.
    pub limit: Duration,
    /// The mark of the run's processes.
    pub(crate) mark: String,
}

/// The end of an agent's run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImproverEnded {
    /// The reason why the agent failed; `None` for a successful run.
    pub fault: Option<String>,
    /// True if the agent was ended at its limit.
    pub at_limit: bool,
    /// The answer of the agent.
    pub answer: String,
}

/// An agent that repairs skills.
pub trait Improver {
    /// Changes the files of the copy. Returns when no part of the run continues, and soon after `is_stopped` returns
    /// true.
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> ImproverEnded;
}

/// The command of an agent, which gets an [`AgentRequest`] with the prompt, and works in the copy as its working folder.
///
/// The environment has `SKILL_NAME` and `SKILL_DIR`. No shell runs the command.
#[derive(Clone, Debug)]
pub struct CommandImprover {
    command: AgentCommand,
    limit: Duration,
    progress: AgentProgress,
}

impl ImproverEnded {
    /// Creates the end of a successful run. The first line of the answer is the summary.
    pub fn well(answer: impl Into<String>) -> Self {
        Self {
            fault: None,
            at_limit: false,
            answer: answer.into(),
        }
    }

    /// Creates the end of a failed run.
    pub fn failed(why: impl fmt::Display) -> Self {
        Self {
            fault: Some(format!("{why:#}")),
            at_limit: false,
            answer: String::new(),
        }
    }
}

impl CommandImprover {
    /// Creates an improver from a command.
    pub fn new(command: AgentCommand) -> Self {
        Self {
            command,
            limit: LIMIT,
            progress: AgentProgress::default(),
        }
    }

    /// Sets the receiver of what the agent prints on standard error while it works.
    #[must_use]
    pub fn progress(mut self, progress: AgentProgress) -> Self {
        self.progress = progress;
        self
    }

    /// Sets a shorter limit than [`LIMIT`].
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }
}

impl Improver for CommandImprover {
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> ImproverEnded {
        let limit = task.limit.min(self.limit);
        let request = AgentRequest {
            task: TaskKind::Improve,
            folder: Some(task.folder.clone()),
            skill: Some((task.name.clone(), task.folder.clone())),
            limit: Some(limit),
            tools: Some(task.tools.clone()),
            variables: vec![(MARK.to_owned(), task.mark.clone())],
            messages: vec![AgentMessage::new("user", task.prompt.clone())],
            ..AgentRequest::default()
        };
        let run = match self.command.ask(&request) {
            Ok(run) => run,
            Err(error) => return ImproverEnded::failed(error),
        };
        let bounds = Bounds {
            program: self.command.program(),
            limit,
            output: MOST_OUTPUT,
            is_stopped,
            progress: &self.progress,
        };
        let heard = hear(run, &bounds);
        let fault = heard.end.fault(&format!("{} seconds", limit.as_secs()));
        ImproverEnded {
            fault: fault.map(|fault| fault + &heard.last_lines()),
            at_limit: heard.end == End::AtLimit,
            answer: heard.output(),
        }
    }
}
