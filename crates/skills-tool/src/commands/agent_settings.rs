//! The agent's command: from an option, or from the person's settings.

use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::screen::Progress;
use clap::Args;
use serde::Deserialize;
use skills_agent::agent::{AgentCommand, AgentProgress, InputForm};
use skills_store::disk;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum length of the settings, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;

/// The agent of `chat`, `schedule` and `improve`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AgentOptions {
    /// The agent's command, split as a shell splits words, and run without a shell. It reads the task and the
    /// messages from standard input, one JSON object a line, and prints its answer. Paths in it are relative to the
    /// current folder. Default: `agent` in ~/.config/skills/config.toml. With `agent_input = "text"`
    /// there, the agent reads plain text instead of JSON
    #[arg(long, value_name = "COMMAND")]
    pub(crate) agent: Option<String>,
}

/// The file `<config>/skills/config.toml`.
// A misspelt key must not look like settings that name no agent.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    agent: Option<String>,
    /// What every agent reads, also one of `--agent`: JSON lines, or the text of the messages alone.
    agent_input: Option<InputForm>,
}

impl AgentOptions {
    /// Returns the command of the options, or else of the person's settings. It is an error if neither names one.
    pub(crate) fn command(&self, env: &Environment) -> Result<AgentCommand, Failure> {
        self.found(env)?.ok_or_else(|| {
            let place = settings_shown(env);
            Failure::failed(
                "no agent is named",
                format_args!("use --agent COMMAND, or write agent = \"COMMAND\" into {place}"),
            )
        })
    }

    /// Returns the command of the options, or else of the person's settings; `None` if neither names one.
    pub(crate) fn found(&self, env: &Environment) -> Result<Option<AgentCommand>, Failure> {
        let settings = Settings::read(env)?;
        let Some(text) = self.agent.as_deref().or(settings.agent.as_deref()) else {
            return Ok(None);
        };
        let mut command = AgentCommand::parse(text)?;
        if let Some(home) = &env.home {
            command = command.home(home);
        }
        command.stand.clone_from(&env.working_folder);
        command.form = settings.agent_input.unwrap_or_default();
        Ok(Some(command))
    }
}

/// Returns the path of the person's settings, for a person.
pub(crate) fn settings_shown(env: &Environment) -> String {
    settings_path(env).map_or_else(|| "config.toml".to_owned(), |path| env.shown(&path))
}

/// Returns the path of the person's settings, which need not exist.
fn settings_path(env: &Environment) -> Option<PathBuf> {
    // Never a project's settings: a cloned repository could otherwise name a program to run.
    let config = env.config.as_ref()?;
    Some(config.join("skills/config.toml"))
}

impl Settings {
    fn read(env: &Environment) -> Result<Self, Failure> {
        let Some(file) = settings_path(env) else {
            return Ok(Self::default());
        };
        let text = match disk::read_text(&file, MAX_SETTINGS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            text => text,
        };
        let text = text.map_err(|error| {
            Failure::failed(
                format_args!("{} cannot be read: {error}", env.shown(&file)),
                "correct its permissions, or move it away",
            )
        })?;
        toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            Failure::failed(
                format_args!("{}:{line}: {}", env.shown(&file), error.message()),
                "correct the file, or move it away",
            )
        })
    }
}

/// The line of a terminal that shows what an agent prints on standard error while it works.
pub(crate) struct AgentLine {
    line: Arc<Progress>,
    label: String,
}

impl AgentLine {
    /// Creates the line. The label names what the agent works on.
    pub(crate) fn new(label: &str) -> Self {
        Self {
            line: Arc::new(Progress::new()),
            label: label.to_owned(),
        }
    }

    pub(crate) fn progress(&self) -> AgentProgress {
        let (line, label) = (Arc::clone(&self.line), self.label.clone());
        Arc::new(move |text: &str| line.show(&format!("{label}: {text}")))
    }
}

/// Other copies of the line can live on, in a runner.
impl Drop for AgentLine {
    fn drop(&mut self) {
        self.line.clear();
    }
}
