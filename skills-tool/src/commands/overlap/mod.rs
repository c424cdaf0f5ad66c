//! `skills overlap`: the skills that a model cannot tell apart by their descriptions.

mod compared;

use crate::catalog::clients::{ClientOptions, Offered};
use crate::catalog::options::CatalogOptions;
use crate::commands::check::read::open;
use crate::commands::overlap::compared::{List, ListDocument, PairDocument};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::hint::shell_word;
use crate::output::{Format, Output, counted};
use clap::Args;
use serde::Serialize;
use skills_compiler::repository::Settings;
use skills_compiler::triggers::Loaded;
use skills_format::text::path::PathText as _;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Overlap {
    /// A folder of skills or of a repository, instead of the skills of the catalog
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    #[command(flatten)]
    client: ClientOptions,
    /// From how many words in a hundred that two descriptions have in common they are near
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=100))]
    near: u8,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills overlap
  skills overlap skills --client claude-code --context 200k
  skills overlap . --near 30

Two skills cannot be told apart when their descriptions have the same words, or one has every word of the \
other. With --client only the words count that are left after the client has cut the list. Words such as \
`the` do not count, nor do names: a model that reads only words alike has to guess.";

/// `overlap --format json`
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    client: Option<&'a str>,
    context: Option<u64>,
    lists: Vec<ListDocument>,
}

impl Overlap {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let lists = self.lists(environment, output)?;
        let lists: Vec<ListDocument> = lists
            .iter()
            .map(|list| list.compare(&self.client, self.near))
            .collect();
        let is_found = |pair: &PairDocument| pair.relation.is_inseparable();
        let outcome = if lists.iter().flat_map(|list| &list.pairs).any(is_found) {
            Outcome::Findings
        } else {
            Outcome::Done
        };
        match self.format {
            Format::Json => output.json(&Document {
                schema: 1,
                client: self.client.client.map(|client| &*client.name),
                context: self.client.context,
                lists,
            })?,
            Format::Text => {
                for (number, list) in lists.iter().enumerate() {
                    if number > 0 {
                        writeln!(output)?;
                    }
                    list.print(&self.client, lists.len() > 1, output)?;
                }
            }
        }
        Ok(outcome)
    }

    /// The lists of skills that are compared, each by itself.
    fn lists(&self, environment: &Environment, output: &mut Output) -> Result<Vec<List>, Failure> {
        let Some(path) = &self.path else {
            let catalog = self.catalog.catalog(&[], environment, output)?;
            let plugins = self.catalog.profile().mentions.plugins;
            let skills = Offered::all(&catalog, plugins);
            if skills.is_empty() {
                output.note("no skill is listed; `skills overlap .` compares those of this folder");
            }
            return Ok(vec![List {
                folder: None,
                skills,
            }]);
        };
        let repository = open(path, &Settings::default(), environment)?;
        let mut lists = Vec::new();
        for bundle in repository.bundles.iter().filter(|bundle| bundle.skills > 0) {
            let loaded = Loaded::read(&repository, bundle);
            if loaded.unread > 0 {
                let skills = counted(loaded.unread, "skill");
                output.warning(format_args!(
                    "{skills} of {} cannot be read, and took no part: see `skills check {}`",
                    bundle.path,
                    shell_word(&bundle.path)
                ));
            }
            let skills = loaded.skills.into_iter().filter(|skill| skill.is_for_model);
            lists.push(List {
                folder: Some(bundle.path.clone()),
                skills: skills.map(Offered::from).collect(),
            });
        }
        if lists.is_empty() {
            return Err(Failure::not_so(
                format_args!("no skill is below {}", path.shown()),
                "name a folder that holds folders with a SKILL.md",
            ));
        }
        Ok(lists)
    }
}
