//! `skills schedule run`, `daemon` and `log`: a manual run, and the records of the runs.

use crate::catalog::options::profiles;
use crate::commands::agent_settings::{AgentLine, AgentOptions};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde_json::{Value, json};
use signal_hook::consts::{SIGINT, SIGTERM};
use skills_agent::agent::{AgentProgress, no_progress};
use skills_agent::schedule::{
    CommandRunner, Daemon, DaemonEvent, DaemonWatcher, MOST_OUTPUT, Outcome as RunOutcome,
    RunRecord, Scheduler, Zone,
};
use skills_format::prose;
use skills_host::files::clock::Clock as _;
use skills_profiles::Profile;
use std::cell::RefCell;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Run a scheduled skill now
///
/// The model gets a note before the skill: carry out the task, and create no schedule. The schedule does
/// not change.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunCommand {
    /// The schedule: its short name, or its full name with 8 more characters
    name: String,
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule run standup --agent 'my-agent --print'
  skills schedule run standup --agent cat          what the agent would get

Exit code: 0 the run is ok; 1 it ended otherwise; 2 wrong usage, or the run could not be recorded.";

/// Show the runs of a schedule, the latest last: time, outcome, reason and output
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills schedule log standup\n  skills schedule log standup --format json"
)]
pub(crate) struct Log {
    /// The schedule: its short name, or its full name with 8 more characters; also a removed schedule
    name: String,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
}

impl RunCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let line = AgentLine::new(&self.name);
        let runner = runner(&self.agent, line.progress(), cx.env)?;
        let asked = stop_flag();
        let begun = scheduler.begin(&self.name, None, SystemClock.now());
        let run = begun?.ok_or_else(|| {
            Failure::not_so("the schedule is not due", "run the same command again")
        })?;
        let ended = run.carry_out(&runner, &asked);
        drop(line);
        let now = SystemClock.now();
        // Printed before the error: when the record cannot be written, the output of the agent is not in any
        // file.
        let record = run.record(&ended, now);
        let zone = zone_of(&scheduler, &record.name);
        let finished = scheduler.finish(&run, &ended, now);
        cx.report(&json!({ "run": documented(&record) }))?;
        print(&record, &zone, cx)?;
        finished?;
        Ok(Outcome::of(!(record.ended.outcome == RunOutcome::Ok)))
    }
}

/// Returns a flag that Ctrl-C and SIGTERM set.
fn stop_flag() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
    }
    asked
}

impl Log {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let (name, records, unread) = scheduler.log(&self.name)?;
        for path in &unread {
            cx.warning(format_args!(
                "{} cannot be read; remove it",
                cx.env.shown(path)
            ));
        }
        // The latest first.
        let runs: Vec<Value> = records.iter().map(documented).collect();
        cx.report(&json!({ "name": name, "runs": runs }))?;
        if records.is_empty() {
            cx.note(format!("{name} has not run yet"));
        }
        let zone = zone_of(&scheduler, &name);
        for (at, record) in records.iter().rev().enumerate() {
            if at > 0 {
                writeln!(cx)?;
            }
            print(record, &zone, cx)?;
        }
        Ok(Outcome::Done)
    }
}

/// Returns a run as a document.
fn documented(record: &RunRecord) -> Value {
    let mut document = json!(record);
    document["cut"] = json!(is_cut(record));
    document
}

/// Returns whether the output was longer than the kept part.
fn is_cut(record: &RunRecord) -> bool {
    record.ended.output_bytes > MOST_OUTPUT as u64
}

/// Returns the zone of a schedule; UTC for a removed schedule.
fn zone_of(scheduler: &Scheduler, name: &str) -> Zone {
    let stored = scheduler.file().read().ok();
    let plan = stored.and_then(|stored| stored.value.0.get(name)?.plan().ok());
    plan.map_or_else(Zone::utc, |plan| plan.zone)
}

/// Prints a run: a line with the outcome, the reason, and the output.
fn print(record: &RunRecord, zone: &Zone, cx: &mut Ctx) -> Result<(), Failure> {
    let took = record.end.duration_since(record.start);
    let took = jiff::SignedDuration::from_millis(i64::try_from(took.as_millis()).unwrap_or(0));
    let why = match record.due {
        Some(due) => format!("due {}", zone.shown(due)),
        None => "by hand".to_owned(),
    };
    let outcome = cx.strong(record.ended.outcome.word());
    let start = zone.shown(record.start);
    writeln!(cx, "{outcome}  {start}  took {took:#}, {why}")?;
    if record.missed > 0 {
        writeln!(cx, "  times before it that had no run: {}", record.missed)?;
    }
    for line in record.ended.reason.lines() {
        write!(cx, "  ")?;
        cx.foreign(line)?;
        writeln!(cx)?;
    }
    cx.foreign(&record.ended.output)?;
    if !record.ended.output.is_empty() && !record.ended.output.ends_with('\n') {
        writeln!(cx)?;
    }
    if is_cut(record) {
        writeln!(
            cx,
            "  the output is cut: the run wrote {} bytes, and {} are kept",
            record.ended.output_bytes,
            record.ended.output.len()
        )?;
    }
    Ok(())
}

/// Run the schedules when they are due, until Ctrl-C or SIGTERM
///
/// Only one daemon runs the schedules of a folder. After the first signal, no run begins, and current runs have 30
/// seconds to finish; a second signal ends them at once. Every run is recorded: `skills schedule log`. One
/// run makes up for the times at which no daemon ran. Each printed line starts with the time.
#[derive(Args, Debug)]
#[command(after_help = DAEMON_EXAMPLES)]
pub(crate) struct DaemonCommand {
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    site: Site,
}

const DAEMON_EXAMPLES: &str = "\
Examples:
  skills schedule daemon --agent 'my-agent --print'";

/// A watcher that prints events and handles signals.
struct EventPrinter<'o> {
    cx: RefCell<&'o mut Ctx>,
    asked: Arc<AtomicBool>,
}

impl DaemonCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let runner = runner(&self.agent, no_progress(), cx.env)?;
        let watcher = EventPrinter {
            cx: RefCell::new(cx),
            asked: stop_flag(),
        };
        let daemon = Daemon {
            scheduler: &scheduler,
            runner: Arc::new(runner),
            clock: &SystemClock,
            watcher: &watcher,
            grace: Daemon::GRACE,
        };
        daemon.run()?;
        Ok(Outcome::Done)
    }
}

impl DaemonWatcher for EventPrinter<'_> {
    fn event(&self, event: &DaemonEvent<'_>) {
        let mut cx = self.cx.borrow_mut();
        let time = Environment::time_and_zone();
        let said = match event {
            DaemonEvent::Failed { name, error } => {
                let name = name.map(|name| format!("{name}: ")).unwrap_or_default();
                cx.error(prose!("{time}  {name}{}", error.report()));
                return;
            }
            DaemonEvent::Ready { schedules } => {
                format!("ready: {}", counted(*schedules, "schedule"))
            }
            DaemonEvent::Begins { name, missed, .. } => match *missed as usize {
                0 => format!("{name}: started"),
                times => format!(
                    "{name}: started; {} before were missed",
                    counted(times, "time")
                ),
            },
            DaemonEvent::Ended(record) => {
                let why = record.ended.reason.lines().next();
                let why = why.map_or_else(String::new, |why| format!(": {why}"));
                format!("{}: {}{why}", record.name, record.ended.outcome.word())
            }
            DaemonEvent::Stops { running: 0 } => "stopped".to_owned(),
            DaemonEvent::Stops { running } => {
                format!(
                    "stopping: waits for {}, at most 30 seconds",
                    counted(*running, "run")
                )
            }
        };
        cx.note(format!("{time}  {}", one_line(&said)));
    }

    fn is_asked_to_stop(&self) -> bool {
        // Reset, so that a second signal counts as a second request.
        self.asked.swap(false, Ordering::Relaxed)
    }
}

/// The profile whose schedules are meant.
#[derive(Args, Clone, Debug)]
pub(crate) struct Site {
    /// The profile whose folder of scheduled skills is used; `skills inspect profile` shows all
    #[arg(short, long, value_name = "NAME", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<&'static Profile>,
}

impl Site {
    pub(crate) fn scheduler(&self, env: &Environment) -> Result<Scheduler, Failure> {
        let profile = self.profile.unwrap_or(&Profile::all()[0]);
        let data = env.data_folder().ok_or_else(Failure::no_data_folder)?;
        let skills = profile.folders.scheduled.folder(&env.bases());
        let skills = skills.ok_or_else(Failure::no_settings_folder)?;
        // Each client has a folder of its own: `skills`, `agenvoy`.
        let client = profile.folders.scheduled.path.split('/').next();
        let runs = data.runs().join(client.unwrap_or_default());
        let mut scheduler = Scheduler::new(skills, runs, data, profile.clone());
        scheduler.home.clone_from(&env.home);
        // "One-shot tasks are removed and the skill dir is trashed after a successful fire."
        scheduler.removes_ended = profile.name == "agenvoy";
        Ok(scheduler)
    }
}

/// Returns the zone with this name, or the zone of the machine.
pub(crate) fn zone(name: Option<&str>) -> Result<Zone, Failure> {
    let name = name
        .map(str::to_owned)
        .or_else(Environment::time_zone)
        .ok_or_else(|| {
            Failure::failed(
                "this machine does not say its time zone",
                "say which: --timezone Europe/Berlin, or --timezone UTC",
            )
        })?;
    Zone::named(&name).map_err(Failure::from)
}

/// Returns the agent that carries out runs, in the working folder.
fn runner(
    agent: &AgentOptions,
    progress: AgentProgress,
    env: &Environment,
) -> Result<CommandRunner, Failure> {
    Ok(CommandRunner {
        command: agent.command(env)?,
        folder: env.working_folder.clone(),
        progress,
    })
}
