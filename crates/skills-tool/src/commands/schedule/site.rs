//! The folders, the zone and the agent that the commands of schedules use.

use crate::catalog::options::{CatalogOptions, named};
use crate::commands::agent_settings::AgentOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use clap::Args;
use skills_format::prose;
use skills_host::schedule::{CommandRunner, Scheduler, Zone};
use skills_session::Profile;
use skills_store::files::data::DataFolder;
use std::path::PathBuf;

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
    pub(crate) fn scheduler(&self, env: &Environment) -> Result<Scheduler, Failure> {
        const DEFAULT: &Profile = &Profile::DEFAULT;
        let profile = self.profile.unwrap_or(DEFAULT);
        let data = env.data.as_deref().ok_or_else(|| {
            Failure::failed("there is no folder for data", "set HOME, or XDG_DATA_HOME")
        })?;
        let skills = profile
            .folders
            .scheduled
            .folder(&env.bases())
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
        Ok(Scheduler::new(skills, runs, trash, profile.clone())
            .places(CatalogOptions::places(env))
            // "One-shot tasks are removed and the skill dir is trashed after a successful fire."
            .remove_ended(profile.name == "agenvoy"))
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
    Zone::named(&name).map_err(Failure::from)
}

impl RunnerOptions {
    pub(crate) fn runner(&self, env: &Environment) -> Result<CommandRunner, Failure> {
        let runner = CommandRunner::new(self.agent.command(env)?);
        let folder = self
            .directory
            .as_deref()
            .map(|folder| env.absolute(folder))
            .or_else(|| env.working_folder.clone());
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
