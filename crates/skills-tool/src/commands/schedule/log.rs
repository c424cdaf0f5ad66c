//! `skills schedule log`: prints the records of the runs.

use crate::commands::install::session::failure;
use crate::commands::schedule::document::{RunJson, is_cut};
use crate::commands::schedule::site::Site;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_host::schedule::{RunRecord, ScheduleName, Scheduler, Zone, ZonedTiming};
use std::io::Write as _;

/// Show the runs of a schedule, the latest last: time, outcome, reason and output
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills schedule log standup\n  skills schedule log standup --last 1 --format json"
)]
pub(crate) struct Log {
    /// The schedule: its short name, or its full name; also a removed schedule
    name: String,
    /// Only the last N runs
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `schedule log --format json`
#[derive(Serialize)]
struct ScheduleLogDocument<'r> {
    schema: u32,
    name: ScheduleName,
    /// The runs, the latest first.
    runs: Vec<RunJson<'r>>,
}

impl Log {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.log(environment, output)
    }

    fn log(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let log = scheduler.log(&self.name);
        let (name, mut records, unread) = log.map_err(|error| failure(&error))?;
        for path in &unread {
            output.warning(format_args!(
                "{} cannot be read; remove it",
                environment.shown(path)
            ));
        }
        records.truncate(self.last.unwrap_or(usize::MAX));
        let plan = plan_of(&scheduler, &name);
        match self.format {
            Format::Json => output.json(&ScheduleLogDocument {
                schema: 1,
                name,
                runs: records.iter().map(RunJson::of).collect(),
            })?,
            Format::Text if records.is_empty() => output.note(format!("{name} has not run yet")),
            Format::Text => {
                for (at, record) in records.iter().rev().enumerate() {
                    if at > 0 {
                        writeln!(output)?;
                    }
                    print(record, plan.as_ref(), output)?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

/// Returns the plan of a schedule that still exists. Records are printed in the zone of the plan.
pub(crate) fn plan_of(scheduler: &Scheduler, name: &str) -> Option<ZonedTiming> {
    let stored = scheduler.file().read().ok()?;
    stored.value.get(name)?.plan.clone().ok()
}

/// Prints a run: a line with the outcome, the reason, and the output.
pub(crate) fn print(
    record: &RunRecord,
    plan: Option<&ZonedTiming>,
    output: &mut Output,
) -> Result<(), Failure> {
    let utc = Zone::utc();
    // Of a removed schedule the zone is not known: its times are in UTC, in the same form.
    let zone = plan.map_or(&utc, |plan| &plan.zone);
    let at = |time: jiff::Timestamp| zone.shown(time);
    let took = record.end.duration_since(record.start);
    let took = jiff::SignedDuration::from_millis(i64::try_from(took.as_millis()).unwrap_or(0));
    let why = match record.due {
        Some(due) => format!("due {}", at(due)),
        None => "by hand".to_owned(),
    };
    let outcome = output.strong(record.outcome.word());
    writeln!(
        output,
        "{outcome}  {}  took {took:#}, {why}",
        at(record.start)
    )?;
    if record.missed > 0 && record.outcome != skills_host::schedule::Outcome::Missed {
        writeln!(
            output,
            "  times before it that had no run: {}",
            record.missed
        )?;
    }
    for line in record.reason.lines() {
        write!(output, "  ")?;
        output.foreign(line)?;
        writeln!(output)?;
    }
    output.foreign(&record.output)?;
    if !record.output.is_empty() && !record.output.ends_with('\n') {
        writeln!(output)?;
    }
    if is_cut(record) {
        writeln!(
            output,
            "  the output is cut: the run wrote {} bytes, and {} are kept",
            record.output_bytes,
            record.output.len()
        )?;
    }
    Ok(())
}
