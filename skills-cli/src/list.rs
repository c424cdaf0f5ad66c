//! `skills list`: every skill of every source.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::layers::CatalogOptions;
use crate::output::{Output, counted, one_line};
use crate::skill_json::{CommandIndex, SkillJson};
use crate::table::Table;
use clap::Args;
use serde::Serialize;
use skills_runtime::catalog::Plugins;
use skills_runtime::source::FolderTrust;
use skills_runtime::{Catalog, Diagnostic, Entry, Loaded};

/// Every skill of every source: its state, and what shadows it
///
/// Looked for are, highest rank first: as source `project` the .agents/skills of the working folder
/// and of those above it up to the root of the repository, which start only after `skills trust`; as
/// source `user` ~/.agents/skills; each plugin's ~/.agents/plugins/PLUGIN/skills; as source `bundled`
/// what is in the program. A profile can say otherwise, and --layer does.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
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
        match self.format {
            Format::Text => {
                let loaded = self.load(environment)?;
                self.catalog.tell(&loaded, environment, output);
                text(&loaded.catalog, &self.catalog, output)?;
            }
            Format::Json => {
                let loaded = self.load(environment)?;
                let commands = CommandIndex::new(&loaded.catalog, self.catalog.profile());
                let skills = loaded.catalog.iter();
                output.json(&Document {
                    schema: 1,
                    skills: skills
                        .map(|entry| SkillJson::new(entry, &commands))
                        .collect(),
                    diagnostics: loaded.diagnostics,
                })?;
            }
        }
        Ok(Outcome::Done)
    }

    /// Loads the catalog. Whoever misses a skill in the list is to learn that it lies in another.
    fn load(&self, environment: &Environment) -> Result<Loaded, Failure> {
        let builder = Catalog::builder().thorough();
        self.catalog.load_with(builder, environment)
    }
}

fn text(catalog: &Catalog, options: &CatalogOptions, output: &mut Output) -> Result<(), Failure> {
    let plugins = options.profile().mentions.plugins;
    let mut table = Table::new(["SKILL", "SOURCE", "STATE", "DESCRIPTION"]);
    for entry in catalog.iter() {
        table.push([
            one_line(&entry.id_under(plugins)),
            one_line(entry.source().name()),
            state(&entry, plugins),
            one_line(entry.description()),
        ]);
    }
    if table.is_empty() {
        output.warning(format_args!(
            "no skill is in any source; {} says where they are looked for",
            options.who_says_where()
        ));
        return Ok(());
    }
    table.print(output)?;
    let untrusted = catalog.iter().filter(|entry| !entry.is_trusted()).count();
    if untrusted > 0 {
        let are = if untrusted == 1 { "is" } else { "are" };
        output.note(&format!(
            "{} {are} untrusted: look with `skills show ID`, then `skills trust ID`",
            counted(untrusted, "skill")
        ));
    }
    Ok(())
}

/// What is to be known of a skill's state, in words.
pub(crate) fn state(entry: &Entry<'_>, plugins: Plugins) -> String {
    let mut words = Vec::new();
    if let Some(other) = entry.shadowed_under(plugins) {
        words.push(format!("shadowed by {}", other.id_under(plugins)));
    }
    let missing = entry.missing();
    if !missing.is_empty() {
        words.push(format!("needs {}", missing.join(", ")));
    }
    let (user, model) = (entry.is_user_invocable(), entry.is_model_invocable());
    let is_changed = entry.trust() == FolderTrust::Changed;
    for (holds, word) in [
        (!entry.is_trusted(), "untrusted"),
        (is_changed, "changed since it was trusted"),
        (!entry.is_enabled(), "disabled"),
        (entry.is_sealed(), "sealed"),
        (!user && !model, "nobody may start it"),
        (!user && model, "model only"),
        (user && !model, "user only"),
    ] {
        if holds {
            words.push(word.to_owned());
        }
    }
    if words.is_empty() {
        words.push("enabled".to_owned());
    }
    words.join(", ")
}
