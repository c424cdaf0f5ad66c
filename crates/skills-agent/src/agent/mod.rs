//! An agent: another program that reads a conversation or a task and prints an answer.
//!
//! Each task has one protocol, [`AgentRequest`]: one JSON object a line on standard input, the answer on standard
//! output, progress on standard error.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module that starts an agent"
)]

mod answer;
pub(crate) mod heard;
mod lines;
mod request;
mod words;

pub use lines::{AgentProgress, ErrorLines, no_progress};
pub use request::{
    AgentAnswer, AgentFunction, AgentMessage, AgentRequest, AgentToolCall, InputForm, Step,
    TaskKind,
};
pub use skills_host::process::{
    ProcessEnd as AgentEnd, ProcessEvent as AgentEvent, Running as AgentRun,
};

use skills_host::process::MARK;
use skills_store::{Error, ErrorKind};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use words::words_from;

/// The command of an agent: a program and its arguments.
///
/// ```
/// use skills_agent::agent::AgentCommand;
///
/// let agent = AgentCommand::parse("my-agent --model 'a b'")?;
/// assert_eq!(agent.program(), "my-agent");
/// assert!(AgentCommand::parse("my-agent 'a b").is_err(), "the quote is open");
/// # Ok::<(), skills_host::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommand {
    words: Vec<String>,
    /// The form of the input.
    pub form: InputForm,
    /// The folder in which the person wrote the command, an absolute path: paths in the command are relative to it.
    /// `None` for the folder in which the agent starts.
    pub stand: Option<PathBuf>,
}

impl AgentCommand {
    /// Splits a command into words as a shell does. No shell runs the command: variables, patterns and pipes stay as
    /// they are.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: a quote is open, or the command is empty.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let words = shlex::split(text).ok_or_else(|| {
            let message = format!("the command `{text}` has a quote that is not closed");
            Error::new(ErrorKind::Usage, message).help("close the quote")
        })?;
        if words.first().is_none_or(String::is_empty) {
            return Err(Error::new(ErrorKind::Usage, "the command is empty")
                .help("write a program and its arguments"));
        }
        Ok(Self {
            words,
            form: InputForm::default(),
            stand: None,
        })
    }

    /// Returns the program.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Replaces a leading `~/` in the words of the command by the home folder.
    #[must_use]
    pub fn home(mut self, home: &Path) -> Self {
        for word in &mut self.words {
            let below = word.strip_prefix("~/").map(|below| home.join(below));
            if let Some(path) = below.as_deref().and_then(Path::to_str) {
                path.clone_into(word);
            }
        }
        self
    }

    /// Returns the words for an agent that starts in a folder.
    fn words_in(&self, folder: Option<&Path>) -> Vec<String> {
        match (&self.stand, folder) {
            (Some(stand), Some(folder)) if stand != folder => words_from(&self.words, stand),
            _ => self.words.clone(),
        }
    }

    /// Starts the agent with a request, in the folder of the request and in a process group of its own, so that Ctrl-C in a
    /// terminal does not reach it.
    ///
    /// When the agent ends, the rest of its group is ended. On Linux, every process that still has its environment is
    /// ended too, found by a variable in it. A process that left both stays. On Windows only the agent itself is ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: the program does not exist. [`ErrorKind::Io`]: the program cannot be started. The errors of
    /// [`AgentRequest::input`].
    pub fn ask(&self, request: &AgentRequest) -> Result<AgentRun, Error> {
        let words = self.words_in(request.folder.as_deref());
        let Some((program, arguments)) = words.split_first() else {
            return Err(Error::new(ErrorKind::Usage, "the command is empty"));
        };
        let input = request.input(self.form)?.into_bytes();
        let variables = &request.variables;
        let given = variables.iter().find(|(name, _)| name == MARK);
        let mark = given.map_or_else(new_mark, |(_, mark)| mark.clone());
        let mut command = Command::new(program);
        command.args(arguments).envs(variables.iter().cloned());
        if let (Some(name), Some(folder)) = (&request.skill, &request.skill_folder) {
            command.env("SKILL_NAME", name).env("SKILL_DIR", folder);
        }
        if let Some(folder) = &request.folder {
            command.current_dir(folder);
        }
        let started = AgentRun::start(&mut command, input, Some(mark));
        started.map_err(|error| failed(program.as_ref(), &error))
    }
}

/// Returns a mark for the processes of a run.
fn new_mark() -> String {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let started = STARTED.fetch_add(1, Ordering::Relaxed);
    format!("agent {} {started}", std::process::id())
}

fn failed(program: &OsStr, error: &io::Error) -> Error {
    let message = format!("cannot start `{}`: {error}", program.display());
    match error.kind() {
        io::ErrorKind::NotFound => Error::new(ErrorKind::NotFound, message)
            .help("name a program that is on the search path, or its full path"),
        _ => Error::new(ErrorKind::Io, message).help("see whether the program can be run"),
    }
}

#[cfg(all(test, unix))]
mod tests;
