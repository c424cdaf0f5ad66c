//! `skills schedule show`: prints one schedule and its skill.

use crate::commands::install::session::failure;
use crate::commands::schedule::document::{ScheduleJson, missed_word};
use crate::commands::schedule::list::{last, next, reading};
use crate::commands::schedule::site::Site;
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::prose;
use skills_host::schedule::{Schedule, ScheduleName};
use skills_lint::MAX_FILE;
use skills_store::disk;
use skills_store::files::clock::Clock as _;
use std::io::Write as _;

/// Show one schedule: its times, its limit, its last run, and its skill
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills schedule show standup")]
pub(crate) struct ScheduleShow {
    /// The schedule: its short name, or its full name
    name: String,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `schedule show --format json`
#[derive(Serialize)]
struct ScheduleShowDocument {
    schema: u32,
    name: ScheduleName,
    /// Null when the skill has no schedule.
    schedule: Option<ScheduleJson>,
    path: String,
    /// The text of the schedule's `SKILL.md`; null when the file cannot be read.
    text: Option<String>,
}

impl ScheduleShow {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.show(environment, output)
    }

    fn show(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let mut whole = scheduler.file().whole().map_err(|error| failure(&error))?;
        let name = scheduler
            .find(&self.name)
            .map_err(|error| failure(&error))?;
        let schedule = whole.remove(&name);
        let path = scheduler.folder().join(&name).join("SKILL.md");
        let text = disk::read_text(&path, MAX_FILE);
        if let Err(error) = &text {
            output.error(prose!("{} cannot be read: {error}", &path));
        }
        match self.format {
            Format::Json => output.json(&ScheduleShowDocument {
                schema: 1,
                schedule: schedule.map(|schedule| ScheduleJson::of(&schedule, SystemClock.now())),
                name,
                path: environment.documented(&path),
                text: text.ok(),
            })?,
            Format::Text => {
                if let Some(schedule) = &schedule {
                    print(schedule, output)?;
                } else {
                    writeln!(output, "{}", output.strong(&name))?;
                    writeln!(output, "  it has no schedule")?;
                }
                writeln!(output, "  skill     {}", environment.shown(&path))?;
                writeln!(output)?;
                if let Ok(text) = text {
                    output.foreign(&text)?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

/// Prints the fields of a schedule.
pub(crate) fn print(schedule: &Schedule, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "{}", output.strong(one_line(&schedule.name)))?;
    writeln!(output, "  when      {}", reading(schedule))?;
    match &schedule.plan {
        Ok(plan) => writeln!(output, "  zone      {}", plan.zone.name())?,
        Err(why) => writeln!(output, "  fault     it cannot run: {}", one_line(why))?,
    }
    writeln!(output, "  next run  {}", next(schedule, SystemClock.now()))?;
    writeln!(output, "  missed    {}", missed_word(schedule.missed))?;
    writeln!(output, "  limit     {}", schedule.limit)?;
    writeln!(output, "  last run  {}", last(schedule))?;
    Ok(())
}
