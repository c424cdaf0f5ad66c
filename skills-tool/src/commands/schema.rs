//! `skills schema`: the JSON Schema of the front matter.

use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use std::io::Write as _;

/// Print the JSON Schema of the front matter, for editors
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Schema {}

const EXAMPLES: &str = "\
Examples:
  skills schema > skill.schema.json";

impl Schema {
    #[expect(clippy::unused_self, reason = "as the other commands")]
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        writeln!(output, "{}", skills_format::json_schema().trim_end())?;
        Ok(Outcome::Done)
    }
}
