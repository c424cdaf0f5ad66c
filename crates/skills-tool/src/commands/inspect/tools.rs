//! `skills inspect tools` and `skills inspect call`: the tools with which a model uses skills.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use serde::Serialize;
use skills_session::session::{Answer, ToolSpec};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = TOOLS_EXAMPLES)]
pub(crate) struct Tools {
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const TOOLS_EXAMPLES: &str = "\
Examples:
  skills inspect tools
  skills inspect tools --format json --profile agenvoy";

#[derive(Args, Debug)]
#[command(after_help = CALL_EXAMPLES)]
pub(crate) struct Call {
    /// The name of the tool
    tool: String,
    /// The arguments of the tool; without them, standard input is read
    #[arg(value_name = "JSON")]
    arguments: Option<String>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const CALL_EXAMPLES: &str = r#"Examples:
  skills inspect call skill '{"name":"code-review","arguments":"the parser"}'
  skills inspect call list_skills '{"query":"debug"}'
  skills inspect call read_skill_resource '{"name":"code-review","path":"references/checklist.md"}'"#;

/// `inspect tools --format json`
#[derive(Serialize)]
struct ToolsDocument {
    tools: Vec<ToolSpec>,
}

/// `inspect call --format json`
#[derive(Serialize)]
struct CallDocument<'t> {
    tool: &'t str,
    /// Null when the call failed.
    result: Option<String>,
    error: Option<String>,
}

impl Tools {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[], cx)?;
        let tools = profile.tools(&catalog);
        if cx.is_json {
            cx.json(&ToolsDocument { tools })?;
        } else {
            if tools.is_empty() {
                cx.note(
                    "there are no tools: there is no skill that the model or a person may start",
                );
            }
            for tool in tools {
                writeln!(cx, "{}", cx.strong(&tool.name))?;
                cx.foreign(&tool.description)?;
                writeln!(cx, "\n{:#}\n", tool.parameters)?;
            }
        }
        Ok(Outcome::Done)
    }
}

impl Call {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[], cx)?;
        let arguments = input::given(self.arguments.as_deref(), cx)?;
        let called = profile.call(&catalog, &self.tool, &arguments);
        let called = called.map(Answer::into_text);
        match (cx.is_json, called) {
            (true, called) => {
                let (result, error) = match called {
                    Ok(result) => (Some(result), None),
                    Err(error) => (None, Some(format!("{error:#}"))),
                };
                let failed = error.is_some();
                cx.json(&CallDocument {
                    tool: &self.tool,
                    result,
                    error,
                })?;
                Ok(Outcome::of(failed))
            }
            (false, Ok(result)) => {
                cx.foreign(result.trim_end_matches('\n'))?;
                writeln!(cx)?;
                Ok(Outcome::Done)
            }
            (false, Err(error)) => Err(Failure::not_so(
                error.to_string(),
                "`skills inspect tools` shows the tools, `skills list` the skills",
            )),
        }
    }
}
