//! `skills schedule`: skills that run at scheduled times.

mod add;
mod daemon;
mod document;
mod export;
mod install;
mod list;
mod log;
mod recorder;
mod remove;
mod run;
mod set;
mod show;
pub(crate) mod site;
mod unit;

use crate::commands::schedule::add::Add;
use crate::commands::schedule::daemon::DaemonCommand;
use crate::commands::schedule::export::ScheduleExport;
use crate::commands::schedule::install::ScheduleInstall;
use crate::commands::schedule::list::ScheduleList;
use crate::commands::schedule::log::Log;
use crate::commands::schedule::remove::Remove;
use crate::commands::schedule::run::RunCommand;
use crate::commands::schedule::set::Set;
use crate::commands::schedule::show::ScheduleShow;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ScheduleCommand {
    #[command(subcommand)]
    command: ScheduleSubcommand,
}

const EXAMPLES: &str = "\
Examples:
  skills schedule add standup --every 'weekday at 9' --task 'Summarize the commits of yesterday'
  skills schedule list
  skills schedule daemon --agent 'my-agent --print'
  skills schedule log standup";

#[derive(Debug, Subcommand)]
enum ScheduleSubcommand {
    Add(Add),
    Set(Set),
    List(ScheduleList),
    Show(ScheduleShow),
    Remove(Remove),
    Run(RunCommand),
    Log(Log),
    Export(ScheduleExport),
    Install(ScheduleInstall),
    Daemon(DaemonCommand),
}

impl ScheduleCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        match &self.command {
            ScheduleSubcommand::Add(command) => command.run(environment, output),
            ScheduleSubcommand::Set(command) => command.run(environment, output),
            ScheduleSubcommand::List(command) => command.run(environment, output),
            ScheduleSubcommand::Show(command) => command.run(environment, output),
            ScheduleSubcommand::Remove(command) => command.run(environment, output),
            ScheduleSubcommand::Run(command) => command.run(environment, output),
            ScheduleSubcommand::Log(command) => command.run(environment, output),
            ScheduleSubcommand::Export(command) => command.run(environment, output),
            ScheduleSubcommand::Install(command) => command.run(environment, output),
            ScheduleSubcommand::Daemon(command) => command.run(environment, output),
        }
    }
}
