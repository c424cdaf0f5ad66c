//! `skills show`: one skill, whole.

pub(crate) mod text;

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::find;
use crate::catalog::installed::InstalledIndex;
use crate::catalog::skill::{CommandIndex, FileJson, SkillJson, body, digest, files, trust_digest};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use skills_runtime::Entry;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The skill: its name, an alias, or SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    /// Print only the instructions
    #[arg(long, conflicts_with_all = ["file", "format"])]
    body: bool,
    /// Print only this file of the skill
    #[arg(long, value_name = "PATH", conflicts_with = "format")]
    file: Option<String>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills show code-review
  skills show bundled:code-review --body
  skills show code-review --file references/checklist.md";

/// `show --format json`
#[derive(Serialize)]
struct Document<'c> {
    schema: u32,
    #[serde(flatten)]
    skill: SkillJson<'c>,
    frontmatter: Box<RawValue>,
    body: &'c str,
    files: Vec<FileJson>,
    /// The digest over the paths, lengths and digests of the files.
    digest: String,
    /// The digest over every entry of the folder, for `skills trust`; null when the skill needs no trust
    /// or cannot be trusted.
    trust_digest: Option<String>,
    /// The estimated tokens of the body.
    tokens: usize,
}

impl Show {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(environment, output)?;
        let entry = find::find(&catalog, &self.id)?;
        if let Some(path) = &self.file {
            let bytes = entry.read(path).map_err(|error| {
                Failure::not_so(
                    error,
                    format_args!("`skills show {}` lists its files", entry.id()),
                )
            })?;
            output.file(&bytes)?;
        } else if self.body {
            output.foreign(&body(&entry)?)?;
            writeln!(output)?;
        } else if format == Format::Json {
            let commands = CommandIndex::new(&catalog, profile);
            let installed = InstalledIndex::new(&catalog, environment, output);
            json(&entry, &commands, &installed, output)?;
        } else {
            let plugins = profile.mentions.plugins;
            let installed = InstalledIndex::new(&catalog, environment, output);
            text::print(&entry, plugins, &installed, environment, output)?;
        }
        Ok(Outcome::Done)
    }
}

fn json(
    entry: &Entry<'_>,
    commands: &CommandIndex,
    installed: &InstalledIndex,
    output: &mut Output,
) -> Result<(), Failure> {
    let frontmatter =
        RawValue::from_string(entry.front_matter().into_owned()).map_err(|error| {
            Failure::failed(
                format_args!(
                    "the front matter of skill '{}' is not JSON: {error}",
                    entry.id()
                ),
                "please report this as a bug, with the skill",
            )
        })?;
    let body = body(entry)?;
    let files = files(entry)?;
    output.json(&Document {
        schema: 1,
        skill: SkillJson::new(*entry, commands, installed),
        frontmatter,
        body: &body,
        digest: digest(&files).to_string(),
        trust_digest: trust_digest(entry)
            .and_then(Result::ok)
            .map(|digest| digest.to_string()),
        tokens: skills_format::estimate_tokens(&body),
        files,
    })
}
