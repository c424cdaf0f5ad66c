//! `skills inspect profile`: how hosts name, read and keep skills.

mod document;
mod text;
mod words;

use crate::catalog::options::{known, profile_named};
use crate::commands::inspect::profile::document::ProfileShowDocument;
use crate::commands::inspect::profile::words::known_for;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output};
use clap::{Args, Subcommand};
use serde::Serialize;
use skills_runtime::Profile;

#[derive(Args, Debug)]
pub(crate) struct ProfileCommand {
    #[command(subcommand)]
    command: ProfileSubcommand,
}

#[derive(Debug, Subcommand)]
enum ProfileSubcommand {
    /// List every profile
    List {
        /// The output format
        #[arg(short, long, value_enum, default_value_t)]
        format: Format,
    },
    /// Show every field of one profile
    Show {
        /// The name of the profile
        #[arg(default_value = "default")]
        profile: String,
        /// The output format
        #[arg(short, long, value_enum, default_value_t)]
        format: Format,
    },
}

/// `inspect profile list --format json`
#[derive(Serialize)]
struct ProfileListDocument {
    schema: u32,
    profiles: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    reference: &'static str,
    known_for: &'static str,
}

impl ProfileCommand {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        match &self.command {
            ProfileSubcommand::List { format } => list(*format, output)?,
            ProfileSubcommand::Show { profile, format } => {
                let found = profile_named(profile).ok_or_else(|| {
                    let fact = format!("no profile is named '{profile}'");
                    Failure::not_so(fact, known(profile))
                })?;
                show(found, *format, output)?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn list(format: Format, output: &mut Output) -> Result<(), Failure> {
    let profiles = Profile::ALL.map(|profile| Named {
        name: &profile.name,
        reference: &profile.reference,
        known_for: known_for(&profile.name),
    });
    if format == Format::Json {
        return output.json(&ProfileListDocument {
            schema: 1,
            profiles: profiles.into(),
        });
    }
    let mut table = Table::new(["NAME", "REFERENCE", "KNOWN FOR"]);
    for it in profiles {
        table.push([it.name, it.reference, it.known_for].map(str::to_owned));
    }
    table.print(output)
}

fn show(profile: &'static Profile, format: Format, output: &mut Output) -> Result<(), Failure> {
    let document = ProfileShowDocument::new(profile);
    match format {
        Format::Json => output.json(&document),
        Format::Text => text::print(&document, output),
    }
}
