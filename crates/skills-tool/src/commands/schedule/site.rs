//! The folders, the zone and the agent that the commands of schedules use.

use crate::catalog::options::{CatalogOptions, named};
use crate::commands::agent_settings::AgentOptions;
use crate::commands::install::session::failure;
use crate::environment::Environment;
use crate::outcome::Failure;
use clap::Args;
use skills_format::disk::resolved;
use skills_format::text::command::Command;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, command, prose};
use skills_host::schedule::{CommandRunner, Scheduler, Zone};
use skills_runtime::Profile;
use skills_store::files::data::DataFolder;
use std::path::{Path, PathBuf};

/// The profile whose schedules are meant.
#[derive(Args, Clone, Debug)]
pub(crate) struct Site {
    /// The profile whose folder of scheduled skills is used; `skills inspect profile list` shows all
    #[arg(short, long, value_name = "NAME", value_parser = named)]
    profile: Option<&'static Profile>,
}

/// The agent that carries out a run, and its folder.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunnerOptions {
    #[command(flatten)]
    pub(crate) agent: AgentOptions,
    /// The working folder of the agent; by default the present folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) directory: Option<PathBuf>,
}

impl Site {
    /// Returns the options that mean a profile. No option means the default.
    pub(crate) fn of(profile: &'static Profile) -> Self {
        let is_other = profile.name != Profile::DEFAULT.name;
        Self {
            profile: is_other.then_some(profile),
        }
    }

    pub(crate) fn scheduler(&self, environment: &Environment) -> Result<Scheduler, Failure> {
        const DEFAULT: &Profile = &Profile::DEFAULT;
        let profile = self.profile.unwrap_or(DEFAULT);
        let data = environment.data.as_deref().ok_or_else(|| {
            Failure::failed("there is no folder for data", "set HOME, or XDG_DATA_HOME")
        })?;
        let skills = profile
            .folders
            .scheduled
            .folder(&environment.bases())
            .ok_or_else(|| {
                Failure::failed(
                    "there is no folder for settings",
                    "set HOME, or XDG_CONFIG_HOME",
                )
            })?;
        let data = data.join("skills");
        let trash = DataFolder::new(&data).trash();
        // Each client has a folder of its own: `skills`, `agenvoy`.
        let client = profile.folders.scheduled.path.split('/').next();
        let runs = data.join("runs").join(client.unwrap_or_default());
        let scheduler = Scheduler::new(skills, runs, trash, profile.clone());
        Ok(scheduler.places(CatalogOptions::places(environment)))
    }

    /// Returns the schedules whose skills are in a folder.
    pub(crate) fn scheduler_of(folder: &Path, environment: &Environment) -> Option<Scheduler> {
        let folder = resolved(folder);
        Self::schedulers(environment).find(|it| resolved(it.folder()) == folder)
    }

    /// Returns the schedules of every profile.
    pub(crate) fn schedulers(environment: &Environment) -> impl Iterator<Item = Scheduler> {
        let all = Profile::ALL.into_iter();
        all.filter_map(|profile| Self::of(profile).scheduler(environment).ok())
    }

    /// Returns `--profile NAME` as words, if the options name a profile.
    pub(crate) fn words(&self) -> Vec<String> {
        let profile = self.profile.map(|profile| profile.name.to_string());
        let words = profile.map(|name| vec!["--profile".to_owned(), name]);
        words.unwrap_or_default()
    }

    /// Returns the name of the profile, if the options name one other than the default.
    pub(crate) fn named(&self) -> Option<&str> {
        let profile = self.profile?;
        (profile.name != Profile::DEFAULT.name).then_some(&*profile.name)
    }

    /// Adds `--profile NAME` to a command, if the options name a profile.
    pub(crate) fn words_of(&self, command: Command) -> Command {
        command.option("--profile", self.profile.map(|profile| &*profile.name))
    }

    /// Returns the note that no daemon runs the schedules that are due.
    pub(crate) fn without_daemon(&self) -> Prose {
        prose!(
            "no daemon runs what is due: {} shows how to start it",
            self.words_of(command("schedule daemon")).word("--help")
        )
    }
}

/// Returns the zone with this name, or the zone of the machine.
pub(crate) fn zone(name: Option<&str>) -> Result<Zone, Failure> {
    let name = name
        .map(str::to_owned)
        .or_else(Environment::time_zone)
        .ok_or_else(|| {
            Failure::failed(
                "this machine does not say its time zone",
                "say which: --timezone Europe/Berlin, or --timezone UTC",
            )
        })?;
    Zone::named(&name).map_err(|error| failure(&error))
}

impl RunnerOptions {
    /// Returns the options as words, with absolute paths: for another folder, and another time.
    pub(crate) fn words(&self, environment: &Environment) -> Result<Vec<String>, Failure> {
        let mut words = self.agent.words(environment)?;
        if let Some(folder) = &self.directory {
            let folder = environment.absolute(folder).shown().into_owned();
            words.extend(["--directory".to_owned(), folder]);
        }
        Ok(words)
    }

    pub(crate) fn runner(&self, environment: &Environment) -> Result<CommandRunner, Failure> {
        let runner = CommandRunner::new(self.agent.command(environment)?);
        let folder = self
            .directory
            .as_deref()
            .map(|folder| environment.absolute(folder))
            .or_else(|| environment.working_folder.clone());
        Ok(match folder {
            Some(folder) if !folder.is_dir() => {
                return Err(Failure::failed(
                    prose!("the working folder {} is not there", &folder),
                    "name the folder in which the agent works: --directory FOLDER",
                ));
            }
            Some(folder) => runner.folder(folder),
            None => runner,
        })
    }
}
