//! `skills trust`: a person decides which skills of a project may be started.

mod change;
mod list;
mod target;

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::catalog::stored::unwritten;
use crate::commands::trust::change::Call;
use crate::commands::trust::list::Document;
use crate::commands::trust::target::Target;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;

/// Trust the skills of a project as they are now; without a name, list the folders and their trust
///
/// Anyone can write the skills of a project: they are listed, and not started before a person trusts
/// them. When one of their files changes, they need to be trusted again.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrustCommand {
    /// A skill or a source, which means all folders of the source; or the path of one folder
    #[arg(value_name = "ID|SOURCE|FOLDER", value_parser = find::given)]
    what: Option<String>,
    /// Remove the trust
    #[arg(long, requires = "what")]
    remove: bool,
    /// How to print the list
    #[arg(long, value_enum, default_value_t, conflicts_with = "what")]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills trust
  skills show deploy && skills trust deploy
  skills trust .agents/skills
  skills trust --remove project";

impl TrustCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let file = self.catalog.trust_file(environment)?;
        if self.what.is_some() {
            file.check()
                .map_err(|error| self.catalog.unwritten(&error))?;
        }
        let loaded = self.catalog.load(environment)?;
        self.catalog.report(&loaded, environment, output);
        let catalog = &loaded.catalog;
        let stored = file.read().map_err(|error| unwritten(&error))?;
        if !self.catalog.asks_for_trust() {
            // Otherwise the catalog has reported them.
            output.warnings(&stored.diagnostics);
        }
        let records = stored.value;
        let Some(what) = &self.what else {
            Document::new(catalog, &records, output).print(self.format, environment, output)?;
            return Ok(Outcome::Done);
        };
        let call = Call {
            what,
            catalog,
            diagnostics: &loaded.diagnostics,
            file,
            records,
            environment,
        };
        match (target::find(catalog, environment, what), self.remove) {
            (Ok(Target::Folders { source, roots }), false) => call.trust(source, &roots, output),
            (Ok(Target::Folders { roots, .. }), true) => call.distrust(&roots, output),
            (Ok(Target::Always(source)), false) => call.is_always(source, output),
            (Ok(Target::Always(source)), true) => Err(Failure::not_so(
                format_args!(
                    "the trust in '{what}' cannot be removed: source '{}' is always trusted",
                    source.name()
                ),
                "`skills disable ID` disables a skill",
            )),
            (Err(failure), true) => call.distrust_elsewhere(failure, output),
            (Err(failure), false) => Err(failure),
        }
    }
}
