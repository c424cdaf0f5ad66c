//! `skills list`: every skill of every source.

use crate::catalog::arguments::CatalogArguments;
use crate::catalog::installed::InstalledIndex;
use crate::catalog::options::CatalogOptions;
use crate::catalog::skill::{CommandIndex, SkillJson, state};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::hint::command;
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_runtime::catalog::Location;
use skills_runtime::{Catalog, Diagnostic, Entry, Loaded, Severity};
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills list
  skills list --no-bundled --layer team=../team/skills
  skills list --format json";

/// `list --format json`
#[derive(Serialize)]
struct Document<'c> {
    schema: u32,
    skills: Vec<SkillJson<'c>>,
    diagnostics: Vec<Diagnostic>,
}

impl List {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let mut loaded = self.load(environment)?;
        let options = &self.catalog.options;
        match self.catalog.format {
            Format::Text => {
                options.report(&loaded, environment, output);
                table(&loaded.catalog, options, environment, output)?;
            }
            Format::Json => {
                let commands = CommandIndex::new(&loaded.catalog, options.profile());
                let installed = InstalledIndex::new(&loaded.catalog, environment, output);
                for found in &mut loaded.diagnostics {
                    found.path = environment.documented(Path::new(&found.path));
                }
                let skills = loaded.catalog.iter();
                output.json(&Document {
                    schema: 1,
                    skills: skills
                        .map(|entry| SkillJson::new(entry, &commands, &installed, environment))
                        .collect(),
                    diagnostics: loaded.diagnostics,
                })?;
            }
        }
        Ok(Outcome::Done)
    }

    /// Loads the catalog. Also reports nested skills, to explain a missing one, and skills that a server
    /// leaves out.
    fn load(&self, environment: &Environment) -> Result<Loaded, Failure> {
        let builder = Catalog::builder().thorough();
        let mut loaded = self.catalog.options.load_with(builder, environment)?;
        let entries = loaded.catalog.iter();
        let over: Vec<Diagnostic> = entries.filter_map(|entry| over_limits(&entry)).collect();
        loaded.diagnostics.extend(over);
        Diagnostic::sort(&mut loaded.diagnostics);
        Ok(loaded)
    }
}

/// Reports a skill that is over the limits of skills over MCP.
fn over_limits(entry: &Entry<'_>) -> Option<Diagnostic> {
    let Location::Folder(folder) = entry.location() else {
        return None;
    };
    let limit = entry.over_limits()?;
    let message = format!("`{}` is not served over MCP: {limit}", entry.id());
    let path = folder.to_string_lossy();
    Some(Diagnostic::new(
        "mcp-limits",
        Severity::Warning,
        path,
        message,
    ))
}

/// Prints the skills as a table.
pub(crate) fn table(
    catalog: &Catalog,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    let installed = InstalledIndex::new(catalog, environment, output);
    let plugins = options.profile().mentions.plugins;
    let row = |entry: Entry<'_>| {
        [
            one_line(&entry.id_under(plugins)),
            one_line(entry.source().name()),
            match installed.words(&entry) {
                "" => state(&entry, plugins),
                words => format!("{}, {words}", state(&entry, plugins)),
            },
            one_line(&installed.origin(&entry)),
            one_line(entry.description()),
        ]
    };
    let rows: Vec<[String; 5]> = catalog.iter().map(row).collect();
    if rows.is_empty() {
        output.warning(format_args!(
            "no source has a skill; {} lists the folders of skills",
            options.who_says_where()
        ));
        return Ok(());
    }
    if rows.iter().all(|[_, _, _, from, _]| from.is_empty()) {
        let mut table = Table::new(["SKILL", "SOURCE", "STATE", "DESCRIPTION"]);
        for [skill, source, state, _, description] in rows {
            table.push([skill, source, state, description]);
        }
        table.print(output)?;
    } else {
        let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FROM", "DESCRIPTION"]);
        for row in rows {
            table.push(row);
        }
        table.print(output)?;
    }
    let untrusted: Vec<Entry<'_>> = catalog.iter().filter(|entry| !entry.is_trusted()).collect();
    if let Some(first) = untrusted.first() {
        let mut found = Vec::new();
        options.trusted(environment, &mut found)?;
        if !found.is_empty() {
            return Ok(());
        }
        let id = first.id();
        let are = if untrusted.len() == 1 { "is" } else { "are" };
        output.hint(&format!(
            "{} {are} untrusted: look with {}, then {}",
            counted(untrusted.len(), "skill"),
            command(&["show", &id]),
            command(&["trust", &id]),
        ));
    }
    Ok(())
}
