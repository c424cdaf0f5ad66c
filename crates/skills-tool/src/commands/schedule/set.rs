//! `skills schedule set`: changes the time, the zone, the limit or the policy of a schedule.

use crate::commands::install::decided;
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
use skills_host::schedule::{Limit, Missed, Schedule, ScheduleChange, Timing, Zone};
use skills_store::files::clock::Clock as _;
use skills_store::files::decided::Decision;

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
        // `set` itself reports what cannot be read.
        let before = scheduler.file().read().ok().and_then(|stored| {
            let name = scheduler.find(&self.name).ok()?;
            stored.value.get(&name).cloned()
        });
        let set = recorder.record(&self.name, "schedule set", output, || {
            scheduler.set(&self.name, &change, SystemClock.now())
        });
        let set = set.map_err(|error| failure(&error))?;
        // What was set as it is changes nothing.
        if before
            .as_ref()
            .is_none_or(|before| words(before) != words(&set))
        {
            let [options, now] = before.map_or_else(Default::default, |before| {
                let to = [back_to(&before, &set), back_to(&set, &before)];
                to.map(|words| {
                    if words.is_empty() {
                        words
                    } else {
                        [words, self.site.words()].concat()
                    }
                })
            });
            let decided = decided::decided(Decision::ScheduleSet, vec![set.name.to_string()]);
            let decided = decided.with_options(options).to_now(now);
            decided::record(decided, environment, output);
        }
        Ok(set)
    }
}

/// Returns the options that set a schedule as it was, where it is different now.
fn back_to(before: &Schedule, now: &Schedule) -> Vec<String> {
    let all = words(before).into_iter().zip(words(now));
    let changed = all.filter(|(before, now)| before != now);
    changed.flat_map(|(before, _)| before).collect()
}

/// Returns the options that set a schedule: its times and zone, the handling of missed times, and the limit. Without times
/// that this program reads, the times are left out.
pub(crate) fn words(schedule: &Schedule) -> [Vec<String>; 3] {
    let times = schedule.plan.as_ref().map(|plan| {
        let (option, time) = match &plan.timing {
            Timing::Cron(cron) => ("--cron", cron.as_str().to_owned()),
            Timing::Once(at) => ("--at", at.to_string()),
        };
        let zone = plan.zone.name().to_owned();
        vec![option.to_owned(), time, "--timezone".to_owned(), zone]
    });
    let missed = match schedule.missed {
        Missed::RunOnce => "run-once",
        Missed::Skip => "skip",
    };
    [
        times.unwrap_or_default(),
        vec!["--missed".to_owned(), missed.to_owned()],
        vec!["--limit".to_owned(), schedule.limit.to_string()],
    ]
}
