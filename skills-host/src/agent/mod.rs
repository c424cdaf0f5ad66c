//! An agent: another program that reads a conversation or a task, and prints its answer.

#![expect(
    clippy::disallowed_methods,
    reason = "the one module that starts an agent"
)]

mod answer;
pub(crate) mod heard;
pub(crate) mod marked;

use crate::error::{Error, ErrorKind};
use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The most bytes of one event.
const CHUNK: usize = 8 * 1024;
/// The most events that wait to be taken. An agent that prints more waits.
const WAITING: usize = 64;
/// How long the processes of an agent have to end after they are asked to.
const GRACE: Duration = Duration::from_secs(2);
/// The pause between two looks at a process.
const PAUSE: Duration = Duration::from_millis(10);

/// The command of an agent: a program and its arguments.
///
/// ```
/// use skills_host::agent::AgentCommand;
///
/// let agent = AgentCommand::parse("my-agent --model 'a b'")?;
/// assert_eq!(agent.words(), ["my-agent", "--model", "a b"]);
/// assert!(AgentCommand::parse("my-agent 'a b").is_err(), "the quote is open");
/// # Ok::<(), skills_host::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommand {
    words: Vec<String>,
}

/// What an agent is started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentCall {
    /// The bytes of its standard input.
    pub input: Vec<u8>,
    /// Its working folder. `None`: the folder of this process.
    pub folder: Option<PathBuf>,
    /// Variables that are added to its environment.
    pub variables: Vec<(String, String)>,
}

/// An agent that runs. Dropping it ends the agent and every process of its group.
#[derive(Debug)]
pub struct AgentRun {
    child: Child,
    events: Receiver<AgentEvent>,
    end: Option<AgentEnd>,
    /// How long the process has ended while its output is still open.
    lingering: Duration,
}

/// What an agent did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentEvent {
    /// It printed bytes on standard output.
    Output(Vec<u8>),
    /// It printed bytes on standard error.
    Errors(Vec<u8>),
    /// It ended. Nothing follows.
    Ended(AgentEnd),
}

/// How an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentEnd {
    /// The exit code. `None`: a signal ended it.
    pub code: Option<i32>,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
}

impl AgentCommand {
    /// Splits a command into words as a shell does. No shell runs it: variables, patterns and pipes
    /// stay as they are.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: a quote is not closed, or there is no word.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let words = shlex::split(text).ok_or_else(|| {
            let message = format!("the command `{text}` has a quote that is not closed");
            Error::new(ErrorKind::Usage, message).help("close the quote")
        })?;
        if words.first().is_none_or(String::is_empty) {
            return Err(Error::new(ErrorKind::Usage, "the command is empty")
                .help("write a program and its arguments"));
        }
        Ok(Self { words })
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Starts the agent, in a process group of its own, so that Ctrl-C in a terminal does not reach it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]: there is no such program. [`ErrorKind::Io`]: it cannot be started.
    pub fn start(&self, call: AgentCall) -> Result<AgentRun, Error> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(Error::new(ErrorKind::Usage, "the command is empty"));
        };
        let mut command = Command::new(program);
        command.args(arguments).envs(call.variables);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = call.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(program, &error))?;
        let (sender, events) = sync_channel(WAITING);
        if let Some(mut stdin) = child.stdin.take() {
            // An agent need not read its input.
            thread::spawn(move || stdin.write_all(&call.input));
        }
        if let Some(stdout) = child.stdout.take() {
            read(stdout, sender.clone(), AgentEvent::Output);
        }
        if let Some(stderr) = child.stderr.take() {
            read(stderr, sender, AgentEvent::Errors);
        }
        Ok(AgentRun {
            child,
            events,
            end: None,
            lingering: Duration::ZERO,
        })
    }
}

impl AgentRun {
    /// Waits for what the agent does next, at most as long as `patience`. `None`: it did nothing.
    ///
    /// A process that the agent left behind, and that holds its output open, is ended two seconds after
    /// the agent.
    pub fn next(&mut self, patience: Duration) -> Option<AgentEvent> {
        match self.events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => {
                let status = self.child.try_wait().ok().flatten()?;
                self.lingering += patience;
                if self.lingering < GRACE {
                    return None;
                }
                self.signal(Ending::Kill);
                Some(self.ended(status))
            }
            Err(RecvTimeoutError::Disconnected) => {
                // It closed its output, and can go on without it.
                thread::sleep(PAUSE.min(patience));
                let status = self.child.try_wait().ok().flatten()?;
                Some(self.ended(status))
            }
        }
    }

    /// Ends the agent and every process of its group: asks them to end, and ends those that have not
    /// ended after two seconds.
    pub fn stop(&mut self) -> AgentEnd {
        if let Some(end) = self.end {
            return end;
        }
        self.signal(Ending::Ask);
        let mut waited = Duration::ZERO;
        while waited < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(PAUSE);
            waited += PAUSE;
        }
        self.signal(Ending::Kill);
        let end = match self.child.wait() {
            Ok(status) => AgentEnd::of(status),
            Err(_) => AgentEnd {
                code: None,
                signal: None,
            },
        };
        self.end = Some(end);
        end
    }

    /// Ends the processes of its group that the agent left behind.
    pub fn end_group(&mut self) {
        self.signal(Ending::Kill);
    }

    fn ended(&mut self, status: ExitStatus) -> AgentEvent {
        let end = AgentEnd::of(status);
        self.end = Some(end);
        AgentEvent::Ended(end)
    }

    /// Sends a signal to the group. That the group has ended already is not a failure.
    #[cfg(unix)]
    fn signal(&mut self, ending: Ending) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match ending {
            Ending::Ask => Signal::TERM,
            Ending::Kill => Signal::KILL,
        };
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _ending: Ending) {
        let _ = self.child.kill();
    }
}

impl Drop for AgentRun {
    fn drop(&mut self) {
        if self.end.is_none() {
            self.signal(Ending::Kill);
            let _ = self.child.wait();
        }
    }
}

/// How a process is ended.
#[derive(Clone, Copy)]
enum Ending {
    Ask,
    Kill,
}

impl AgentEnd {
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

/// Sends what a stream holds, in pieces, until it ends or nobody takes them.
fn read(
    mut stream: impl Read + Send + 'static,
    events: SyncSender<AgentEvent>,
    event: fn(Vec<u8>) -> AgentEvent,
) {
    thread::spawn(move || {
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
    });
}

fn failed(program: &str, error: &io::Error) -> Error {
    let message = format!("cannot start `{program}`: {error}");
    match error.kind() {
        io::ErrorKind::NotFound => Error::new(ErrorKind::NotFound, message)
            .help("name a program that is on the search path, or its whole path"),
        _ => Error::new(ErrorKind::Io, message).help("see whether the program can be run"),
    }
}

#[cfg(all(test, unix))]
mod tests;
