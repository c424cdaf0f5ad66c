//! `skills activate`: what enters the conversation when a skill starts.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::find;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_runtime::{Activation, Surface};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Activate {
    /// The skill: its name, an alias, or SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    /// The task for the skill
    arguments: Option<String>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills activate code-review
  skills activate code-review 'src/parser.rs'
  skills activate code-review --format json";

/// `activate --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    #[serde(flatten)]
    activation: Activation,
    /// The tool call that would give `text`; null when the profile has no tool for it.
    call: Option<ToolCall>,
}

#[derive(Serialize)]
struct ToolCall {
    tool: String,
    arguments: String,
}

impl Activate {
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
        let id = find::meant(&catalog, &self.id, profile);
        let entry = catalog
            .find(&id, Surface::User, profile.mentions.plugins)
            .map_err(|notice| find::refused(&catalog, &notice))?;
        let arguments = self.arguments.as_deref().unwrap_or_default();
        let activation = entry
            .activate(arguments, &profile.activation())
            .map_err(|error| Failure::unreadable(&entry.id(), &error))?;
        match format {
            Format::Json => output.json(&Document {
                schema: 1,
                call: activation.exchange().map(|exchange| ToolCall {
                    tool: exchange.tool,
                    arguments: exchange.arguments,
                }),
                activation,
            })?,
            Format::Text => {
                output.foreign(&activation.message())?;
                writeln!(output)?;
            }
        }
        Ok(Outcome::Done)
    }
}
