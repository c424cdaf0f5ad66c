//! `skills enable` and `skills disable`: stored for later calls.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use skills_host::StateFile;
use skills_runtime::Catalog;
use skills_runtime::catalog::State;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills enable code-review\n  skills enable user:code-review")]
pub(crate) struct Enable {
    /// The skill, by name or as SOURCE:NAME, as it was disabled
    #[arg(value_parser = find::given)]
    id: String,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills disable code-review\n  skills disable user:code-review"
)]
pub(crate) struct Disable {
    /// The skill, by name (in every source) or as SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

impl Enable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        enable(&self.id, &self.catalog, environment, output)
    }
}

impl Disable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        disable(&self.id, &self.catalog, environment, output)
    }
}

/// Enables a skill, and reports what stays disabled.
pub(crate) fn enable(
    id: &str,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(options, environment, output)?;
    let id = &*find::meant(&catalog, id, options.profile());
    let stored = file.read();
    let mut state = stored.map_err(|error| options.unwritten(&error))?.value;
    let on = catalog.enable(&mut state, id);
    let on = on.ok_or_else(|| unknown(id))?;
    if on.enabled.is_empty() {
        writeln!(output, "{id} is enabled")?;
        return Ok(Outcome::Done);
    }
    let changed = file.update(|state| {
        catalog.enable(state, id);
    });
    changed.map_err(|error| options.unwritten(&error))?;
    write!(output, "enabled {}", on.enabled.join(", "))?;
    match on.kept.len() {
        0 => writeln!(output)?,
        1 => writeln!(output, "; {} stays disabled", on.kept.join(", "))?,
        _ => writeln!(output, "; {} stay disabled", on.kept.join(", "))?,
    }
    Ok(Outcome::Done)
}

/// Disables a skill.
pub(crate) fn disable(
    id: &str,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(options, environment, output)?;
    let id = &*find::meant(&catalog, id, options.profile());
    let known = catalog.disable(&mut State::new(), id);
    let id = known.ok_or_else(|| unknown(id))?;
    let changed = file.update(|state| state.disable(&id));
    changed.map_err(|error| options.unwritten(&error))?;
    writeln!(output, "disabled {id}")?;
    Ok(Outcome::Done)
}

/// Opens the file and loads the catalog. A file that cannot be changed is a failure.
fn opened(
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<(Catalog, StateFile), Failure> {
    let file = options.state_file(environment)?;
    file.check().map_err(|error| options.unwritten(&error))?;
    let catalog = options.catalog(environment, output)?;
    Ok((catalog, file))
}

fn unknown(id: &str) -> Failure {
    Failure::not_so(
        format_args!("no skill has the id '{id}'"),
        "`skills list` shows the skills",
    )
}
