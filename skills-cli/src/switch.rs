//! `skills enable` and `disable`: what a person says of skills, kept for the next time.

use crate::Outcome;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::kept::unwritten;
use crate::layers::CatalogOptions;
use crate::output::Output;
use clap::Args;
use skills_host::StateFile;
use skills_runtime::{Catalog, State};
use std::io::Write as _;

/// Switch a skill on again
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills enable code-review\n  skills enable user:code-review")]
pub(crate) struct Enable {
    /// The skill, by name or as SOURCE:NAME, as it was disabled
    id: String,
    #[command(flatten)]
    catalog: CatalogOptions,
}

/// Switch a skill off: it is listed, and never started
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills disable code-review\n  skills disable user:code-review"
)]
pub(crate) struct Disable {
    /// The skill, by name (in every source) or as SOURCE:NAME
    id: String,
    #[command(flatten)]
    catalog: CatalogOptions,
}

impl Enable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let file = self.catalog.state_file(environment)?;
        let stored = file.read().map_err(|error| unwritten(&error))?;
        // Only what was said can be taken back: by name, or for one source.
        let said = known(&catalog, &self.id)
            .into_iter()
            .flat_map(|(source, name)| stored.value.disabled_by(&source, &name))
            .collect::<Vec<String>>();
        if said.is_empty() {
            let is_known = !known(&catalog, &self.id).is_empty();
            return if is_known {
                writeln!(output, "{} is enabled", self.id)?;
                Ok(Outcome::Done)
            } else {
                Err(unknown(&self.id))
            };
        }
        change(&file, output, |state| {
            for id in &said {
                state.enable(id);
            }
        })?;
        writeln!(output, "enabled {}", said.join(", "))?;
        Ok(Outcome::Done)
    }
}

impl Disable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        if known(&catalog, &self.id).is_empty() {
            return Err(unknown(&self.id));
        }
        let file = self.catalog.state_file(environment)?;
        change(&file, output, |state| state.disable(&self.id))?;
        writeln!(output, "disabled {}", self.id)?;
        Ok(Outcome::Done)
    }
}

/// The sources and names of the skills that an id means.
fn known(catalog: &Catalog, id: &str) -> Vec<(String, String)> {
    let is_meant =
        |entry: &skills_runtime::Entry<'_>| entry.name() == id || entry.qualified_id() == id;
    let names = |entry: skills_runtime::Entry<'_>| {
        (entry.source().name().to_owned(), entry.name().to_owned())
    };
    catalog.iter().filter(is_meant).map(names).collect()
}

fn change(
    file: &StateFile,
    output: &mut Output,
    change: impl FnOnce(&mut State),
) -> Result<(), Failure> {
    let stored = file.update(change).map_err(|error| unwritten(&error))?;
    output.told(&stored.diagnostics);
    Ok(())
}

fn unknown(id: &str) -> Failure {
    Failure::not_so(
        format_args!("no skill has the id '{id}'"),
        "`skills list` shows those there are",
    )
}
