//! `skills schedule daemon`: runs the schedules that are due.

use crate::commands::schedule::site::{RunnerOptions, Site};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted, one_line};
use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use skills_format::prose;
use skills_host::schedule::{Daemon, DaemonEvent, DaemonWatcher};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Run the schedules when they are due, until Ctrl-C or SIGTERM
///
/// Only one daemon runs the schedules of a folder. After the first signal no run begins, and a present run
/// has at most 30 seconds; a second signal ends the runs at once. Every run is recorded: `skills schedule
/// log`. A time counts as missed when the daemon starts more than 60 seconds after it. Each line has the time.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DaemonCommand {
    #[command(flatten)]
    runner: RunnerOptions,
    #[command(flatten)]
    site: Site,
}

const EXAMPLES: &str = "\
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
        let runner = self.runner.runner(cx.env)?;
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
        }
        let watcher = EventPrinter {
            cx: RefCell::new(cx),
            asked,
        };
        let daemon = Daemon {
            scheduler: &scheduler,
            runner: &runner,
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
        match event {
            DaemonEvent::Failed { name, error } => {
                let name = name.map(|name| format!("{name}: ")).unwrap_or_default();
                cx.error(prose!("{time}  {name}{}", error.report()));
            }
            event => cx.note(format!("{time}  {}", one_line(&said(event)))),
        }
    }

    fn is_asked_to_stop(&self) -> bool {
        // Reset, so that a second signal counts as a second request.
        self.asked.swap(false, Ordering::Relaxed)
    }
}

fn said(event: &DaemonEvent<'_>) -> String {
    match event {
        DaemonEvent::Ready { schedules } => {
            format!("ready: {}", counted(*schedules, "schedule"))
        }
        DaemonEvent::Begins {
            name, missed: 0, ..
        } => format!("{name}: runs"),
        DaemonEvent::Begins { name, missed, .. } => {
            let times = counted(*missed as usize, "time");
            format!("{name}: runs; {times} before it had no run")
        }
        DaemonEvent::Ended(record) => {
            let why = record.reason.lines().next().unwrap_or_default();
            let why = if why.is_empty() {
                String::new()
            } else {
                format!(": {why}")
            };
            format!("{}: {}{why}", record.name, record.outcome.word())
        }
        DaemonEvent::ClockWentBack { name } => {
            format!("{name}: the clock went back; its times are counted from now")
        }
        DaemonEvent::Stops { running: 0 } => "ends".to_owned(),
        DaemonEvent::Stops { running } => {
            format!(
                "ends when {} ended, in 30 seconds at most",
                counted(*running, "run")
            )
        }
        _ => "something newer than this program happened".to_owned(),
    }
}
