//! `skills schedule set`: changes the time, the zone, the limit or the policy of a schedule.

use crate::commands::install::session::failure;
use crate::commands::schedule::add::{MissedOption, TimeOptions};
use crate::commands::schedule::document::{ScheduleJson, limit};
use crate::commands::schedule::recorder::Recorder;
use crate::commands::schedule::show::print;
use crate::commands::schedule::site::{Site, zone};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_host::schedule::{Limit, Schedule, ScheduleChange, Zone};
use skills_store::files::clock::Clock as _;

/// Change the times, the zone, the limit or the handling of missed times of a schedule
///
/// A scheduled skill that has no schedule gets one. The task stays: it is the text of the skill.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills schedule set standup --every 'weekday at 8:30'\n  skills schedule set standup --limit 30m --missed skip"
)]
pub(crate) struct Set {
    /// The schedule: its short name, or its full name
    name: String,
    #[command(flatten)]
    time: TimeOptions,
    /// The handling of missed times: no daemon ran at the time, or within 60 seconds after it
    #[arg(long, value_enum)]
    missed: Option<MissedOption>,
    /// The time limit of a run
    #[arg(long, value_name = "TIME", value_parser = limit)]
    limit: Option<Limit>,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `schedule set --format json`
#[derive(Serialize)]
struct ScheduleSetDocument {
    schema: u32,
    schedule: ScheduleJson,
}

impl Set {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.set(environment, output).and_then(|schedule| {
            match self.format {
                Format::Json => output.json(&ScheduleSetDocument {
                    schema: 1,
                    schedule: ScheduleJson::of(&schedule, SystemClock.now()),
                })?,
                Format::Text => print(&schedule, output)?,
            }
            Ok(Outcome::Done)
        })
    }

    fn set(&self, environment: &Environment, output: &mut Output) -> Result<Schedule, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let timezone = self.time.timezone.as_deref();
        let named = timezone.map(|name| zone(Some(name))).transpose()?;
        let machine = Environment::time_zone().and_then(|name| Zone::named(&name).ok());
        let change = ScheduleChange {
            time: self.time.words(),
            zone: named.as_ref(),
            missed: self.missed.map(Into::into),
            limit: self.limit,
            default_zone: machine.as_ref(),
        };
        let recorder = Recorder::new(&scheduler);
        let set = recorder.record(&self.name, "schedule set", output, || {
            scheduler.set(&self.name, &change, SystemClock.now())
        });
        set.map_err(|error| failure(&error))
    }
}
