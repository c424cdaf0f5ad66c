//! `skills enable` and `skills disable`: changes of the state file.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_runtime::Catalog;
use skills_runtime::catalog::State;
use skills_store::StateFile;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills enable code-review\n  skills enable user:code-review release-notes"
)]
pub(crate) struct Enable {
    /// The skills, by name or as SOURCE:NAME, as they were disabled
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills disable code-review\n  skills disable user:code-review release-notes"
)]
pub(crate) struct Disable {
    /// The skills, by name (in every source) or as SOURCE:NAME
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

/// `enable --format json`
#[derive(Serialize)]
struct EnableDocument {
    schema: u32,
    /// The ids that were disabled and are enabled now.
    enabled: Vec<String>,
    /// The ids that stay disabled.
    kept: Vec<String>,
}

/// `disable --format json`
#[derive(Serialize)]
struct DisableDocument {
    schema: u32,
    disabled: Vec<String>,
}

impl Enable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        enable(&self.ids, self.format, &self.catalog, environment, output)
    }
}

impl Disable {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        disable(&self.ids, self.format, &self.catalog, environment, output)
    }
}

/// Enables skills, and reports the ids that stay disabled. With an unknown id, no skill is enabled.
fn enable(
    ids: &[String],
    format: Format,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(options, environment, output)?;
    let stored = file.read();
    let mut state = stored.map_err(|error| options.unwritten(&error))?.value;
    // On a copy first: nothing is stored when an id is unknown.
    let mut all = Vec::new();
    for id in ids {
        let id = find::meant(&catalog, id, options.profile());
        let on = catalog.enable(&mut state, &id);
        all.push((on.ok_or_else(|| find::unknown(&catalog, &id))?, id));
    }
    if all.iter().any(|(on, _)| !on.enabled.is_empty()) {
        let changed = file.update(|state| {
            for (_, id) in &all {
                // Again on the stored state, which another program may have changed since the read.
                catalog.enable(state, id);
            }
        });
        changed.map_err(|error| options.unwritten(&error))?;
    }
    if format == Format::Json {
        let (enabled, kept) = all.into_iter().map(|(on, _)| (on.enabled, on.kept)).unzip();
        let (enabled, kept): (Vec<Vec<String>>, Vec<Vec<String>>) = (enabled, kept);
        output.json(&EnableDocument {
            schema: 1,
            enabled: enabled.concat(),
            kept: kept.concat(),
        })?;
        return Ok(Outcome::Done);
    }
    for (on, id) in all {
        if on.enabled.is_empty() {
            writeln!(output, "{id} is enabled")?;
            continue;
        }
        write!(output, "enabled {}", on.enabled.join(", "))?;
        match on.kept.len() {
            0 => writeln!(output)?,
            1 => writeln!(output, "; {} stays disabled", on.kept.join(", "))?,
            _ => writeln!(output, "; {} stay disabled", on.kept.join(", "))?,
        }
    }
    Ok(Outcome::Done)
}

/// Disables skills. With an unknown id, no skill is disabled.
fn disable(
    ids: &[String],
    format: Format,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(options, environment, output)?;
    let known = |id: &String| {
        let id = find::meant(&catalog, id, options.profile());
        let known = catalog.disable(&mut State::new(), &id);
        known.ok_or_else(|| find::unknown(&catalog, &id))
    };
    let disabled = ids.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    let stored = file.read().map_err(|error| options.unwritten(&error))?;
    let before: Vec<String> = stored.value.disabled().map(str::to_owned).collect();
    let changed = file.update(|state| {
        for id in &disabled {
            state.disable(id);
        }
    });
    changed.map_err(|error| options.unwritten(&error))?;
    if format == Format::Json {
        output.json(&DisableDocument {
            schema: 1,
            disabled: disabled.iter().map(ToString::to_string).collect(),
        })?;
        return Ok(Outcome::Done);
    }
    for id in disabled {
        if before.contains(&id) {
            writeln!(output, "{id} is disabled")?;
        } else {
            writeln!(output, "disabled {id}")?;
        }
    }
    Ok(Outcome::Done)
}

/// Opens the state file and loads the catalog. A file that cannot be changed is a failure.
fn opened(
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<(Catalog, StateFile), Failure> {
    let file = options.state_file(environment)?;
    file.check().map_err(|error| options.unwritten(&error))?;
    let catalog = options.catalog(&[], environment, output)?;
    Ok((catalog, file))
}
