//! The unit of a scheduler of the machine, for `export` and `install`.

use crate::commands::install::session::failure;
use crate::commands::schedule::site::{RunnerOptions, Site};
use crate::environment::Environment;
use crate::outcome::Failure;
use clap::Args;
use skills_format::text::path::PathText as _;
use skills_format::{command, prose};
use skills_host::schedule::{Unit, UnitKind};

/// What the unit starts, and how.
#[derive(Args, Debug)]
pub(crate) struct UnitOptions {
    /// A schedule; by default the daemon
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) runner: RunnerOptions,
    #[command(flatten)]
    pub(crate) site: Site,
}

/// For which scheduler.
#[derive(Args, Clone, Copy, Debug)]
#[group(id = "scheduler", multiple = false)]
pub(crate) struct TargetScheduler {
    /// For systemd
    #[arg(long)]
    systemd: bool,
    /// For launchd
    #[arg(long)]
    launchd: bool,
    /// For cron
    #[arg(long)]
    cron: bool,
}

impl TargetScheduler {
    /// Returns the scheduler that the options name.
    pub(crate) fn named(self) -> Option<UnitKind> {
        match self {
            Self { systemd: true, .. } => Some(UnitKind::Systemd),
            Self { launchd: true, .. } => Some(UnitKind::Launchd),
            Self { cron: true, .. } => Some(UnitKind::Cron),
            Self { .. } => None,
        }
    }
}

impl UnitOptions {
    /// Builds the unit.
    pub(crate) fn unit(&self, kind: UnitKind, environment: &Environment) -> Result<Unit, Failure> {
        let Some(name) = &self.name else {
            let words = self.words(kind, &["daemon"], environment)?;
            return Ok(kind.daemon(self.site.named(), &words));
        };
        let scheduler = self.site.scheduler(environment)?;
        let name = scheduler.find(name).map_err(|error| failure(&error))?;
        let stored = scheduler.file().whole().map_err(|error| failure(&error))?;
        let schedule = stored.get(&name).ok_or_else(|| {
            Failure::not_so(
                format_args!("{name} has no schedule"),
                prose!(
                    "give it one with {}",
                    command("schedule set")
                        .word(&name)
                        .word("--cron")
                        .word("0 9 * * *")
                ),
            )
        })?;
        let words = self.words(kind, &["run", &name], environment)?;
        let zone = Environment::time_zone();
        kind.one(schedule, &words, zone.as_deref())
            .map_err(|error| failure(&error))
    }

    fn words(
        &self,
        kind: UnitKind,
        words: &[&str],
        environment: &Environment,
    ) -> Result<Vec<String>, Failure> {
        let mut all = vec![Environment::program(), "schedule".to_owned()];
        all.extend(words.iter().map(|word| (*word).to_owned()));
        all.extend(self.site.words());
        all.extend(self.runner.words(environment)?);
        // systemd and cron start a unit in the home folder, launchd in the root of the disk.
        if kind == UnitKind::Launchd
            && self.runner.directory.is_none()
            && let Some(home) = &environment.home
        {
            all.extend(["--directory".to_owned(), home.shown().into_owned()]);
        }
        Ok(all)
    }
}
