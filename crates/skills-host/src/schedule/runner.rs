//! What carries out a run, and what it gives back.

use crate::schedule::entry::Limit;
use crate::schedule::record::{Outcome, RunId};
use skills_format::ToolRule;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};

/// What a run is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Job {
    /// The id of the run.
    pub id: RunId,
    /// The name of the skill.
    pub name: String,
    /// The folder of the skill.
    pub folder: PathBuf,
    /// What a model gets: the rules of the profile, the note of a run by hand, and the skill.
    pub message: String,
    /// The tools that the skill names. Empty: the skill declares no rules. They narrow what the runner
    /// allows, and never widen it.
    pub allowed_tools: Vec<ToolRule>,
    /// How long the run may take.
    pub limit: Limit,
}

/// How a run ended, as its runner knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub outcome: Outcome,
    /// The exit code, where there is one.
    pub code: Option<i32>,
    /// Why, in words.
    pub reason: String,
    /// Its output, at most [`MOST_OUTPUT`](crate::schedule::MOST_OUTPUT) bytes of it.
    pub output: String,
    /// How many bytes of output it wrote.
    pub output_bytes: u64,
}

/// Carries out a run, and returns when nothing of it runs any more.
///
/// A host without threads does not need it: [`Scheduler::begin`](crate::schedule::Scheduler::begin) gives
/// the job, and [`Scheduler::finish`](crate::schedule::Scheduler::finish) takes what came of it.
pub trait Runner: Sync {
    /// Runs the job until it ends, its limit is reached, or `stop` asks for the end.
    ///
    /// A runner has permissions of its own. It gives a run what it was given, and never more.
    fn run(&self, job: &Job, stop: &Stop) -> Ended;
}

/// Asks runs to end. Shared by a daemon and its runs.
#[derive(Debug, Default)]
pub struct Stop(AtomicU8);

/// What is asked of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// Nothing.
    None,
    /// No new run begins.
    NoNew,
    /// The runs end.
    Now,
}

impl Job {
    /// What marks every process of the run, in its environment.
    pub(crate) fn mark(&self) -> String {
        self.id.mark(&self.name)
    }
}

impl Ended {
    /// A run that could not begin or be carried out.
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
    /// Raises what is asked. A lower level changes nothing.
    pub fn raise(&self, level: StopLevel) {
        self.0.fetch_max(level as u8, Ordering::SeqCst);
    }

    /// What is asked now.
    pub fn level(&self) -> StopLevel {
        match self.0.load(Ordering::SeqCst) {
            0 => StopLevel::None,
            1 => StopLevel::NoNew,
            _ => StopLevel::Now,
        }
    }
}
