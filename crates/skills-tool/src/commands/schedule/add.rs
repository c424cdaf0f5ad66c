//! `skills schedule add`: adds a schedule.

use crate::commands::install::session::failure;
use crate::commands::schedule::document::{ScheduleJson, limit};
use crate::commands::schedule::list::reading;
use crate::commands::schedule::recorder::Recorder;
use crate::commands::schedule::site::{Site, zone};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::{Args, ValueEnum};
use serde::Serialize;
use skills_host::schedule::{
    Commit, Draft, Limit, Missed, NewSchedule, Scheduler, TaskWords, TimeWords,
};
use skills_store::files::clock::Clock as _;
use std::io::Write as _;

/// Add a schedule: a skill with a task, and when it runs
///
/// A time and a task are required. The time is in the named zone, or in the present zone of the machine,
/// which is recorded. How the time was read is shown, also with --dry-run.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Add {
    /// A short name, such as daily-report; the schedule's name is this, `-` and eight characters
    #[arg(value_name = "SHORT")]
    short: String,
    #[command(flatten)]
    time: TimeOptions,
    /// The task
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// The form of the result; by default plain text
    #[arg(long, value_name = "TEXT")]
    output: Option<String>,
    /// The handling of missed times: no daemon ran at the time, or within 60 seconds after it
    #[arg(long, value_enum, default_value_t)]
    missed: MissedOption,
    /// The time limit of a run
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = limit)]
    limit: Limit,
    /// Show what would be added, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule add standup --every 'weekday at 9' --task 'Summarize the commits of yesterday'
  skills schedule add reminder --in '2 hours' --task 'Check whether the release was published'
  skills schedule add backup --cron '0 3 1,15 * *' --task 'Check the backup'
  skills schedule add report --at 'tomorrow 9am' --timezone Europe/Berlin --task 'Write the report'";

/// When a schedule runs.
#[derive(Args, Debug)]
pub(crate) struct TimeOptions {
    /// Again and again: 'weekday at 9', 'weekend at 10:30', 'monday 9am', 'day at 18:00', 09:00, '30 minutes',
    /// '2 hours'
    #[arg(long, value_name = "WHEN", group = "time")]
    every: Option<String>,
    /// Again and again, as cron has it: minute, hour, day of the month, month, day of the week
    #[arg(long, value_name = "CRON", group = "time")]
    cron: Option<String>,
    /// Once: 09:00 (the next), 9am, 'tomorrow 9am', 'monday at 9', '2026-12-24 09:00', 2026-12-24T09:00
    #[arg(long, value_name = "TIME", group = "time")]
    at: Option<String>,
    /// Once, after a time from now: '2 hours', 5m, '1h 30m', 3d
    #[arg(
        long = "in",
        value_name = "TIME",
        group = "time",
        allow_hyphen_values = true
    )]
    after: Option<String>,
    /// The time zone, such as Europe/Berlin or UTC
    #[arg(long, value_name = "ZONE")]
    pub(crate) timezone: Option<String>,
}

/// The handling of missed times.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum MissedOption {
    /// Run once for all of them, as soon as a daemon runs
    #[default]
    RunOnce,
    /// Do not run; record them as missed
    Skip,
}

/// `schedule add --format json`
#[derive(Serialize)]
struct ScheduleAddDocument {
    schema: u32,
    added: bool,
    schedule: ScheduleJson,
    /// The first times at which the schedule runs.
    next: Vec<String>,
    /// The text of the schedule's `SKILL.md`.
    text: String,
}

impl TimeOptions {
    pub(crate) fn words(&self) -> Option<TimeWords<'_>> {
        let cron = self.cron.as_deref().map(TimeWords::Cron);
        let cron = cron.or(self.every.as_deref().map(TimeWords::Every));
        let at = self.at.as_deref().map(TimeWords::At);
        cron.or(at).or(self.after.as_deref().map(TimeWords::In))
    }
}

impl From<MissedOption> for Missed {
    fn from(option: MissedOption) -> Self {
        match option {
            MissedOption::RunOnce => Self::RunOnce,
            MissedOption::Skip => Self::Skip,
        }
    }
}

impl Add {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.add(environment, output)
    }

    fn add(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(environment)?;
        let draft = self.draft(&scheduler)?;
        if !self.dry_run {
            scheduler.add(&draft).map_err(|error| failure(&error))?;
            let recorder = Recorder::new(&scheduler);
            recorder.commit(&draft.schedule.name, Commit::Change("schedule add"), output);
        }
        match self.format {
            Format::Json => output.json(&ScheduleAddDocument {
                schema: 1,
                added: !self.dry_run,
                schedule: ScheduleJson::of(&draft.schedule, SystemClock.now()),
                next: draft.next.iter().map(ToString::to_string).collect(),
                text: draft.text,
            })?,
            Format::Text => self.print(&draft, &scheduler, environment, output)?,
        }
        Ok(Outcome::Done)
    }

    fn draft(&self, scheduler: &Scheduler) -> Result<Draft, Failure> {
        let zone = zone(self.time.timezone.as_deref())?;
        let new = NewSchedule {
            words: TaskWords {
                short: &self.short,
                task: self.task.as_deref().unwrap_or_default(),
                output: self.output.as_deref(),
            },
            time: self.time.words(),
            zone: &zone,
            missed: self.missed.into(),
            limit: self.limit,
        };
        let draft = scheduler.draft(&new, SystemClock.now());
        draft.map_err(|error| failure(&error))
    }

    fn print(
        &self,
        draft: &Draft,
        scheduler: &Scheduler,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let name = &draft.schedule.name;
        if self.dry_run {
            writeln!(output, "would add {name}")?;
            output.foreign(&draft.text)?;
        } else {
            writeln!(output, "added {}", output.strong(name))?;
        }
        if let Ok(plan) = &draft.schedule.plan {
            writeln!(output, "  when   {}", reading(&draft.schedule))?;
            let next: Vec<String> = draft
                .next
                .iter()
                .map(|next| plan.zone.shown(*next))
                .collect();
            writeln!(
                output,
                "  next   {} ({})",
                next.join(", "),
                plan.zone.name()
            )?;
        }
        let folder = scheduler.folder().join(name);
        writeln!(output, "  skill  {}", environment.shown(&folder))?;
        if self.dry_run {
            return Ok(());
        }
        if !scheduler.has_daemon() {
            output.note(self.site.without_daemon());
        }
        Ok(())
    }
}
