//! `skills inspect store gc`: removes the versions that are not in use.

use crate::commands::install::session::Session;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::{Args, Subcommand};
use serde::Serialize;
use skills_host::improve::Proposals;
use skills_host::install::{left_temporary, remove_left_temporary};
use skills_host::lock::collect;
use skills_store::Error;
use skills_store::files::store::{Collected, Removal};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    command: StoreSubcommand,
}

#[derive(Debug, Subcommand)]
enum StoreSubcommand {
    /// Remove the versions that no lock, no repair and no skill in the trash refers to, and what else is left
    ///
    /// Also forgets the folders into which skills were installed, and which are gone, and removes the temporary
    /// folders of processes that were killed.
    Gc(Gc),
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills inspect store gc --dry-run\n  skills inspect store gc")]
struct Gc {
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: FormatOption,
}

/// `inspect store gc --format json`
#[derive(Serialize)]
struct InstallStoreDocument {
    #[serde(flatten)]
    collected: Collected,
    /// The folders into which skills were installed, and which are gone: they are forgotten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forgotten: Vec<String>,
    /// The removed temporary folders of processes that were killed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    temporary: Vec<String>,
}

impl StoreCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let StoreSubcommand::Gc(gc) = &self.command;
        let session = Session::new(cx.env)?;
        gc.run(&session, cx)
    }
}

impl Gc {
    fn run(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let removal = if self.dry_run {
            Removal::DryRun
        } else {
            Removal::Now
        };
        // A waiting repair needs its versions.
        let kept = Proposals::kept(session.data())?;
        let collected = collect(session.data(), kept, removal)?;
        let (forgotten, temporary) = self.rest(session)?;
        if cx.is_json {
            let documented = |all: &[PathBuf]| {
                let all = all.iter().map(|path| cx.env.documented(path));
                all.collect()
            };
            cx.json(&InstallStoreDocument {
                collected,
                forgotten: documented(&forgotten),
                temporary: documented(&temporary),
            })?;
        } else {
            let removed = counted(collected.removed.len(), "version");
            let would = if self.dry_run {
                "would remove"
            } else {
                "removed"
            };
            let (bytes, kept) = (collected.bytes, collected.kept);
            writeln!(cx, "{would} {removed} of {bytes} bytes; {kept} kept")?;
            let forgets = if self.dry_run {
                "would forget"
            } else {
                "forgot"
            };
            for (verb, why, all) in [
                (forgets, "which is gone", &forgotten),
                (would, "which a killed process left", &temporary),
            ] {
                for path in all {
                    let path = one_line(&cx.env.shown(path));
                    writeln!(cx, "{verb} {path}, {why}")?;
                }
            }
        }
        Ok(Outcome::Done)
    }

    /// Forgets the folders that are gone, and removes the temporary folders of killed processes, or only lists both.
    fn rest(&self, session: &Session) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
        let data = session.data();
        if self.dry_run {
            return Ok((data.gone()?, left_temporary(data)?));
        }
        let observer = session.host().observer;
        Ok((data.forget_gone()?, remove_left_temporary(data, observer)?))
    }
}
