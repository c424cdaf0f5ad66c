//! `skills activate`: what enters the conversation when a skill starts.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::id;
use crate::layers::CatalogOptions;
use crate::output::Output;
use crate::show;
use clap::Args;
use serde::Serialize;
use skills_runtime::source::FolderTrust;
use skills_runtime::{Activation, Catalog, Notice, Surface};
use std::io::Write as _;

/// What enters the conversation when a skill starts
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Activate {
    /// Its name, an alias, or SOURCE:NAME
    #[arg(value_parser = id::given)]
    id: String,
    /// What it is to work on
    arguments: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
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
    /// The tool call whose result `text` is; null where the profile has no tool that could have
    /// been called so.
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
        let catalog = self.catalog.catalog(environment, output)?;
        let profile = self.catalog.profile();
        let entry = catalog
            .find(&self.id, Surface::User, profile.mentions.plugins)
            .map_err(|notice| refused(&catalog, &notice))?;
        let arguments = self.arguments.as_deref().unwrap_or_default();
        let activation = entry
            .activate(arguments, &self.catalog.activation(environment))
            .map_err(|error| Failure::unreadable(&entry.id(), &error))?;
        match self.format {
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

/// What stands in the way, in the words of this program: the notice's are those of a host.
pub(crate) fn refused(catalog: &Catalog, notice: &Notice) -> Failure {
    let Notice::Untrusted { skill } = notice else {
        return Failure::not_so(notice, "`skills list` shows the skills");
    };
    let trust = show::find(catalog, skill).map(|entry| entry.trust());
    let why = match trust {
        Ok(FolderTrust::Changed) => "is not trusted any more: its folder has changed since it was",
        _ => "comes from a project that is not trusted",
    };
    Failure::not_so(
        format_args!("skill '{skill}' {why}"),
        format_args!(
            "look at it with `skills show {skill}`, then trust it with `skills trust {skill}`"
        ),
    )
}
