//! `skills inspect schema`: prints the JSON Schemas of the files that people write.

use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Schema {
    /// Of `skills.toml`
    #[arg(long)]
    config: bool,
    /// Of `triggers.yaml`
    #[arg(long, conflicts_with = "config")]
    triggers: bool,
}

const EXAMPLES: &str = "\
Examples:
  skills inspect schema > skill.schema.json
  skills inspect schema --config > skills-toml.schema.json
  skills inspect schema --triggers > triggers.schema.json";

impl Schema {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let schema = if self.config {
            skills_lint::config_schema()
        } else if self.triggers {
            skills_clients::triggers_schema()
        } else {
            skills_lint::json_schema()
        };
        writeln!(output, "{}", schema.trim_end())?;
        Ok(Outcome::Done)
    }
}
