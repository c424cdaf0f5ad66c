//! The improver: an agent of the host, or a command.

use crate::agent::{AgentCommand, AgentMessage, AgentProgress, AgentRequest, TaskKind};
use skills_host::process::MARK;
use skills_store::Error;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum time of an agent.
pub const LIMIT: Duration = Duration::from_secs(120);
/// The tools of a run, by their names in skills: read a file, write a file, run a command. No tool asks a person, reads
/// the web, or starts another agent.
pub const TOOLS: &[&str] = &["Read", "Write", "Bash"];

/// The task of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name of the skill.
    pub name: String,
    /// The copy of the skill's folder, which the agent changes.
    pub folder: PathBuf,
    /// The complete prompt. There is no history before it.
    pub prompt: String,
    /// The tools of the run, by the host's names.
    pub tools: Vec<String>,
    /// The mark of the run's processes.
    pub(crate) mark: String,
}

/// An agent that repairs skills.
pub trait Improver {
    /// Changes the files of the copy, and returns the answer, whose first line is the summary. Returns when no part of the
    /// run continues, and soon after `is_stopped` returns true.
    ///
    /// # Errors
    ///
    /// The agent failed, or was ended at its limit.
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> Result<String, Error>;
}

/// The command of an agent, which gets an [`AgentRequest`] with the prompt, and works in the copy as its working folder.
///
/// The environment has `SKILL_NAME` and `SKILL_DIR`. No shell runs the command.
#[derive(Clone)]
pub struct CommandImprover {
    /// The command of the agent.
    pub command: AgentCommand,
    /// Maximum time of a run: [`LIMIT`], which the prompt names, or less.
    pub limit: Duration,
    /// Receives what the agent prints on standard error while it works.
    pub progress: AgentProgress,
}

impl Improver for CommandImprover {
    fn improve(&self, task: &Task, is_stopped: &dyn Fn() -> bool) -> Result<String, Error> {
        let request = AgentRequest {
            task: TaskKind::Improve,
            folder: Some(task.folder.clone()),
            skill: Some(task.name.clone()),
            skill_folder: Some(task.folder.clone()),
            limit_seconds: Some(self.limit.as_secs()),
            tools: Some(task.tools.clone()),
            variables: vec![(MARK.to_owned(), task.mark.clone())],
            messages: vec![AgentMessage::new("user", task.prompt.clone())],
            ..AgentRequest::default()
        };
        self.command
            .answer(&request, self.limit, is_stopped, &self.progress)
    }
}
