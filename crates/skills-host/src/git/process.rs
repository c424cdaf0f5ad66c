//! Runs git or cargo once, until it ends or the user cancels.

use crate::git::observer::Observer;
use crate::waited::Waited;
use skills_store::{Error, ErrorKind};
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum bytes of a call's errors that are kept: the last bytes.
const MAX_ERRORS: usize = 1 << 20;
/// Maximum length of a line of progress or of an error, in bytes.
const MAX_LINE: usize = 4096;
/// The first pause before git is polled. Most calls end in a few milliseconds.
const FIRST_PAUSE: Duration = Duration::from_micros(500);
/// The maximum pause between two polls of git.
const PAUSE: Duration = Duration::from_millis(5);

/// The time that a process which git left behind may hold git's streams open, such as the master of a shared connection
/// of ssh, or a program that a wrapper of cargo's started.
const GRACE: Duration = Duration::from_secs(2);

/// The bounds of a call of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Most {
    pub(crate) bytes: u64,
    /// Maximum memory of each process, in bytes. Enforced on Linux only.
    pub(crate) memory: u64,
}

impl Default for Most {
    fn default() -> Self {
        // Enough for the largest skill, with the header lines of `cat-file`.
        Self {
            bytes: 512 << 20,
            memory: 2 << 30,
        }
    }
}

/// The result of a call of git.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    /// True if git printed more than its bounds allow, and was ended.
    pub(crate) is_over: bool,
    pub(crate) errors: String,
}

/// What the threads that serve the streams of a call have read so far. A process that the call left behind can hold the
/// streams open: then the threads are left too.
#[derive(Default)]
struct Heard {
    output: Mutex<Vec<u8>>,
    errors: Mutex<Vec<u8>>,
    failure: Mutex<Option<io::Error>>,
    is_over: AtomicBool,
    is_left: AtomicBool,
}

/// Runs a command until it ends, exceeds its bounds, or the user cancels. `doing` says what the program does, for a person
/// who waits.
pub(crate) fn run(
    mut command: Command,
    doing: &str,
    input: &[u8],
    most: Most,
    observer: &dyn Observer,
) -> Result<Done, Error> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    own_group(&mut command);
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .spawn()
        .map_err(|error| not_started(&program, &error))?;
    bound_memory(&child, most.memory);
    let heard = Arc::new(Heard::default());
    let threads = match serve(&mut child, input, most, &heard) {
        Ok(threads) => threads,
        Err(error) => {
            end(&mut child);
            return Err(not_started(&program, &error));
        }
    };
    let code = wait(&mut child, &program, doing, &heard, observer);
    leave(&threads, &heard);
    let code = code?;
    if let Some(error) = locked(&heard.failure).take() {
        return Err(Error::io(Path::new(&program), "cannot be read", error));
    }
    let is_over = heard.is_over.load(Ordering::Relaxed);
    Ok(Done {
        code,
        output: std::mem::take(&mut *locked(&heard.output)),
        is_over,
        errors: String::from_utf8_lossy(&locked(&heard.errors)).into_owned(),
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread for each stream: git blocks when a pipe is full. `thread::spawn` would panic at the user's limit of
/// processes.
fn serve(
    child: &mut Child,
    input: &[u8],
    most: Most,
    heard: &Arc<Heard>,
) -> io::Result<Vec<JoinHandle<()>>> {
    let mut threads = Vec::new();
    if let Some(stream) = child.stdout.take() {
        let heard = Arc::clone(heard);
        threads.push(Builder::new().spawn(move || {
            copy(stream, &heard, |read| {
                let mut output = locked(&heard.output);
                output.extend_from_slice(read);
                let is_over = output.len() as u64 > most.bytes;
                if is_over {
                    output.clear();
                    heard.is_over.store(true, Ordering::Relaxed);
                }
                !is_over
            });
        })?);
    }
    if let Some(stream) = child.stderr.take() {
        let heard = Arc::clone(heard);
        threads.push(Builder::new().spawn(move || {
            copy(stream, &heard, |read| {
                keep_last(&mut locked(&heard.errors), read);
                true
            });
        })?);
    }
    if let Some(mut stream) = child.stdin.take() {
        let input = input.to_vec();
        // A write error is ignored: git may end before it has read its input.
        threads.push(Builder::new().spawn(move || drop(stream.write_all(&input)))?);
    }
    Ok(threads)
}

/// Reads a stream until its end, until `take` returns false, or until the stream was left: a process that goes on printing
/// has no end.
fn copy(mut stream: impl Read, heard: &Heard, mut take: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    while !heard.is_left.load(Ordering::Relaxed) {
        match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) if take(buffer.get(..read).unwrap_or_default()) => {}
            Ok(_) => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                *locked(&heard.failure) = Some(error);
                return;
            }
        }
    }
}

/// Keeps the last errors: a remote can print errors without end.
fn keep_last(errors: &mut Vec<u8>, read: &[u8]) {
    errors.extend_from_slice(read);
    if errors.len() > MAX_ERRORS {
        errors.drain(..MAX_ERRORS / 2);
    }
}

/// Returns the last line that is not empty, as progress.
fn last_line(errors: &[u8]) -> String {
    let end = errors.split_at(errors.len().saturating_sub(MAX_LINE)).1;
    let line = end
        .rsplit(|byte| matches!(byte, b'\r' | b'\n'))
        .find(|line| !line.trim_ascii().is_empty());
    String::from_utf8_lossy(line.unwrap_or_default())
        .trim()
        .to_owned()
}

/// Waits until the threads are done, after the end of the call. Then the streams are left to the processes that hold them.
#[expect(
    clippy::disallowed_methods,
    reason = "a pause counts on a clock that nobody sets"
)]
fn leave(threads: &[JoinHandle<()>], heard: &Heard) {
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    while !threads.iter().all(JoinHandle::is_finished) && start.elapsed() < GRACE {
        thread::sleep(pause);
        pause = PAUSE.min(pause * 2);
    }
    heard.is_left.store(true, Ordering::Relaxed);
}

#[expect(
    clippy::disallowed_methods,
    reason = "a wait counts on a clock that nobody sets"
)]
fn wait(
    child: &mut Child,
    program: &str,
    doing: &str,
    heard: &Heard,
    observer: &dyn Observer,
) -> Result<Option<i32>, Error> {
    let mut waited = Waited::new(program, doing);
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        if observer.is_cancelled() {
            end(child);
            return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
        }
        let ended = child
            .try_wait()
            .map_err(|error| Error::io(Path::new(program), "cannot be waited for", error))?;
        if let Some(status) = ended {
            return Ok(status.code());
        }
        if heard.is_over.load(Ordering::Relaxed) {
            // Git and the programs that it started can go on without printing, so they are ended.
            end(child);
            return Ok(None);
        }
        if Waited::is_told(start.elapsed()) {
            let line = last_line(&locked(&heard.errors));
            waited.tell(start.elapsed(), &line, &|line| observer.progress(line));
        }
        thread::sleep(pause);
        pause = PAUSE.min(pause * 2);
    }
}

/// Puts git and the programs that it starts into a process group of their own.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// Limits the memory of git and of the programs that it starts from now on. Git holds all references of a remote
/// before it prints the first, and a pack of a few kilobytes can hold an object of gigabytes.
///
/// Git needs milliseconds before it starts a program of its own. The limit is set before that.
#[cfg(target_os = "linux")]
fn bound_memory(child: &Child, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    let is_lower = |now: Option<u64>| now.is_some_and(|now| now <= bytes);
    let now = getrlimit(Resource::Data);
    if is_lower(now.current) || is_lower(now.maximum) {
        // The user's own limit is lower.
        return;
    }
    // The process may have ended already, and then needs no limit.
    let _ = prlimit(
        Pid::from_raw(child.id().cast_signed()),
        Resource::Data,
        limit,
    );
}

#[cfg(not(target_os = "linux"))]
fn bound_memory(_: &Child, _: u64) {}

/// Ends git and the programs that it started. A transport that waits for its host would otherwise keep the pipes
/// open.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // Outside of Unix a group cannot be killed: only git itself is ended.
    let _ = child.kill();
    let _ = child.wait();
}

fn not_started(program: &str, error: &io::Error) -> Error {
    // The last part: the path of a program can be long, and says no more.
    let name = Path::new(program)
        .file_name()
        .map_or(program.into(), |name| name.to_string_lossy());
    if error.kind() == io::ErrorKind::NotFound {
        return Error::new(ErrorKind::Program, format!("there is no program `{name}`")).help(
            match &*name {
                "git" => "install git, or install from a folder or an archive".to_owned(),
                "curl" => {
                    "install curl, or download the archive and install from the file".to_owned()
                }
                name => format!("install {name}, or add its folder to PATH"),
            },
        );
    }
    Error::new(
        ErrorKind::Program,
        format!("`{name}` cannot be started: {error}"),
    )
    .help(format!("see what `{name} --version` says"))
}

#[cfg(test)]
mod tests;
