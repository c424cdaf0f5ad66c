//! `skills enable` and `skills disable`: changes of the state file.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::disk::resolved;
use skills_format::text::appearance::revealed;
use skills_format::text::path::PathText as _;
use skills_runtime::Catalog;
use skills_store::{Disabled as DisabledSkills, StateFile};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills enable code-review\n  skills enable user:code-review release-notes"
)]
pub(crate) struct Enable {
    /// The skills, by name or as SOURCE:NAME, as they were disabled
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    #[command(flatten)]
    format: FormatOption,
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
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

/// `enable --format json`
#[derive(Serialize)]
struct EnableDocument {
    /// The ids that were disabled and are enabled now.
    enabled: Vec<String>,
    /// The ids that stay disabled.
    kept: Vec<String>,
}

/// `disable --format json`
#[derive(Serialize)]
struct DisableDocument {
    disabled: Vec<String>,
}

impl Enable {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        enable(&self.ids, &self.catalog, cx)
    }
}

impl Disable {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        disable(&self.ids, &self.catalog, cx)
    }
}

/// Enables skills, and reports the ids that stay disabled. With an unknown id, no skill is enabled.
fn enable(ids: &[String], options: &CatalogOptions, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(ids, options, cx)?;
    let mut state = file.read()?.value;
    // On a copy first: nothing is stored when an id is unknown.
    let mut all: Vec<(Vec<String>, Vec<String>, String)> = Vec::new();
    for id in ids {
        let id = meant(&catalog, id, options, cx.env);
        if all.iter().any(|(.., known)| *known == id) {
            continue;
        }
        let before = state.clone();
        let enabled = state.enable(&catalog, &id);
        let enabled = enabled.ok_or_else(|| not_disabled(&catalog, &id))?;
        // Skills of other sources: the bare name had disabled them too, and they stay disabled.
        let kept: Vec<String> = state.ids.difference(&before.ids).cloned().collect();
        all.push((enabled, kept, id));
    }
    if all.iter().any(|(enabled, ..)| !enabled.is_empty()) {
        file.update(|state| {
            for (.., id) in &all {
                // Again on the stored state, which another program may have changed since the read.
                state.enable(&catalog, id);
            }
        })?;
    }
    if cx.is_json {
        let all = all.into_iter().map(|(enabled, kept, _)| (enabled, kept));
        let (enabled, kept): (Vec<Vec<String>>, Vec<Vec<String>>) = all.unzip();
        cx.json(&EnableDocument {
            enabled: enabled.concat(),
            kept: kept.concat(),
        })?;
        return Ok(Outcome::Done);
    }
    for (enabled, kept, id) in all {
        if enabled.is_empty() {
            writeln!(cx, "{id} is enabled")?;
            continue;
        }
        write!(cx, "enabled {}", enabled.join(", "))?;
        match kept.len() {
            0 => writeln!(cx)?,
            1 => writeln!(cx, "; {} stays disabled", kept.join(", "))?,
            _ => writeln!(cx, "; {} stay disabled", kept.join(", "))?,
        }
    }
    Ok(Outcome::Done)
}

/// Disables skills. With an unknown id, no skill is disabled.
fn disable(ids: &[String], options: &CatalogOptions, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let (catalog, file) = opened(ids, options, cx)?;
    let known = |id: &String| {
        let id = meant(&catalog, id, options, cx.env);
        let known = DisabledSkills::default().disable(&catalog, &id);
        known.ok_or(id)
    };
    let disabled: Result<Vec<_>, _> = ids.iter().map(known).collect();
    let mut disabled = disabled.map_err(|id| find::unknown(&catalog, &id))?;
    let mut seen = BTreeSet::new();
    disabled.retain(|id| seen.insert(id.clone()));
    let before = file.read()?.value.ids;
    file.update(|state| state.ids.extend(disabled.iter().cloned()))?;
    if cx.is_json {
        cx.json(&DisableDocument {
            disabled: disabled.iter().map(ToString::to_string).collect(),
        })?;
        return Ok(Outcome::Done);
    }
    for id in &disabled {
        if before.contains(id) {
            writeln!(cx, "{id} is disabled")?;
        } else {
            writeln!(cx, "disabled {id}")?;
        }
    }
    // `a:x` and `b:x` have one name.
    let new: BTreeSet<&str> = disabled
        .iter()
        .filter(|id| !before.contains(*id))
        .map(|id| id.rsplit(':').next().unwrap_or(id))
        .collect();
    let new: Vec<&str> = new.into_iter().collect();
    // Other options name other folders and another file than those of this machine's clients.
    if !new.is_empty() && !options.is_given() && !cx.is_in_prompt() {
        report_readers(&catalog, &new, cx);
    }
    Ok(Outcome::Done)
}

/// Names the clients that read a folder with one of the disabled skills: they still list it.
fn report_readers(catalog: &Catalog, names: &[&str], cx: &mut Ctx) {
    let project = cx.env.bases().project;
    let machine = cx.env.machine(&project);
    // The client `default` stands for the programs with this library.
    let mut clients = machine.clients();
    clients.retain(|found| found.agent.client.name != "default");
    for name in names {
        let folders: Vec<PathBuf> = catalog
            .iter()
            .filter(|entry| entry.name() == *name)
            .filter_map(|entry| entry.folder()?.parent().map(resolved))
            .collect();
        let reads = |(_, folder): (_, PathBuf)| folders.contains(&resolved(&folder));
        let readers: Vec<&str> = clients
            .iter()
            .filter(|found| machine.folders(found.agent.folders).into_iter().any(reads))
            .map(|found| &*found.agent.client.title)
            .collect();
        if !readers.is_empty() {
            cx.note(format!(
                "disabled for `skills` and programs with its library only: {} is still seen by {}",
                one_line(name),
                readers.join(" and ")
            ));
        }
    }
}

/// Builds the failure for an id that no skill has, and that is to be enabled: near is a disabled skill.
fn not_disabled(catalog: &Catalog, id: &str) -> Failure {
    let disabled = catalog.iter().filter(|entry| !entry.is_enabled());
    let disabled: Vec<String> = disabled.map(|entry| entry.id().into_owned()).collect();
    match find::did_you_mean(id, disabled.iter().map(String::as_str)) {
        Some(near) => Failure::not_so(format!("no skill has the id '{}'", revealed(id)), near),
        None => find::unknown(catalog, id),
    }
}

/// Returns the id that an argument means. A relative path is made absolute, as the catalog has the paths.
fn meant(catalog: &Catalog, id: &str, options: &CatalogOptions, env: &Environment) -> String {
    if id.contains(std::path::is_separator) {
        let path = env.absolute(Path::new(id));
        let path = path.shown();
        if DisabledSkills::default().disable(catalog, &path).is_some() {
            return path.into_owned();
        }
    }
    find::meant(catalog, id, options.profile())
}

/// Opens the state file and loads the catalog. A file that cannot be changed is a failure.
fn opened(
    ids: &[String],
    options: &CatalogOptions,
    cx: &mut Ctx,
) -> Result<(Catalog, StateFile), Failure> {
    let file = cx.env.state_file()?;
    file.check()?;
    let named: Vec<&str> = ids.iter().map(String::as_str).collect();
    let catalog = options.catalog(&named, cx)?;
    Ok((catalog, file))
}
