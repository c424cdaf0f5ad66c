//! `skills inspect store gc`: removes the versions that are not in use.

use crate::commands::install::session::{self, Session, failure};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted};
use clap::{Args, Subcommand};
use serde::Serialize;
use skills_host::improve::Proposals;
use skills_host::install::MergeCopy;
use skills_host::lock::collect;
use skills_store::files::store::{Collected, Removal};
use std::io::Write as _;

#[derive(Args, Debug)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    command: StoreSubcommand,
}

#[derive(Debug, Subcommand)]
enum StoreSubcommand {
    /// Remove the versions that no lock, no repair and no skill in the trash refers to
    Gc(Gc),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills inspect store gc --dry-run\n  skills inspect store gc")]
struct Gc {
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `inspect store gc --format json`
#[derive(Serialize)]
struct InstallStoreDocument {
    schema: u32,
    #[serde(flatten)]
    collected: Collected,
}

impl StoreCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let StoreSubcommand::Gc(gc) = &self.command;
        session::run(environment, output, |session, output| {
            gc.run(session, output)
        })
    }
}

impl Gc {
    fn run(&self, session: &Session, output: &mut Output) -> Result<Outcome, Failure> {
        let removal = if self.dry_run {
            Removal::DryRun
        } else {
            Removal::Now
        };
        // A waiting repair and a waiting merge need their versions.
        let mut kept = Proposals::kept(session.data()).map_err(|error| failure(&error))?;
        kept.extend(MergeCopy::kept(session.data()).map_err(|error| failure(&error))?);
        let collected = collect(session.data(), kept, removal).map_err(|error| failure(&error))?;
        match self.format {
            Format::Json => output.json(&InstallStoreDocument {
                schema: 1,
                collected,
            })?,
            Format::Text => {
                let removed = counted(collected.removed.len(), "version");
                let would = if self.dry_run {
                    "would remove"
                } else {
                    "removed"
                };
                let (bytes, kept) = (collected.bytes, collected.kept);
                writeln!(output, "{would} {removed} of {bytes} bytes; {kept} kept")?;
            }
        }
        Ok(Outcome::Done)
    }
}
