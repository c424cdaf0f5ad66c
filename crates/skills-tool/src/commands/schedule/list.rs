//! `skills schedule list`: lists every schedule.

use crate::commands::install::session::failure;
use crate::commands::schedule::document::ScheduleJson;
use crate::commands::schedule::site::Site;
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::schedule::{Listing, Schedule};
use skills_store::files::clock::Clock as _;

/// List the schedules, with the next run in their zone and the outcome of the last run
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills schedule list\n  skills schedule list --all\n  skills schedule list --format json"
)]
pub(crate) struct ScheduleList {
    /// Also list the schedules that ran once and have ended
    #[arg(long)]
    all: bool,
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
    /// The number of schedules that ran once, have ended, and are not among `schedules`.
    ended: usize,
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
        let mut listing = scheduler.list().map_err(|error| failure(&error))?;
        let whole = listing.schedules.len();
        if !self.all {
            listing.schedules.retain(|schedule| !schedule.is_ended());
        }
        let ended = whole - listing.schedules.len();
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
                ended,
                daemon: scheduler.has_daemon(),
            })?,
            Format::Text => {
                print(&listing, now, output)?;
                if ended > 0 {
                    let ended = counted(ended, "schedule");
                    output.note(prose!(
                        "{ended} that ran once and ended: {}",
                        self.site.words_of(command("schedule list").word("--all"))
                    ));
                }
                let is_live = |schedule: &Schedule| !schedule.is_ended();
                if listing.schedules.iter().any(is_live) && !scheduler.has_daemon() {
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
        Ok(plan) => plan.timing.words(&plan.zone),
        Err(_) => "unknown".to_owned(),
    }
}

/// Formats the times in words, and the cron text that they were read from or to.
pub(crate) fn reading(schedule: &Schedule) -> String {
    let words = when(schedule);
    let plan = schedule.plan.as_ref().ok();
    match plan.and_then(|plan| plan.timing.cron_beside_words()) {
        Some(cron) => format!("{words} (cron {cron})"),
        None => words,
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
    if schedule.is_ended() {
        return "ended".to_owned();
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
