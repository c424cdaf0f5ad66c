//! `skills schedule run`: a manual run.

use crate::commands::agent_settings::AgentLine;
use crate::commands::install::session::failure;
use crate::commands::schedule::document::RunJson;
use crate::commands::schedule::log::{plan_of, print};
use crate::commands::schedule::site::{RunnerOptions, Site};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use skills_host::schedule::{Ended, Outcome as RunOutcome, Runner as _, Stop, StopLevel, Trigger};
use skills_store::files::clock::Clock as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

/// Run a scheduled skill now
///
/// The model gets a note before the skill: carry out the task, and create no schedule. The schedule does
/// not change.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunCommand {
    /// The schedule: its short name, or its full name
    name: String,
    #[command(flatten)]
    runner: RunnerOptions,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule run standup --agent 'my-agent --print'
  skills schedule run standup --agent cat          what the agent would get

Exit code: 0 the run is ok; 1 it ended otherwise; 2 wrong usage, or the run could not be recorded.";

/// `schedule run --format json`
#[derive(Serialize)]
struct ScheduleRunDocument<'r> {
    schema: u32,
    run: RunJson<'r>,
}

impl RunCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.carry_out(environment, output)
    }

    fn carry_out(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let line = AgentLine::new(&self.name);
        let runner = self.runner.runner(environment)?.progress(line.progress());
        let begun = scheduler
            .begin(&self.name, &Trigger::ByHand, SystemClock.now())
            .map_err(|error| failure(&error))?;
        let run = begun.ok_or_else(|| {
            Failure::not_so("the schedule is not due", "run the same command again")
        })?;
        let ended = match run.job() {
            Ok(job) => stoppable(|stop| runner.run(job, stop)).unwrap_or_else(Ended::failed),
            Err(error) => Ended::failed(error),
        };
        drop(line);
        let now = SystemClock.now();
        // Printed before the error: when the record cannot be written, the output of the agent is not in any
        // file.
        let record = run.record(&ended, now);
        let finished = scheduler.finish(&run, &ended, now);
        match self.format {
            Format::Json => output.json(&ScheduleRunDocument {
                schema: 1,
                run: RunJson::of(&record),
            })?,
            Format::Text => print(&record, plan_of(&scheduler, &record.name).as_ref(), output)?,
        }
        finished.map_err(|error| failure(&error))?;
        Ok(if record.outcome == RunOutcome::Ok {
            Outcome::Done
        } else {
            Outcome::Findings
        })
    }
}

/// Runs until the end, or until Ctrl-C or SIGTERM.
///
/// # Errors
///
/// No thread can be started, which would look for the request. Then nothing is run.
fn stoppable(run: impl FnOnce(&Stop) -> Ended) -> io::Result<Ended> {
    let stop = Stop::default();
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        // The scope waits for the thread, also after a panic: then too the thread must end.
        let _done = Done(&done);
        // `Scope::spawn` would panic at the user's limit of processes.
        Builder::new().spawn_scoped(scope, || {
            while !done.load(Ordering::Relaxed) {
                if asked.load(Ordering::Relaxed) {
                    stop.raise(StopLevel::Now);
                }
                thread::sleep(Duration::from_millis(50));
            }
        })?;
        Ok(run(&stop))
    })
}

/// Sets a flag when it is dropped.
struct Done<'d>(&'d AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
