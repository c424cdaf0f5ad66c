//! `skills deps`: the skills that the dependencies of a cargo workspace ship.

pub(crate) mod author;
mod list;
mod site;
mod sync;

use crate::commands::deps::list::DepsList;
use crate::commands::deps::sync::Sync;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::{Args, Subcommand};

#[derive(Args, Debug)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Deps {
    #[command(subcommand)]
    command: DepsCommand,
}

const EXAMPLES: &str = "\
Examples:
  skills deps list            the skills of the direct dependencies, and which of them are installed
  skills deps sync            install, update and remove them in the project
  skills deps sync --check    in CI";

#[derive(Debug, Subcommand)]
enum DepsCommand {
    #[command(visible_alias = "ls")]
    List(DepsList),
    Sync(Sync),
}

impl Deps {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        match &self.command {
            DepsCommand::List(command) => command.run(environment, output),
            DepsCommand::Sync(command) => command.run(environment, output),
        }
    }
}
