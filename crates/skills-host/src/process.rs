//! A running program, with the processes that it starts: its events and its end.

#![expect(
    clippy::disallowed_methods,
    reason = "a wait counts on a clock that nobody sets"
)]

use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// Maximum bytes of one event.
const CHUNK: usize = 64 * 1024;
/// Maximum number of pending events. A program that prints more has to wait.
const WAITING: usize = 64;
/// Time that the processes of a program get to end on request, and time that a process which it left behind, such as the
/// master of a shared connection of ssh, may hold its streams open.
const GRACE: Duration = Duration::from_secs(2);
/// The pause between two polls of a process.
const PAUSE: Duration = Duration::from_millis(2);

/// A running program. Dropping it before its end ends the program and every process of its group.
#[derive(Debug)]
pub struct Running {
    child: Child,
    events: Receiver<ProcessEvent>,
    /// The mark of its processes, in their environment. With a mark, they all end with the program; without one, a process
    /// that it leaves behind goes on.
    mark: Option<String>,
    /// The time at which the end of the process was seen.
    ended: Option<Instant>,
    /// The exit status, once the process was reaped. From then on its number can be another process's: nothing is
    /// signalled any more.
    end: Option<ProcessEnd>,
}

/// An event of a running program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEvent {
    /// The program printed bytes on standard output.
    Output(Vec<u8>),
    /// The program printed bytes on standard error.
    Errors(Vec<u8>),
    /// The program ended. No event follows.
    Ended(ProcessEnd),
}

/// The exit status of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessEnd {
    /// The exit code; `None` if a signal ended the program.
    pub code: Option<i32>,
    /// The number of the signal that ended the program.
    pub signal: Option<i32>,
}

impl Running {
    /// Starts a command in a process group of its own, so that Ctrl-C in a terminal does not reach it, and writes its input.
    ///
    /// # Errors
    ///
    /// The program or a thread for its streams cannot be started.
    pub fn start(command: &mut Command, input: Vec<u8>, mark: Option<String>) -> io::Result<Self> {
        if let Some(mark) = &mark {
            command.env(MARK, mark);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn()?;
        let (sender, events) = sync_channel(WAITING);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // An error after this line ends the program: dropping it kills it.
        let running = Self {
            child,
            events,
            mark,
            ended: None,
            end: None,
        };
        if let Some(mut stdin) = stdin {
            // A write error is ignored: a program may end without reading its input.
            Builder::new().spawn(move || stdin.write_all(&input))?;
        }
        if let Some(stdout) = stdout {
            read(stdout, sender.clone(), ProcessEvent::Output)?;
        }
        if let Some(stderr) = stderr {
            read(stderr, sender, ProcessEvent::Errors)?;
        }
        Ok(running)
    }

    /// Returns the number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the next event, for at most `patience`. Returns `None` if nothing happened.
    ///
    /// A process that the program left behind can hold the output open and go on printing. Its output is waited for at
    /// most two seconds: [`ProcessEvent::Ended`] then follows, whatever is printed. The same holds after
    /// [`Running::stop`].
    pub fn next(&mut self, patience: Duration) -> Option<ProcessEvent> {
        let patience = match self.lingering() {
            Some(lingering) if lingering >= GRACE => return Some(ProcessEvent::Ended(self.reap())),
            Some(lingering) => patience.min(GRACE.saturating_sub(lingering)),
            None => patience,
        };
        match self.events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) if self.lingering().is_some() => {
                Some(ProcessEvent::Ended(self.reap()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                // The program closed its output, and can go on without output.
                thread::sleep(PAUSE.min(patience));
                None
            }
        }
    }

    /// Ends the program and every process of its group. Processes that have not ended two seconds after the request are
    /// killed.
    pub fn stop(&mut self) -> ProcessEnd {
        self.ask_to_end();
        self.wait(GRACE);
        self.reap()
    }

    /// Returns whether the program has ended without a request.
    pub fn has_ended_by_itself(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns the time since the process ended; `None` while it runs.
    fn lingering(&mut self) -> Option<Duration> {
        if self.ended.is_none() && self.has_ended() {
            self.ended = Some(Instant::now());
        }
        self.ended.map(|ended| ended.elapsed())
    }

    /// Returns whether the process has ended. The process is not reaped: its number stays reserved, so that a signal to
    /// its group reaches no other process.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(Ok(state)) = pid.map(|pid| waitid(WaitId::Pid(pid), options)) {
            return state.is_some();
        }
        // Already reaped: this program ignores SIGCHLD, and the system reaps its children.
        self.end.get_or_insert(ProcessEnd::UNKNOWN);
        true
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    fn wait(&mut self, most: Duration) {
        let start = Instant::now();
        while self.lingering().is_none() && start.elapsed() < most {
            thread::sleep(PAUSE);
        }
    }

    /// Ends what is left of the run, and returns its exit status.
    fn reap(&mut self) -> ProcessEnd {
        if let Some(end) = self.end {
            return end;
        }
        // Before the leader is reaped: afterwards its number can be that of another group.
        if self.mark.is_some() || self.ended.is_none() {
            self.kill();
        }
        let end = self
            .child
            .wait()
            .map_or(ProcessEnd::UNKNOWN, ProcessEnd::of);
        self.end = Some(end);
        self.ended.get_or_insert_with(Instant::now);
        if let Some(mark) = &self.mark {
            end_marked(mark);
        }
        end
    }

    /// Sends a signal to the group. A group that has ended already is not an error.
    #[cfg(unix)]
    fn signal(&mut self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process_group};
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let (None, Some(group)) = (self.end, group) {
            let _ = kill_process_group(group, signal);
        }
    }

    fn ask_to_end(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
        #[cfg(not(unix))]
        self.kill();
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let is_killed = self.end.is_none();
        self.reap();
        // A killed process of the group is gone once it has let go of the streams.
        let start = Instant::now();
        while is_killed && start.elapsed() < GRACE && self.events.recv_timeout(GRACE).is_ok() {}
    }
}

impl ProcessEnd {
    /// An end of which the system reports nothing.
    const UNKNOWN: Self = Self {
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
    events: SyncSender<ProcessEvent>,
    event: fn(Vec<u8>) -> ProcessEvent,
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

/// The variable that marks every process of a run.
pub const MARK: &str = "SKILLS_RUN";

/// Kills every process whose environment has the mark of a run. A process that left its group still has the
/// environment.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let line = format!("{MARK}={mark}");
    // Several rounds: a process can start another process between the search and its kill.
    for _ in 0..10 {
        let mut found = false;
        // Without `/proc`, and for a process of another user, nothing can be found.
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid = entry.file_name().to_str().and_then(|it| it.parse().ok());
            let Some(pid) = pid.and_then(Pid::from_raw) else {
                continue;
            };
            // The descriptor always means this process, and its number can be reused at any time.
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
                continue;
            };
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            let mut variables = environment.split(|byte| *byte == 0);
            if variables.any(|variable| variable == line.as_bytes()) {
                found = true;
                let _ = pidfd_send_signal(&process, Signal::KILL);
            }
        }
        if !found {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(not(target_os = "linux"))]
pub fn end_marked(_: &str) {}
