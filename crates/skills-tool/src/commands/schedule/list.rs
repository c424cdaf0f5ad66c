//! `skills schedule list`: lists every schedule.

use crate::commands::install::session::failure;
use crate::commands::schedule::document::ScheduleJson;
use crate::commands::schedule::site::Site;
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, one_line};
use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::schedule::{Listing, Schedule, Timing};
use skills_store::files::clock::Clock as _;

/// List the schedules, with the next run in their zone and the outcome of the last run
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills schedule list\n  skills schedule list --format json")]
pub(crate) struct ScheduleList {
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `schedule list --format json`
#[derive(Serialize)]
struct ScheduleListDocument {
    schema: u32,
    schedules: Vec<ScheduleJson>,
    /// Scheduled skills that have no schedule.
    unscheduled: Vec<String>,
    /// True if a daemon runs the schedules.
    daemon: bool,
}

impl ScheduleList {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.list(environment, output)
    }

    fn list(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        // A damaged file is an error here: the list alone would look empty.
        let whole = scheduler.file().whole();
        whole.map_err(|error| failure(&error))?;
        let listing = scheduler.list().map_err(|error| failure(&error))?;
        let now = SystemClock.now();
        match self.format {
            Format::Json => output.json(&ScheduleListDocument {
                schema: 1,
                schedules: listing
                    .schedules
                    .iter()
                    .map(|schedule| ScheduleJson::of(schedule, now))
                    .collect(),
                unscheduled: listing.unscheduled,
                daemon: scheduler.has_daemon(),
            })?,
            Format::Text => {
                print(&listing, now, output)?;
                if !listing.schedules.is_empty() && !scheduler.has_daemon() {
                    output.note(self.site.without_daemon());
                }
            }
        }
        Ok(Outcome::Done)
    }
}

fn print(listing: &Listing, now: Timestamp, output: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(["SCHEDULE", "WHEN", "ZONE", "NEXT RUN", "LAST RUN"]);
    for schedule in &listing.schedules {
        let next = if listing.interrupted.contains(&schedule.name) {
            "interrupted".to_owned()
        } else {
            next(schedule, now)
        };
        table.push([
            one_line(&schedule.name),
            when(schedule),
            zone(schedule),
            next,
            last(schedule),
        ]);
    }
    for name in &listing.unscheduled {
        let dash = || "-".to_owned();
        table.push([
            one_line(name),
            "no schedule".to_owned(),
            dash(),
            dash(),
            dash(),
        ]);
    }
    if table.is_empty() {
        output.note(prose!(
            "there are no schedules; {} shows how to add one",
            command("schedule add --help")
        ));
        return Ok(());
    }
    table.print(output)?;
    for name in &listing.interrupted {
        output.warning(format_args!(
            "the run of {name} was killed, or could not be recorded: a daemon, or its next run, makes the record"
        ));
    }
    for schedule in &listing.schedules {
        if let Err(why) = &schedule.plan {
            output.warning(format_args!("{} cannot run: {why}", schedule.name));
        }
    }
    Ok(())
}

pub(crate) fn when(schedule: &Schedule) -> String {
    match &schedule.plan {
        Ok(plan) => match &plan.timing {
            Timing::Cron(cron) => cron.as_str().to_owned(),
            Timing::Once(once) => format!("once, {}", plan.zone.shown(*once)),
        },
        Err(_) => "unknown".to_owned(),
    }
}

fn zone(schedule: &Schedule) -> String {
    let plan = schedule.plan.as_ref();
    plan.map_or("-", |plan| plan.zone.name()).to_owned()
}

/// Formats the next run in the zone of the schedule.
pub(crate) fn next(schedule: &Schedule, now: Timestamp) -> String {
    if schedule.running.is_some() {
        return "runs now".to_owned();
    }
    match (&schedule.plan, schedule.next(now)) {
        (Ok(plan), Some(next)) => plan.zone.shown(next),
        _ => "-".to_owned(),
    }
}

pub(crate) fn last(schedule: &Schedule) -> String {
    let Some(last) = &schedule.last else {
        return "-".to_owned();
    };
    let end = match &schedule.plan {
        Ok(plan) => plan.zone.shown(last.end),
        Err(_) => last.end.to_string(),
    };
    format!("{}, {end}", last.outcome.word())
}
