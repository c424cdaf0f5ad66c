//! `skills schedule`: skills that run at scheduled times.

mod runs;

use crate::commands::schedule::runs::DaemonCommand;
use crate::commands::schedule::runs::{Log, RunCommand};
use crate::commands::schedule::runs::{Site, zone};
use crate::environment::SystemClock;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, one_line};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use serde::Serialize;
use skills_agent::schedule::{
    Last, Limit, Missed, NewSchedule, Running, Schedule, ScheduleChange, ScheduleName, Scheduler,
    TaskWords, TimeWords, Timing, Zone,
};
use skills_host::files::clock::Clock as _;
use skills_lint::MAX_FILE;
use skills_store::ErrorKind;
use skills_store::disk;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct ScheduleCommand {
    #[command(subcommand)]
    command: Option<ScheduleSubcommand>,
    #[command(flatten)]
    entry: Entry,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule                                  what runs, and when
  skills schedule standup --cron '0 9 * * 1-5' --task 'Summarize the commits of yesterday'
  skills schedule reminder --in 2h --task 'Check whether the release was published'
  skills schedule standup --at 10:30               another time
  skills schedule daemon --agent 'my-agent --print'

To start the daemon with the machine, add this line with `crontab -e`:
  @reboot skills schedule daemon --agent 'my-agent --print'";

#[derive(Debug, Subcommand)]
enum ScheduleSubcommand {
    Run(RunCommand),
    Log(Log),
    Remove(Remove),
    Daemon(DaemonCommand),
}

/// The schedules, or one of them: shown, added or changed.
#[derive(Args, Debug)]
struct Entry {
    /// A schedule: its full name, or its short name, such as daily-report. Without it, list the schedules
    name: Option<String>,
    /// Run at the times of a cron expression: minute, hour, day of the month, month, day of the week
    #[arg(long, value_name = "CRON", group = "time", requires = "name")]
    cron: Option<String>,
    /// Run repeatedly: 10m, 2h, 1d
    #[arg(long, value_name = "TIME", group = "time", requires = "name")]
    every: Option<String>,
    /// Run once: the next 09:00, or 2026-12-24T09:00
    #[arg(long, value_name = "TIME", group = "time", requires = "name")]
    at: Option<String>,
    /// Run once, after a time from now: 5m, '1h 30m', 2d
    #[arg(
        long = "in",
        value_name = "TIME",
        group = "time",
        allow_hyphen_values = true,
        requires = "name"
    )]
    after: Option<String>,
    /// The time zone, such as Europe/Berlin or UTC; by default that of the machine, which is recorded
    #[arg(long, value_name = "ZONE", requires = "name")]
    timezone: Option<String>,
    /// The task of a new schedule
    #[arg(long, value_name = "TEXT", requires = "name")]
    task: Option<String>,
    /// The form of the result; by default plain text
    #[arg(long, value_name = "TEXT", requires = "task")]
    output: Option<String>,
    /// What to do with a missed run: no daemon was running at its time, or within 60 seconds after it
    #[arg(long, value_enum, requires = "name")]
    missed: Option<MissedOption>,
    /// The time limit of a run; by default 10m
    #[arg(long, value_name = "TIME", value_parser = limit, requires = "name")]
    limit: Option<Limit>,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
}

/// The handling of missed times.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MissedOption {
    /// Run once for all of them, as soon as a daemon runs
    RunOnce,
    /// Do not run; record them as missed
    Skip,
}

/// Remove a schedule; its skill goes to the trash
///
/// `skills schedule log` still shows its runs, while it is among the 50 removed schedules that ran last.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills schedule remove standup")]
struct Remove {
    /// The schedule: its short name, or its full name
    name: String,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
}

/// `schedule --format json`
#[derive(Serialize)]
struct ScheduleDocument {
    schedules: Vec<ScheduleJson>,
    /// True if a daemon runs the schedules.
    daemon: bool,
}

/// A scheduled skill in a document. Without a schedule, all fields but its name and path are null or false.
#[derive(Serialize)]
struct ScheduleJson {
    name: String,
    /// The path of its `SKILL.md`.
    path: String,
    /// The cron text; null for a schedule that runs once.
    cron: Option<String>,
    /// The time of the only run; null for a cron text.
    at: Option<String>,
    timezone: Option<String>,
    missed: Option<Missed>,
    limit: Option<String>,
    /// Null when the schedule does not run again.
    next: Option<String>,
    running: Option<Running>,
    last: Option<Last>,
    /// True if the schedule ran once, successfully.
    ended: bool,
    /// The reason why the times are unknown.
    fault: Option<String>,
}

/// `schedule remove --format json`
#[derive(Serialize)]
struct ScheduleRemoveDocument {
    removed: ScheduleName,
}

impl ScheduleCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match &self.command {
            Some(ScheduleSubcommand::Run(command)) => command.run(cx),
            Some(ScheduleSubcommand::Log(command)) => command.run(cx),
            Some(ScheduleSubcommand::Remove(command)) => command.run(cx),
            Some(ScheduleSubcommand::Daemon(command)) => command.run(cx),
            None => self.entry.run(cx),
        }
    }
}

impl Entry {
    fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let Some(name) = &self.name else {
            return Self::list(&scheduler, cx);
        };
        let changes = self.time().is_some()
            || self.timezone.is_some()
            || self.missed.is_some()
            || self.limit.is_some();
        let full = match scheduler.find(name) {
            _ if self.task.is_some() => self.add(name, &scheduler)?,
            Ok(name) if !changes => name,
            Ok(name) => self.change(&name, &scheduler)?,
            // Of a name that nobody has, the time or the task that is missing is asked for.
            Err(error) if changes && error.kind() == ErrorKind::NotFound => {
                self.add(name, &scheduler)?
            }
            Err(error) => return Err(Failure::from(&error)),
        };
        let with_text = self.task.is_none() && !changes;
        Self::show(&full, with_text, &scheduler, cx)
    }

    fn time(&self) -> Option<TimeWords<'_>> {
        match self {
            Self {
                cron: Some(text), ..
            } => Some(TimeWords::Cron(text)),
            Self {
                every: Some(text), ..
            } => Some(TimeWords::Every(text)),
            Self { at: Some(text), .. } => Some(TimeWords::At(text)),
            Self {
                after: Some(text), ..
            } => Some(TimeWords::In(text)),
            _ => None,
        }
    }

    fn missed(&self) -> Option<Missed> {
        self.missed.map(|missed| match missed {
            MissedOption::RunOnce => Missed::RunOnce,
            MissedOption::Skip => Missed::Skip,
        })
    }

    fn add(&self, short: &str, scheduler: &Scheduler) -> Result<ScheduleName, Failure> {
        let zone = zone(self.timezone.as_deref())?;
        let new = NewSchedule {
            words: TaskWords {
                short,
                task: self.task.as_deref().unwrap_or_default(),
                output: self.output.as_deref(),
            },
            time: self.time(),
            zone: &zone,
            missed: self.missed().unwrap_or_default(),
            limit: self.limit.unwrap_or_default(),
        };
        let draft = scheduler.draft(&new, SystemClock.now());
        let draft = draft?;
        scheduler.add(&draft)?;
        Ok(draft.schedule.name)
    }

    fn change(&self, name: &ScheduleName, scheduler: &Scheduler) -> Result<ScheduleName, Failure> {
        let known = scheduler.file().whole()?;
        // The zone of a schedule stays; a skill without a schedule gets that of the machine.
        let zone = if self.timezone.is_some() || !known.contains_key(name) {
            Some(zone(self.timezone.as_deref())?)
        } else {
            None
        };
        let change = ScheduleChange {
            time: self.time(),
            zone: zone.as_ref(),
            missed: self.missed(),
            limit: self.limit,
        };
        let changed = scheduler.change(name, &change, SystemClock.now());
        Ok(changed?.name)
    }

    fn show(
        name: &ScheduleName,
        with_text: bool,
        scheduler: &Scheduler,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let mut known = scheduler.file().whole()?;
        let schedule = known.remove(name);
        let now = SystemClock.now();
        let path = scheduler.folder().join(name).join("SKILL.md");
        if cx.is_json {
            let path = cx.env.documented(&path);
            cx.json(&ScheduleDocument {
                schedules: vec![ScheduleJson::of(name, path, schedule.as_ref(), now)],
                daemon: scheduler.has_daemon(),
            })?;
            return Ok(Outcome::Done);
        }
        writeln!(cx, "{}", cx.strong(one_line(name)))?;
        if let Some(schedule) = &schedule {
            match &schedule.plan {
                Ok(plan) => {
                    writeln!(
                        cx,
                        "  when      {}",
                        one_line(&plan.timing.shown(&plan.zone))
                    )?;
                    writeln!(cx, "  zone      {}", plan.zone.name())?;
                }
                Err(why) => writeln!(cx, "  fault     it cannot run: {}", one_line(why))?,
            }
            writeln!(cx, "  next run  {}", next(schedule, now))?;
            let missed = match schedule.missed {
                Missed::RunOnce => "run once",
                Missed::Skip => "skip",
            };
            writeln!(cx, "  missed    {missed}")?;
            writeln!(cx, "  limit     {}", schedule.limit)?;
            writeln!(cx, "  last run  {}", last(schedule))?;
        } else {
            writeln!(cx, "  it has no schedule")?;
        }
        writeln!(cx, "  skill     {}", cx.env.shown(&path))?;
        match disk::read_text(&path, MAX_FILE) {
            Ok(_) if !with_text => {}
            Ok(text) => {
                writeln!(cx)?;
                cx.foreign(&text)?;
            }
            Err(error) => cx.warning(format_args!("its skill cannot be read: {error}")),
        }
        if schedule.is_some_and(|schedule| !schedule.is_ended()) && !scheduler.has_daemon() {
            cx.note(NO_DAEMON);
        }
        Ok(Outcome::Done)
    }

    fn list(scheduler: &Scheduler, cx: &mut Ctx) -> Result<Outcome, Failure> {
        // A damaged file is an error here: the list alone would look empty.
        scheduler.file().whole()?;
        let listing = scheduler.list()?;
        let now = SystemClock.now();
        if cx.is_json {
            let known = listing
                .schedules
                .iter()
                .map(|known| (&*known.name, Some(known)));
            let others = listing.unscheduled.iter().map(|name| (name.as_str(), None));
            let json = |(name, schedule): (&str, Option<&Schedule>)| {
                let path = scheduler.folder().join(name).join("SKILL.md");
                ScheduleJson::of(name, cx.env.documented(&path), schedule, now)
            };
            cx.json(&ScheduleDocument {
                schedules: known.chain(others).map(json).collect(),
                daemon: scheduler.has_daemon(),
            })?;
            return Ok(Outcome::Done);
        }
        let mut table = Table::new(["SCHEDULE", "WHEN", "ZONE", "NEXT RUN", "LAST RUN"]);
        for schedule in &listing.schedules {
            let (when, zone) = match &schedule.plan {
                Ok(plan) => (plan.timing.shown(&plan.zone), plan.zone.name()),
                Err(_) => ("unknown".to_owned(), "-"),
            };
            let next = if listing.interrupted.contains(&schedule.name) {
                "interrupted".to_owned()
            } else {
                next(schedule, now)
            };
            let name = one_line(&schedule.name);
            table.push([name, one_line(&when), zone.to_owned(), next, last(schedule)]);
        }
        for name in &listing.unscheduled {
            let [zone, next, last] = ["-"; 3].map(str::to_owned);
            table.push([one_line(name), "no schedule".to_owned(), zone, next, last]);
        }
        if table.is_empty() {
            cx.note("there are no schedules; `skills schedule --help` shows how to add one");
            return Ok(Outcome::Done);
        }
        table.print(cx)?;
        for name in &listing.interrupted {
            cx.warning(format_args!(
                "the run of {name} was killed, or could not be recorded: a daemon, or its next run, makes the record"
            ));
        }
        for schedule in &listing.schedules {
            if let Err(why) = &schedule.plan {
                cx.warning(format_args!("{} cannot run: {why}", schedule.name));
            }
        }
        let waits = listing
            .schedules
            .iter()
            .any(|schedule| !schedule.is_ended());
        if waits && !scheduler.has_daemon() {
            cx.note(NO_DAEMON);
        }
        Ok(Outcome::Done)
    }
}

const NO_DAEMON: &str =
    "no daemon runs what is due; `skills schedule daemon --help` shows how to start one";

impl Remove {
    fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let removed = scheduler.remove(&self.name, SystemClock.now());
        let (name, is_in_trash) = removed?;
        if cx.is_json {
            cx.json(&ScheduleRemoveDocument { removed: name })?;
        } else if is_in_trash {
            writeln!(cx, "removed {name}; its skill is in the trash")?;
        } else {
            writeln!(cx, "removed {name}; it had no skill")?;
        }
        Ok(Outcome::Done)
    }
}

impl ScheduleJson {
    fn of(name: &str, path: String, schedule: Option<&Schedule>, now: Timestamp) -> Self {
        let plan = schedule.and_then(|schedule| schedule.plan.as_ref().ok());
        let timing = plan.map(|plan| &plan.timing);
        Self {
            name: name.to_owned(),
            path,
            cron: match timing {
                Some(Timing::Cron(cron)) => Some(cron.as_str().to_owned()),
                _ => None,
            },
            at: match timing {
                Some(Timing::Once(once)) => Some(once.to_string()),
                _ => None,
            },
            timezone: plan.map(|plan| plan.zone.name().to_owned()),
            missed: schedule.map(|schedule| schedule.missed),
            limit: schedule.map(|schedule| schedule.limit.to_string()),
            next: schedule
                .and_then(|schedule| schedule.next(now))
                .map(|next| next.to_string()),
            running: schedule.and_then(|schedule| schedule.running.clone()),
            last: schedule.and_then(|schedule| schedule.last.clone()),
            ended: schedule.is_some_and(Schedule::is_ended),
            fault: schedule.and_then(|schedule| schedule.plan.as_ref().err().cloned()),
        }
    }
}

/// Formats the next run in the zone of the schedule.
fn next(schedule: &Schedule, now: Timestamp) -> String {
    match (&schedule.plan, schedule.next(now)) {
        _ if schedule.running.is_some() => "runs now".to_owned(),
        _ if schedule.is_ended() => "ended".to_owned(),
        (Ok(plan), Some(next)) => plan.zone.shown(next),
        _ => "-".to_owned(),
    }
}

fn last(schedule: &Schedule) -> String {
    let Some(last) = &schedule.last else {
        return "-".to_owned();
    };
    let utc = Zone::utc();
    let zone = schedule.plan.as_ref().map_or(&utc, |plan| &plan.zone);
    format!("{}, {}", last.outcome.word(), zone.shown(last.end))
}

fn limit(text: &str) -> Result<Limit, String> {
    Limit::parse(text).map_err(|error| error.report().to_string())
}
