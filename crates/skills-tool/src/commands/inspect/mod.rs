//! `skills inspect`: what hosts, models and other programs get from the skills.

pub(crate) mod bundle;
pub(crate) mod print;
mod report;
pub(crate) mod tools;

use crate::commands::inspect::bundle::BundleCommand;
use crate::commands::inspect::print::ProfileCommand;
use crate::commands::inspect::print::{Completions, Man, Schema};
use crate::commands::inspect::tools::Activate;
use crate::commands::inspect::tools::Commands;
use crate::commands::inspect::tools::Complete;
use crate::commands::inspect::tools::Tools;
use crate::commands::line::Deferred;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::{Args, Command, Subcommand};

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    #[command(subcommand)]
    command: InspectCommand,
}

#[derive(Debug, Subcommand)]
enum InspectCommand {
    /// Print what enters the conversation when a skill starts
    Activate(Deferred<Activate>),
    /// List the slash commands
    Commands(Deferred<Commands>),
    /// List the completions of the $name or /name at the cursor
    Complete(Deferred<Complete>),
    /// Print the definitions of the skill tools that a model gets, or call one
    ///
    /// A call prints the result of the tool; the exit code is 1 if the tool reports an error.
    Tools(Deferred<Tools>),
    /// Show the digests, sizes and budget that a folder of skills has when a program bundles it
    Bundle(Deferred<BundleCommand>),
    /// Show how hosts name, read and store skills
    Profile(Deferred<ProfileCommand>),
    /// Print a JSON Schema for editors
    Schema(Deferred<Schema>),
    /// Print the completion script of a shell, for commands and options
    Completions(Deferred<Completions>),
    /// Write the manual pages of the program and of each command into a folder
    Man(Deferred<Man>),
}

impl Inspect {
    pub(crate) fn run(&self, program: fn() -> Command, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match &self.command {
            InspectCommand::Activate(command) => command.run(cx),
            InspectCommand::Commands(command) => command.run(cx),
            InspectCommand::Complete(command) => command.run(cx),
            InspectCommand::Tools(command) => command.run(cx),
            InspectCommand::Bundle(command) => command.run(cx),
            InspectCommand::Profile(command) => command.run(cx),
            InspectCommand::Schema(command) => command.run(cx),
            InspectCommand::Completions(command) => command.run(program(), cx),
            InspectCommand::Man(command) => command.run(program(), cx),
        }
    }
}
