//! `skills inspect`: what hosts, models and other programs get from the skills.

mod print;
mod tools;

use crate::commands::inspect::print::{Completions, Man, ProfileCommand, Schema};
use crate::commands::inspect::tools::{Activate, Complete, Tools};
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
    /// List the completions of the $name or /name at the cursor
    Complete(Deferred<Complete>),
    /// Print the definitions of the skill tools that a model gets, or call one
    ///
    /// A call prints the result of the tool; the exit code is 1 if the tool reports an error.
    Tools(Deferred<Tools>),
    /// Show how clients name, read and store skills
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
            InspectCommand::Complete(command) => command.run(cx),
            InspectCommand::Tools(command) => command.run(cx),
            InspectCommand::Profile(command) => command.run(cx),
            InspectCommand::Schema(command) => command.run(cx),
            InspectCommand::Completions(command) => command.run(program(), cx),
            InspectCommand::Man(command) => command.run(program(), cx),
        }
    }
}
