//! A runner that starts the program of an agent.

use crate::agent::heard::{Bounds, End, Heard, hear};
use crate::agent::{AgentCommand, AgentMessage, AgentProgress, AgentRequest, TaskKind};
use crate::schedule::entry::shown_limit;
use crate::schedule::record::{Ended, MOST_OUTPUT, Outcome};
use crate::schedule::run::{Job, Runner};
use skills_host::process::MARK;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::agent::heard::REFUSED;

/// The program of an agent, which gets an [`AgentRequest`] with the message for the model, and writes the result to
/// standard output.
///
/// The name and the folder of the skill are in its environment: `SKILL_NAME`, `SKILL_DIR`. The program runs in a
/// process group of its own, without a shell. When the program ends, or reaches its limit, its other processes are
/// ended like those of [`AgentCommand::ask`].
#[derive(Clone)]
pub struct CommandRunner {
    /// The command of the agent.
    pub command: AgentCommand,
    /// The working folder of the agent; `None` for that of this process.
    pub folder: Option<PathBuf>,
    /// Receives what the agent prints on standard error while it works.
    pub progress: AgentProgress,
}

impl Runner for CommandRunner {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Ended {
        let request = AgentRequest {
            task: TaskKind::Schedule,
            folder: self.folder.clone(),
            skill: Some(job.name.clone()),
            skill_folder: Some(job.folder.clone()),
            limit_seconds: Some(job.limit.as_secs()),
            variables: vec![(MARK.to_owned(), job.mark.clone())],
            messages: vec![AgentMessage::new("user", job.message.clone())],
            ..AgentRequest::default()
        };
        let run = match self.command.ask(&request) {
            Ok(run) => run,
            Err(error) => return Ended::failed(error),
        };
        let bounds = Bounds {
            program: self.command.program(),
            limit: job.limit,
            output: MOST_OUTPUT,
            is_stopped: &|| stop.load(Ordering::Relaxed),
            progress: &self.progress,
        };
        ended(&hear(run, &bounds), job)
    }
}

/// Classifies the end of a run.
fn ended(heard: &Heard, job: &Job) -> Ended {
    let output = heard.output();
    let code = heard.end.code();
    let fault = heard.end.fault(&shown_limit(job.limit));
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
