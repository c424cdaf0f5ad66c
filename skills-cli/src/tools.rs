//! `skills tools` and `skills call`: the tools that a model has for skills.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::layers::CatalogOptions;
use crate::message;
use crate::output::Output;
use clap::Args;
use serde::Serialize;
use skills_runtime::{Catalog, ToolSpec};
use std::io::Write as _;

/// The definitions of the tools that a model has for skills
#[derive(Args, Debug)]
#[command(after_help = TOOLS_EXAMPLES)]
pub(crate) struct Tools {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const TOOLS_EXAMPLES: &str = "\
Examples:
  skills tools
  skills tools --format json --profile agenvoy";

/// What a call of such a tool gives; exit code 1 for a tool error
#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(crate) struct Call {
    /// The tool
    tool: String,
    /// Its arguments; standard input when they are not given
    #[arg(value_name = "JSON")]
    arguments: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const CALL_EXAMPLES: &str = r#"Examples:
  skills call skill '{"name":"code-review","arguments":"the parser"}'
  skills call list_skills '{"query":"debug"}'
  skills call read_skill_resource '{"name":"code-review","path":"references/checklist.md"}'"#;

/// `tools --format json`
#[derive(Serialize)]
struct ToolsDocument {
    schema: u32,
    tools: Vec<ToolSpec>,
}

/// `call --format json`
#[derive(Serialize)]
struct CallDocument<'t> {
    schema: u32,
    tool: &'t str,
    /// Null when the call failed.
    result: Option<String>,
    error: Option<String>,
}

impl Tools {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let tools = tools(&catalog, &self.catalog, environment).specs();
        match self.format {
            Format::Json => output.json(&ToolsDocument { schema: 1, tools })?,
            Format::Text => {
                for tool in tools {
                    writeln!(output, "{}", output.strong(&tool.name))?;
                    output.foreign(&tool.description)?;
                    writeln!(output, "\n{:#}\n", tool.parameters)?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

impl Call {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let arguments = message::given(self.arguments.as_deref(), output)?;
        let called = tools(&catalog, &self.catalog, environment).call(&self.tool, &arguments);
        match (self.format, called) {
            (Format::Json, called) => {
                let (result, error) = match called {
                    Ok(result) => (Some(result), None),
                    Err(error) => (None, Some(error.to_string())),
                };
                let failed = error.is_some();
                output.json(&CallDocument {
                    schema: 1,
                    tool: &self.tool,
                    result,
                    error,
                })?;
                Ok(if failed {
                    Outcome::Findings
                } else {
                    Outcome::Done
                })
            }
            (Format::Text, Ok(result)) => {
                output.foreign(result.trim_end_matches('\n'))?;
                writeln!(output)?;
                Ok(Outcome::Done)
            }
            (Format::Text, Err(error)) => Err(Failure::not_so(
                error,
                "`skills tools` shows the tools and their arguments",
            )),
        }
    }
}

/// The profile's tools, with `~` for the home folder.
fn tools(
    catalog: &Catalog,
    options: &CatalogOptions,
    environment: &Environment,
) -> skills_runtime::Tools {
    let mut tools = skills_runtime::Tools::new(catalog, options.profile());
    if let Some(skill) = tools.skill_mut() {
        *skill.options_mut() = options.activation(environment);
    }
    tools
}
