//! `skills schedule`: skills that run at scheduled times.

mod runs;

use crate::commands::schedule::runs::{DaemonCommand, Log, RunCommand, Site, zone};
use crate::environment::SystemClock;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, one_line};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Value, json};
use skills_agent::schedule::{
    Schedule, ScheduleWords, Scheduler, TimeWords, Zone, parse_limit, shown_limit,
};
use skills_host::files::clock::Clock as _;
use skills_lint::MAX_FILE;
use skills_store::ErrorKind;
use skills_store::disk;
use std::io::Write as _;
use std::time::Duration;

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
  skills schedule standup --cron '0 9 * * 1-5' --task 'Summarize the commits since yesterday'
  skills schedule reminder --in 2h --task 'Check whether the release was published'
  skills schedule standup --at 10:30               change the time
  skills schedule daemon --agent 'my-agent --print'

To start the daemon at boot, add this line with `crontab -e`:
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
    /// A schedule: its short name, such as daily-report, or its full name, with 8 more characters. Without it, list the schedules
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
    /// Run once, this long from now: 5m, '1h 30m', 2d
    #[arg(
        long = "in",
        value_name = "TIME",
        group = "time",
        allow_hyphen_values = true,
        requires = "name"
    )]
    after: Option<String>,
    /// The time zone, such as Europe/Berlin or UTC; by default the machine's time zone, which is recorded
    #[arg(long, value_name = "ZONE", requires = "name")]
    timezone: Option<String>,
    /// The task of a new schedule
    #[arg(long, value_name = "TEXT", requires = "name")]
    task: Option<String>,
    /// The form of the result; by default plain text
    #[arg(long, value_name = "TEXT", requires = "task")]
    output: Option<String>,
    /// The time limit of a run; by default 10m
    #[arg(long, value_name = "TIME", value_parser = parse_limit, requires = "name")]
    limit: Option<Duration>,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
}

/// Remove a schedule; its skill goes to the trash
///
/// `skills schedule log` still shows its runs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills schedule remove standup")]
struct Remove {
    /// The schedule: its short name, or its full name with 8 more characters
    name: String,
    #[command(flatten)]
    site: Site,
    #[command(flatten)]
    format: FormatOption,
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
        let changes = self.time().is_some() || self.timezone.is_some() || self.limit.is_some();
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
        let cron = self.cron.as_deref().map(TimeWords::Cron);
        let every = self.every.as_deref().map(TimeWords::Every);
        let at = self.at.as_deref().map(TimeWords::At);
        cron.or(every)
            .or(at)
            .or(self.after.as_deref().map(TimeWords::In))
    }

    fn words<'w>(&'w self, zone: Option<&'w Zone>) -> ScheduleWords<'w> {
        ScheduleWords {
            task: self.task.as_deref(),
            output: self.output.as_deref(),
            time: self.time(),
            zone,
            limit: self.limit,
        }
    }

    fn add(&self, short: &str, scheduler: &Scheduler) -> Result<String, Failure> {
        let zone = zone(self.timezone.as_deref())?;
        let words = self.words(Some(&zone));
        Ok(scheduler.add(short, &words, SystemClock.now())?.name)
    }

    fn change(&self, name: &str, scheduler: &Scheduler) -> Result<String, Failure> {
        // The zone of a schedule stays; a skill without a schedule gets that of the machine.
        let is_new = !scheduler.file().whole()?.0.contains_key(name);
        let zone = (is_new || self.timezone.is_some())
            .then(|| zone(self.timezone.as_deref()))
            .transpose()?;
        let words = self.words(zone.as_ref());
        Ok(scheduler.change(name, &words, SystemClock.now())?.name)
    }

    fn show(
        name: &str,
        with_text: bool,
        scheduler: &Scheduler,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let schedule = scheduler.file().whole()?.0.remove(name);
        let path = scheduler.folder().join(name).join("SKILL.md");
        document(scheduler, [(name.to_owned(), schedule.clone())], cx)?;
        writeln!(cx, "{}", cx.strong(one_line(name)))?;
        if let Some(schedule) = &schedule {
            match schedule.plan() {
                Ok(plan) => {
                    field("when", &plan.timing.shown(&plan.zone), cx)?;
                    field("zone", plan.zone.name(), cx)?;
                }
                Err(why) => field("fault", &format!("it cannot run: {why}"), cx)?,
            }
            field("next run", &next(schedule, SystemClock.now()), cx)?;
            field("limit", &shown_limit(schedule.limit), cx)?;
            field("last run", &last(schedule), cx)?;
        } else {
            writeln!(cx, "  it has no schedule")?;
        }
        field("skill", &cx.env.shown(&path), cx)?;
        match disk::read_text(&path, MAX_FILE) {
            Ok(_) if !with_text => {}
            Ok(text) => {
                writeln!(cx)?;
                cx.foreign(&text)?;
            }
            Err(error) => cx.warning(format_args!("its skill cannot be read: {error}")),
        }
        tell_of_daemon(schedule.as_slice(), scheduler, cx);
        Ok(Outcome::Done)
    }

    fn list(scheduler: &Scheduler, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let listing = scheduler.list()?;
        let known = listing.schedules.iter();
        let known = known.map(|known| (known.name.clone(), Some(known.clone())));
        let others = listing.unscheduled.iter().map(|name| (name.clone(), None));
        document(scheduler, known.chain(others), cx)?;
        let now = SystemClock.now();
        let mut table = Table::new(["SCHEDULE", "WHEN", "ZONE", "NEXT RUN", "LAST RUN"]);
        for schedule in &listing.schedules {
            let (when, zone) = match schedule.plan() {
                Ok(plan) => (plan.timing.shown(&plan.zone), plan.zone.name().to_owned()),
                Err(_) => ("unknown".to_owned(), "-".to_owned()),
            };
            let next = if listing.interrupted.contains(&schedule.name) {
                "interrupted".to_owned()
            } else {
                next(schedule, now)
            };
            let name = one_line(&schedule.name);
            table.push([name, one_line(&when), zone, next, last(schedule)]);
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
            if let Err(why) = schedule.plan() {
                cx.warning(format_args!("{} cannot run: {why}", schedule.name));
            }
        }
        tell_of_daemon(&listing.schedules, scheduler, cx);
        Ok(Outcome::Done)
    }
}

fn field(label: &str, value: &str, cx: &mut Ctx) -> Result<(), Failure> {
    writeln!(cx, "  {label:8}  {}", one_line(value))?;
    Ok(())
}

/// Says how the schedules run, if one of them waits and no daemon runs.
fn tell_of_daemon(all: &[Schedule], scheduler: &Scheduler, cx: &mut Ctx) {
    let waits = all.iter().any(|schedule| !schedule.is_ended());
    if waits && !scheduler.has_daemon() {
        cx.note(
            "no daemon is running, so due schedules do not run; `skills schedule daemon --help` shows how to start one",
        );
    }
}

/// Prints the document of skills with and without a schedule: of one without, the name and the path alone.
fn document(
    scheduler: &Scheduler,
    skills: impl IntoIterator<Item = (String, Option<Schedule>)>,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let now = SystemClock.now();
    let all = skills.into_iter().map(|(name, schedule)| {
        let path = cx
            .env
            .documented(&scheduler.folder().join(&name).join("SKILL.md"));
        let Some(schedule) = schedule else {
            return json!({ "name": name, "path": path });
        };
        let mut document = json!(schedule);
        document["path"] = json!(path);
        // Null when the schedule does not run again.
        document["next"] = json!(schedule.next(now).map(|next| next.to_string()));
        // True if the schedule ran once, successfully.
        document["ended"] = json!(schedule.is_ended());
        // The reason why the times are unknown.
        document["fault"] = json!(schedule.plan().err().map(|why| why.to_string()));
        document
    });
    let all: Vec<Value> = all.collect();
    cx.report(&json!({ "schedules": all, "daemon": scheduler.has_daemon() }))
}

impl Remove {
    fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let scheduler = self.site.scheduler(cx.env)?;
        let (name, is_in_trash) = scheduler.remove(&self.name, SystemClock.now())?;
        cx.report(&json!({ "removed": name }))?;
        if is_in_trash {
            writeln!(cx, "removed {name}; its skill is in the trash")?;
        } else {
            writeln!(cx, "removed {name}; it had no skill")?;
        }
        Ok(Outcome::Done)
    }
}

/// Formats the next run in the zone of the schedule.
fn next(schedule: &Schedule, now: Timestamp) -> String {
    match (schedule.plan(), schedule.next(now)) {
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
    let zone = schedule
        .plan()
        .map_or_else(|_| Zone::utc(), |plan| plan.zone);
    format!("{}, {}", last.outcome.word(), zone.shown(last.end))
}
