//! The agent's command: from an option, or from the person's settings.

use crate::commands::install::session::failure;
use crate::commands::supervisor::agent;
use crate::environment::Environment;
use crate::outcome::Failure;
use serde::Deserialize;
use skills_host::agent::AgentCommand;
use std::fs;
use std::io;

/// The file `<config>/skills/config.toml`.
#[derive(Default, Deserialize)]
struct Settings {
    agent: Option<String>,
}

/// Returns the command of `named`, or else of the person's settings.
pub(crate) fn agent_command(
    named: Option<&str>,
    environment: &Environment,
) -> Result<AgentCommand, Failure> {
    let command = match named {
        Some(command) => command.to_owned(),
        None => of_settings(environment)?,
    };
    agent(&command).map_err(|error| failure(&error))
}

/// Reads the agent's command from the person's settings.
fn of_settings(environment: &Environment) -> Result<String, Failure> {
    // Never a project's settings: a cloned repository could otherwise name a program to run.
    let path = environment
        .config
        .as_ref()
        .map(|config| config.join("skills/config.toml"));
    let missing = || {
        let place = path
            .as_ref()
            .map_or_else(|| "config.toml".to_owned(), |path| environment.shown(path));
        Failure::failed(
            "no agent is named",
            format_args!("use --agent COMMAND, or write agent = \"COMMAND\" into {place}"),
        )
    };
    let file = path.as_ref().ok_or_else(missing)?;
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing()),
        text => text,
    };
    let text = text.map_err(|error| {
        Failure::failed(
            format_args!("{} cannot be read: {error}", environment.shown(file)),
            "correct its permissions, or use --agent COMMAND",
        )
    })?;
    let settings: Settings = toml::from_str(&text).map_err(|error| {
        Failure::failed(
            format_args!("{}: {}", environment.shown(file), error.message()),
            "correct the file, or use --agent COMMAND",
        )
    })?;
    settings.agent.ok_or_else(missing)
}
