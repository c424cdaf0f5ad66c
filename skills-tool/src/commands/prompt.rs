//! `skills prompt`: the catalog text, which lists the skills for a model.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted};
use clap::Args;
use serde::Serialize;
use skills_runtime::prompt::{Budget, Rendered};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Prompt {
    /// The most characters of the text, instead of the budget of the profile
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

/// The most shortened or omitted skills that are named. The document names all of them.
const NAMED: usize = 5;

const EXAMPLES: &str = "\
Examples:
  skills prompt
  skills prompt --budget 2000
  skills prompt --profile codewhale";

/// `prompt --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    #[serde(flatten)]
    rendered: Rendered,
}

impl Prompt {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(&[], environment, output)?;
        let mut options = profile.prompt();
        if let Some(characters) = self.budget {
            options.budget = Budget::Characters(characters);
        }
        let rendered = catalog.prompt(&options);
        match format {
            Format::Json => output.json(&Document {
                schema: 1,
                rendered,
            })?,
            Format::Text => {
                output.foreign(&rendered.text)?;
                if !rendered.text.is_empty() {
                    writeln!(output)?;
                }
                output.note(&format!("about {}", counted(rendered.tokens, "token")));
                note_skills("shortened", &rendered.shortened, output);
                note_skills("left out", &rendered.omitted, output);
            }
        }
        Ok(Outcome::Done)
    }
}

fn note_skills(what: &str, skills: &[String], output: &mut Output) {
    if !skills.is_empty() {
        let count = counted(skills.len(), "skill");
        let first = skills.get(..NAMED).unwrap_or(skills).join(", ");
        let more = match skills.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        output.note(&format!("{count} {what}: {first}{more}"));
    }
}
