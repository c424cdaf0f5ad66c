//! `skills schedule export`: prints a unit for a scheduler of the machine.

use crate::commands::install::session::failure;
use crate::commands::schedule::site::{RunnerOptions, Site};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::schedule::UnitKind;
use std::io::Write as _;

/// Print a unit of systemd, launchd or cron that starts the daemon, or runs one schedule
///
/// Nothing is written. Without --agent, the unit uses the agent of the settings at its start.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScheduleExport {
    /// A schedule; by default the daemon
    name: Option<String>,
    #[command(flatten)]
    kind: TargetScheduler,
    #[command(flatten)]
    runner: RunnerOptions,
    #[command(flatten)]
    site: Site,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule export --systemd --agent 'my-agent --print'
  skills schedule export --cron standup";

/// For which scheduler.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct TargetScheduler {
    /// For systemd
    #[arg(long)]
    systemd: bool,
    /// For launchd
    #[arg(long)]
    launchd: bool,
    /// For cron
    #[arg(long)]
    cron: bool,
}

/// `schedule export --format json`
#[derive(Serialize)]
struct ScheduleExportDocument {
    schema: u32,
    unit: String,
}

impl ScheduleExport {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.unit(environment).and_then(|unit| {
            match self.format {
                Format::Json => output.json(&ScheduleExportDocument { schema: 1, unit })?,
                Format::Text => write!(output, "{unit}")?,
            }
            Ok(Outcome::Done)
        })
    }

    fn unit(&self, environment: &Environment) -> Result<String, Failure> {
        let kind = match self.kind {
            TargetScheduler { systemd: true, .. } => UnitKind::Systemd,
            TargetScheduler { launchd: true, .. } => UnitKind::Launchd,
            TargetScheduler { .. } => UnitKind::Cron,
        };
        let Some(name) = &self.name else {
            return Ok(kind.daemon(&self.words(&["daemon"], environment)?));
        };
        let scheduler = self.site.scheduler(environment)?;
        let name = scheduler.find(name).map_err(|error| failure(&error))?;
        let stored = scheduler.file().whole().map_err(|error| failure(&error))?;
        let schedule = stored.get(&name).ok_or_else(|| {
            Failure::not_so(
                format_args!("{name} has no schedule"),
                prose!(
                    "give it one with {}",
                    command("schedule set")
                        .word(&name)
                        .word("--cron")
                        .word("0 9 * * *")
                ),
            )
        })?;
        let unit = kind.one(schedule, &self.words(&["run", &name], environment)?);
        unit.map_err(|error| failure(&error))
    }

    fn words(&self, words: &[&str], environment: &Environment) -> Result<Vec<String>, Failure> {
        let mut all = vec![Environment::program(), "schedule".to_owned()];
        all.extend(words.iter().map(|word| (*word).to_owned()));
        all.extend(self.site.words());
        all.extend(self.runner.words(environment)?);
        Ok(all)
    }
}
