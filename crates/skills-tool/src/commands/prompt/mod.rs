//! `skills prompt`: prints the catalog text, which lists the skills for a model.

mod client;
pub(crate) mod named;

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::client_folder::read_as;
use crate::catalog::clients::{ClientOptions, Offered};
use crate::commands::overlap::list::offered;
use crate::commands::prompt::named::note_skills;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted};
use clap::Args;
use serde::Serialize;
use skills_clients::listing::Listing;
use skills_format::{command, prose};
use skills_runtime::options::Budget;
use skills_runtime::prompt::Rendered;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Prompt {
    /// The maximum number of characters, instead of the budget of the profile
    #[arg(long, value_name = "N", conflicts_with = "client")]
    budget: Option<usize>,
    /// With --client: a folder of skills, instead of the skills that `skills list` lists
    #[arg(value_name = "PATH", requires = "client")]
    path: Option<PathBuf>,
    #[command(flatten)]
    client: ClientOptions,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills prompt
  skills prompt --budget 2000
  skills prompt --profile codewhale
  skills prompt --client codex --context 200k
  skills prompt skills --client claude-code --context 200k

With --client, only the lines that the client would list are printed, without the text around them, which counts too. \
`skills overlap --client NAME` shows the skills that cannot be distinguished by these lines.";

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
        if let (Some(client), Some(path)) = (self.client.client, &self.path) {
            return self.of_folder(client, path, environment, output);
        }
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(&[], environment, output)?;
        if let Some(client) = self.client.client {
            let skills = Offered::all(&catalog, profile.mentions.plugins);
            client::print(
                client,
                self.client.context,
                &skills,
                environment,
                format,
                output,
            )?;
            return Ok(Outcome::Done);
        }
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
                output.note(format!("about {}", counted(rendered.tokens, "token")));
                note_skills("shortened", &rendered.shortened, output);
                note_skills("left out", &rendered.omitted, output);
            }
        }
        Ok(Outcome::Done)
    }

    /// Prints the skills of a folder as a client lists them.
    fn of_folder(
        &self,
        client: &Listing,
        path: &Path,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let format = self.catalog.format;
        let context = self.client.context;
        let read = |path: &Path| read_as(client.reads?, path, environment);
        if let Some(folder) = read(path) {
            client::print(client, context, &folder.skills, environment, format, output)?;
            note_skills("not listed", &folder.others, output);
            return Ok(Outcome::Done);
        }
        let lists = offered(path, environment, output)?;
        let [list] = lists.as_slice() else {
            return Err(Failure::not_so(
                prose!("{} holds several bundles", path),
                prose!(
                    "name one of their folders; {} lists them",
                    command("overlap")
                ),
            ));
        };
        let folder = list
            .folder
            .as_deref()
            .and_then(|folder| read(Path::new(folder)));
        let skills = folder.map_or_else(|| list.skills.clone(), |folder| folder.skills);
        client::print(client, context, &skills, environment, format, output)?;
        Ok(Outcome::Done)
    }
}
