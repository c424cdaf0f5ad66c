//! The arguments of the program, and its commands.

mod activate;
mod agent_settings;
mod bundle;
mod chat;
mod check;
mod complete;
mod completions;
mod enable;
mod improve;
mod install;
mod list;
mod lock;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod profile;
mod prompt;
mod resolve;
mod rules;
mod schedule;
mod schema;
mod show;
mod slash;
mod state;
mod tools;
mod trust;

use crate::catalog::options::CatalogOptions;
use crate::commands::activate::Activate;
use crate::commands::bundle::BundleCommand;
use crate::commands::chat::Chat;
use crate::commands::check::Check;
use crate::commands::complete::Complete;
use crate::commands::completions::{Completions, Man};
use crate::commands::enable::{Disable, Enable};
use crate::commands::improve::Improve;
use crate::commands::improve::history::History;
use crate::commands::improve::rollback::Rollback;
use crate::commands::install::Install;
use crate::commands::install::export::Export;
use crate::commands::install::remove::{Move, Restore, Uninstall};
use crate::commands::install::store::StoreCommand;
use crate::commands::install::trash::TrashCommand;
use crate::commands::install::update::{Outdated, Update};
use crate::commands::list::List;
use crate::commands::lock::LockCommand;
#[cfg(feature = "mcp")]
use crate::commands::mcp::Mcp;
use crate::commands::new::New;
use crate::commands::profile::ProfileCommand;
use crate::commands::prompt::Prompt;
use crate::commands::resolve::Resolve;
use crate::commands::rules::{Explain, Rules};
use crate::commands::schedule::ScheduleCommand;
use crate::commands::schema::Schema;
use crate::commands::show::Show;
use crate::commands::slash::Commands;
use crate::commands::state::StateCommand;
use crate::commands::tools::{Call, Tools};
use crate::commands::trust::TrustCommand;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};

/// Agent Skills: check them, list them, and see what a model would get.
#[derive(Debug, Parser)]
#[command(name = "skills", bin_name = "skills", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'   what the message means, and what a model gets
  skills list                                every skill, and what shadows it
  skills check .agents/skills                every problem of the skills in a folder

Exit code: 0 done; 1 errors were found, or what was asked for does not exist or is not allowed;
2 wrong usage, or an operation that failed.";

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Chat(Chat),
    Resolve(Resolve),
    Activate(Activate),
    List(List),
    Show(Show),
    Enable(Enable),
    Disable(Disable),
    State(StateCommand),
    Trust(TrustCommand),
    Commands(Commands),
    Complete(Complete),
    Prompt(Prompt),
    Tools(Tools),
    Call(Call),
    #[cfg(feature = "mcp")]
    Mcp(Mcp),
    Profile(ProfileCommand),
    Check(Check),
    Rules(Rules),
    Explain(Explain),
    Schema(Schema),
    New(New),
    Install(Install),
    Update(Update),
    Outdated(Outdated),
    Uninstall(Uninstall),
    Restore(Restore),
    Trash(TrashCommand),
    Move(Move),
    Export(Export),
    Store(StoreCommand),
    Schedule(ScheduleCommand),
    Improve(Box<Improve>),
    History(History),
    Rollback(Rollback),
    Lock(LockCommand),
    Bundle(BundleCommand),
    Completions(Completions),
    Man(Man),
}

impl Arguments {
    /// Reads the arguments of this process. Without any, at a terminal, they are those of `chat`.
    pub(crate) fn of_process(has_terminal: bool) -> Result<Self, clap::Error> {
        let mut words: Vec<_> = std::env::args_os().collect();
        if words.len() == 1 && has_terminal {
            words.push("chat".into());
        }
        Self::try_parse_from(words)
    }
}

impl Command {
    /// The options that choose the skills of the command. `None`: it works without a catalog.
    pub(crate) fn options(&self) -> Option<&CatalogOptions> {
        Some(match self {
            Self::Chat(command) => &command.catalog,
            Self::Resolve(command) => &command.catalog.options,
            Self::Activate(command) => &command.catalog.options,
            Self::List(command) => &command.catalog.options,
            Self::Show(command) => &command.catalog.options,
            Self::Enable(command) => &command.catalog,
            Self::Disable(command) => &command.catalog,
            Self::State(command) => &command.catalog,
            Self::Trust(command) => &command.catalog,
            Self::Commands(command) => &command.catalog.options,
            Self::Complete(command) => &command.catalog.options,
            Self::Prompt(command) => &command.catalog.options,
            Self::Tools(command) => &command.catalog.options,
            Self::Call(command) => &command.catalog.options,
            #[cfg(feature = "mcp")]
            Self::Mcp(command) => &command.catalog,
            _ => return None,
        })
    }

    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Chat(command) => command.run(environment, output),
            Self::Resolve(command) => command.run(environment, output),
            Self::Activate(command) => command.run(environment, output),
            Self::List(command) => command.run(environment, output),
            Self::Show(command) => command.run(environment, output),
            Self::Enable(command) => command.run(environment, output),
            Self::Disable(command) => command.run(environment, output),
            Self::State(command) => command.run(environment, output),
            Self::Trust(command) => command.run(environment, output),
            Self::Commands(command) => command.run(environment, output),
            Self::Complete(command) => command.run(environment, output),
            Self::Prompt(command) => command.run(environment, output),
            Self::Tools(command) => command.run(environment, output),
            Self::Call(command) => command.run(environment, output),
            #[cfg(feature = "mcp")]
            Self::Mcp(command) => command.run(environment, output),
            Self::Profile(command) => command.run(output),
            Self::Check(command) => command.run(environment, output),
            Self::Rules(command) => command.run(output),
            Self::Explain(command) => command.run(output),
            Self::Schema(command) => command.run(output),
            Self::New(command) => command.run(environment, output),
            Self::Install(command) => command.run(environment, output),
            Self::Update(command) => command.run(environment, output),
            Self::Outdated(command) => command.run(environment, output),
            Self::Uninstall(command) => command.run(environment, output),
            Self::Restore(command) => command.run(environment, output),
            Self::Trash(command) => command.run(environment, output),
            Self::Move(command) => command.run(environment, output),
            Self::Export(command) => command.run(environment, output),
            Self::Store(command) => command.run(environment, output),
            Self::Schedule(command) => command.run(environment, output),
            Self::Improve(command) => command.run(environment, output),
            Self::History(command) => command.run(environment, output),
            Self::Rollback(command) => command.run(environment, output),
            Self::Lock(command) => command.run(environment, output),
            Self::Bundle(command) => command.run(environment, output),
            Self::Completions(command) => command.run(Arguments::command(), output),
            Self::Man(command) => command.run(Arguments::command(), output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_agree() {
        Arguments::command().debug_assert();
    }
}
