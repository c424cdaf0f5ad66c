//! `skills schedule export`: prints a unit for a scheduler of the machine.

use crate::commands::agent_settings::settings_shown;
use crate::commands::schedule::unit::{TargetScheduler, UnitOptions};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_host::schedule::UnitKind;
use std::io::Write as _;

/// Print a unit of systemd, launchd or cron that starts the daemon, or runs one schedule
///
/// Nothing is written: `skills schedule install` writes the unit. Without --agent, the unit uses the agent of the
/// settings at its start.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_group("scheduler", |group| group.required(true)))]
pub(crate) struct ScheduleExport {
    #[command(flatten)]
    kind: TargetScheduler,
    #[command(flatten)]
    unit: UnitOptions,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule export --systemd --agent 'my-agent --print'
  skills schedule export --cron standup";

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
        // clap requires one of the options.
        let kind = self.kind.named().unwrap_or(UnitKind::Systemd);
        let unit = self.unit.unit(kind, environment)?.text();
        match self.format {
            Format::Json => output.json(&ScheduleExportDocument { schema: 1, unit })?,
            Format::Text => write!(output, "{unit}")?,
        }
        if self.unit.runner.agent.found(environment)?.is_none() {
            let place = settings_shown(environment);
            output.warning(format_args!(
                "no agent is named: the unit fails at each start until agent = \"COMMAND\" stands in {place}, or --agent \
                 COMMAND names one"
            ));
        }
        Ok(Outcome::Done)
    }
}
