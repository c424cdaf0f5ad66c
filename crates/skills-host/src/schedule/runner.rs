//! Runners, and the results of their runs.

use crate::schedule::entry::Limit;
use crate::schedule::names::ScheduleName;
use crate::schedule::record::{Outcome, RunId};
use skills_format::ToolRule;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

/// The job of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Job {
    /// The id of the run.
    pub id: RunId,
    /// The name of the skill.
    pub name: ScheduleName,
    /// The folder of the skill.
    pub folder: PathBuf,
    /// The message for the model: the rules of the profile, the note of a manual run, and the skill.
    pub message: String,
    /// The rules of the skill's `allowed-tools`; empty if the skill declares none. A run approves nothing: no
    /// person started it. Where the host's profile narrows, the rules limit what the runner allows.
    pub allowed_tools: Vec<ToolRule>,
    /// The rules of the skill's `disallowed-tools`, which take tools away.
    pub disallowed_tools: Vec<ToolRule>,
    /// Maximum time of the run.
    pub limit: Limit,
}

/// The end of a run, as its runner reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The outcome.
    pub outcome: Outcome,
    /// The exit code, if there is one.
    pub code: Option<i32>,
    /// The reason, in words.
    pub reason: String,
    /// The output; at most [`MOST_OUTPUT`](crate::schedule::MOST_OUTPUT) bytes.
    pub output: String,
    /// The size of the whole output in bytes.
    pub output_bytes: u64,
}

/// Carries out a run, and returns when no part of the run continues.
///
/// A host without threads does not need a runner: [`Scheduler::begin`](crate::schedule::Scheduler::begin) returns the
/// job, and [`Scheduler::finish`](crate::schedule::Scheduler::finish) takes the result.
pub trait Runner: Sync {
    /// Runs the job until it ends, reaches its limit, or `stop` requests the end.
    ///
    /// A runner gives a run its own permissions at most, and never more.
    fn run(&self, job: &Job, stop: &Stop) -> Ended;
}

/// A request to end, shared by a daemon and its runs.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

/// The level of a request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// No request.
    None,
    /// No new run may begin.
    NoNew,
    /// The runs must end.
    Now,
}

impl Job {
    /// Returns the mark of the run's processes, in their environment.
    pub(crate) fn mark(&self) -> String {
        self.id.mark(&self.name)
    }
}

impl Ended {
    /// Creates the end of a run that could not begin, or failed.
    pub fn failed(reason: impl std::fmt::Display) -> Self {
        Self {
            outcome: Outcome::Failed,
            code: None,
            reason: format!("{reason:#}"),
            output: String::new(),
            output_bytes: 0,
        }
    }
}

impl Stop {
    /// Raises the level. A lower level has no effect.
    pub fn raise(&self, level: StopLevel) {
        self.0.fetch_max(level as u8, Ordering::SeqCst);
    }

    /// Returns the present level.
    pub fn level(&self) -> StopLevel {
        match self.0.load(Ordering::SeqCst) {
            0 => StopLevel::None,
            1 => StopLevel::NoNew,
            _ => StopLevel::Now,
        }
    }
}
