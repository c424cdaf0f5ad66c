//! `skills commands`: the slash commands.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::layers::CatalogOptions;
use crate::output::{Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_runtime::command::CommandSpec;
use std::io::Write as _;

/// The slash commands
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Commands {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills commands
  skills commands --profile openclaw --format json";

/// `commands --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    commands: Vec<CommandSpec>,
}

impl Commands {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let commands = catalog.commands(&self.catalog.profile().command_policy());
        match self.format {
            Format::Json => output.json(&Document {
                schema: 1,
                commands,
            })?,
            Format::Text => {
                for command in &commands {
                    let name = one_line(&command.name);
                    write!(output, "{}", output.strong(format_args!("/{name}")))?;
                    if let Some(hint) = &command.argument_hint {
                        write!(output, " {}", one_line(hint))?;
                    }
                    write!(output, " — {}", one_line(&command.description))?;
                    if let Some(dispatch) = &command.dispatch {
                        write!(output, " (calls {})", one_line(&dispatch.tool))?;
                    }
                    writeln!(output)?;
                }
                if commands.is_empty() {
                    output.note("no skill has a slash command here");
                }
            }
        }
        Ok(Outcome::Done)
    }
}
