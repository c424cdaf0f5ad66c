//! `skills commands`: the slash commands.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_runtime::command::CommandSpec;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Commands {
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
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
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(environment, output)?;
        let commands = catalog.commands(&profile.command_policy());
        match format {
            Format::Json => output.json(&Document {
                schema: 1,
                commands,
            })?,
            Format::Text => {
                for command in &commands {
                    let name = one_line(&command.name);
                    let name = format!("/{name}");
                    let name = if command.scheduled {
                        output.careful(name)
                    } else {
                        output.strong(name)
                    };
                    write!(output, "{name}")?;
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
