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
pub(crate) mod marked;
mod request;
mod run;
mod words;

pub use lines::{AgentProgress, ErrorLines, no_progress};
pub use request::{
    AgentAnswer, AgentFunction, AgentMessage, AgentRequest, AgentToolCall, InputForm, Step,
    TaskKind,
};
pub use run::AgentRun;

use marked::MARK;
use skills_store::{Error, ErrorKind};
use std::ffi::OsStr;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::Builder;
use words::words_from;

/// Maximum bytes of one event.
const CHUNK: usize = 8 * 1024;
/// Maximum number of pending events. An agent that prints more has to wait.
const WAITING: usize = 64;

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

/// An event of a running agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentEvent {
    /// The agent printed bytes on standard output.
    Output(Vec<u8>),
    /// The agent printed bytes on standard error.
    Errors(Vec<u8>),
    /// The agent ended. No event follows.
    Ended(AgentEnd),
}

/// The exit status of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentEnd {
    /// The exit code; `None` if a signal ended the agent.
    pub code: Option<i32>,
    /// The number of the signal that ended the agent.
    pub signal: Option<i32>,
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
        command
            .args(arguments)
            .envs(variables.iter().cloned())
            .env(MARK, &mark);
        if let (Some(name), Some(folder)) = (&request.skill, &request.skill_folder) {
            command.env("SKILL_NAME", name).env("SKILL_DIR", folder);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &request.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawned = command.spawn();
        let mut child = spawned.map_err(|error| failed(program.as_ref(), &error))?;
        let (sender, events) = sync_channel(WAITING);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // An error after this line ends the agent: dropping the run kills it.
        let run = AgentRun {
            child,
            events,
            mark,
            ended: None,
            end: None,
        };
        let serve = || -> io::Result<()> {
            if let Some(mut stdin) = stdin {
                // A write error is ignored: an agent may end without reading its input.
                Builder::new().spawn(move || stdin.write_all(&input))?;
            }
            if let Some(stdout) = stdout {
                read(stdout, sender.clone(), AgentEvent::Output)?;
            }
            if let Some(stderr) = stderr {
                read(stderr, sender, AgentEvent::Errors)?;
            }
            Ok(())
        };
        match serve() {
            Ok(()) => Ok(run),
            Err(error) => Err(failed(program.as_ref(), &error)),
        }
    }
}

/// Returns a mark for the processes of a run.
fn new_mark() -> String {
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let started = STARTED.fetch_add(1, Ordering::Relaxed);
    format!("agent {} {started}", std::process::id())
}

impl AgentEnd {
    /// An end of which the system reports nothing.
    pub(crate) const UNKNOWN: Self = Self {
        code: None,
        signal: None,
    };

    fn of(status: ExitStatus) -> Self {
        Self {
            code: status.code(),
            #[cfg(unix)]
            signal: std::os::unix::process::ExitStatusExt::signal(&status),
            #[cfg(not(unix))]
            signal: None,
        }
    }
}

/// Sends the bytes of a stream in pieces, until the stream ends or the receiver is gone.
fn read(
    mut stream: impl Read + Send + 'static,
    events: SyncSender<AgentEvent>,
    event: fn(Vec<u8>) -> AgentEvent,
) -> io::Result<()> {
    // `thread::spawn` would panic at the user's limit of processes.
    Builder::new().spawn(move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            let length = match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let bytes = buffer.get(..length).unwrap_or_default().to_vec();
            if events.send(event(bytes)).is_err() {
                return;
            }
        }
    })?;
    Ok(())
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
