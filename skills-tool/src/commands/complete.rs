//! `skills complete`: the completions at the cursor.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_runtime::complete::CompletionCandidate;
use skills_runtime::mention::Span;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Complete {
    /// The message, as far as it is typed
    text: String,
    /// The position of the cursor in bytes; the end of the message by default
    #[arg(long, value_name = "N")]
    cursor: Option<usize>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills complete 'please $cod'
  skills complete '/' --format json
  skills complete '$cod the parser' --cursor 4";

/// `complete --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    /// Null when nothing can be completed.
    replace: Option<Span>,
    candidates: Vec<CompletionCandidate>,
}

impl Complete {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let cursor = self.cursor.unwrap_or(self.text.len());
        if !self.text.is_char_boundary(cursor) {
            return Err(no_place(&self.text, cursor));
        }
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(environment, output)?;
        let completion = catalog.complete(&self.text, cursor, profile);
        let (replace, candidates) = completion
            .map(|completion| (completion.replace, completion.candidates))
            .unzip();
        let candidates = candidates.unwrap_or_default();
        match format {
            Format::Json => output.json(&Document {
                schema: 1,
                replace,
                candidates,
            })?,
            Format::Text => text(&candidates, output)?,
        }
        Ok(Outcome::Done)
    }
}

/// Makes the failure of a cursor that is not between two characters.
fn no_place(text: &str, cursor: usize) -> Failure {
    let end = text.len();
    if cursor > end {
        return Failure::failed(
            format_args!("--cursor {cursor}: the text ends at {end}"),
            format_args!("write a number from 0 to {end}"),
        );
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let before = (0..cursor).rev().find(is_boundary).unwrap_or(0);
    let after = (cursor..end).find(is_boundary).unwrap_or(end);
    Failure::failed(
        format_args!("--cursor {cursor}: it is inside a character of the text"),
        format_args!("write {before} or {after}: a cursor is counted in bytes"),
    )
}

fn text(candidates: &[CompletionCandidate], output: &mut Output) -> Result<(), Failure> {
    let texts = candidates.iter().map(|candidate| &candidate.text);
    let width = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    for candidate in candidates {
        let text = format!("{:width$}", one_line(&candidate.text));
        let off = if candidate.enabled { "" } else { "(off) " };
        let description = one_line(&candidate.description);
        let text = if candidate.scheduled {
            output.careful(text)
        } else {
            output.strong(text)
        };
        writeln!(output, "{text}  {off}{description}")?;
    }
    if candidates.is_empty() {
        output.note("there are no completions");
    }
    Ok(())
}
