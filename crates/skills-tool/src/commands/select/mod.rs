//! `skills select`: ranks the skills for a message, by words alone.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::environment::Environment;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::margin;
use skills_runtime::prompt::{Ranked, Ranker};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Select {
    /// What a person would ask; without it, standard input is read
    text: Option<String>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills select 'what changed since the last version?'
  skills select --format json 'review this before I merge it'

Only words are compared: those of the text with those of names, aliases, descriptions, `when-to-use` and \
tags. A model decides by meaning, so this is not its choice. It shows whether a skill can be found by its \
own words, and which other skills have the same words.";

/// The maximum number of printed skills. The document has all skills.
const SHOWN: usize = 5;

/// `select --format json`
#[derive(Serialize)]
struct SelectDocument {
    schema: u32,
    /// The distance of the first score from the second, as a share of the first.
    margin: f64,
    ranked: Vec<Ranked>,
}

impl Select {
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
        let text = input::given(self.text.as_deref(), output)?;
        let all = Ranker::new(&catalog, profile);
        let ranked: Vec<Ranked> = all.rank(&text).collect();
        let margin = margin(ranked.iter().map(|skill| skill.score));
        match format {
            Format::Json => output.json(&SelectDocument {
                schema: 1,
                margin,
                ranked,
            })?,
            Format::Text => print(&ranked, margin, output)?,
        }
        Ok(Outcome::Done)
    }
}

fn print(ranked: &[Ranked], margin: f64, output: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(["SKILL", "SCORE", "WORDS"]).right(&[1]);
    for skill in ranked.iter().take(SHOWN) {
        let words: Vec<_> = skill.terms.iter().map(|word| one_line(word)).collect();
        table.push([
            one_line(&skill.id),
            format!("{:.2}", skill.score),
            words.join(", "),
        ]);
    }
    match ranked {
        [] => {
            output.note("no skill has a word of this text in its name, description or tags");
            return Ok(());
        }
        [_] => {
            table.print(output)?;
            writeln!(output, "\nNo other skill has a word of this text.")?;
        }
        [first, second, ..] => {
            table.print(output)?;
            let percent = (100.0 * margin).round();
            let (first, second) = (one_line(&first.id), one_line(&second.id));
            if percent > 0.0 {
                writeln!(output, "\n{first} is {percent:.0} % ahead of {second}.")?;
            } else {
                writeln!(output, "\n{first} and {second} cannot be distinguished.")?;
            }
        }
    }
    if let Some(more) = ranked.len().checked_sub(SHOWN + 1) {
        let more = more + 1;
        output.note(format!("{more} more: --format json has all of them"));
    }
    Ok(())
}
