//! Runs git or cargo once, until it ends or the user cancels.

use crate::git::observer::Observer;
use crate::git::pipe::Pipe;
use crate::waited::Waited;
use skills_store::{Error, ErrorKind};
use std::fmt;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Maximum number of NUL-terminated records.
    pub(crate) records: usize,
    /// Maximum memory of each process, in bytes. Enforced on Linux only.
    pub(crate) memory: u64,
}

impl Default for Most {
    fn default() -> Self {
        // Enough for the largest skill, with the header lines of `cat-file`.
        Self {
            bytes: 512 << 20,
            records: usize::MAX,
            memory: 2 << 30,
        }
    }
}

impl fmt::Display for Most {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "git lists more than {} MiB", self.bytes >> 20)?;
        match self.records {
            usize::MAX => Ok(()),
            records => write!(f, " or {records} files and folders"),
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

/// The state of a running call, shared with the threads that read its output.
#[derive(Default)]
struct CallState {
    /// The last line of progress.
    line: Mutex<String>,
    is_over: AtomicBool,
    /// Set when the call has ended and another process holds its streams: they are not waited for.
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
    let heard = Arc::new(CallState::default());
    let streams = match Streams::start(&mut child, input, most, &heard) {
        Ok(streams) => streams,
        Err(error) => {
            end(&mut child);
            return Err(not_started(&program, &error));
        }
    };
    let code = wait(&mut child, &program, doing, &heard, observer);
    streams.leave(&heard, observer);
    let output = joined(streams.output, &program);
    let errors = joined(streams.errors, &program);
    joined(streams.input, &program)?;
    Ok(Done {
        code: code?,
        output: output?,
        is_over: heard.is_over.load(Ordering::Relaxed),
        errors: errors?,
    })
}

/// The threads that serve the streams of one call: git blocks when a pipe is full, so all streams are served at once.
struct Streams {
    output: Reading<Vec<u8>>,
    errors: Reading<String>,
    input: Reading<()>,
}

type Reading<T> = Option<JoinHandle<io::Result<T>>>;

impl Streams {
    /// Starts the threads. `thread::spawn` would panic at the user's limit of processes.
    fn start(
        child: &mut Child,
        input: &[u8],
        most: Most,
        heard: &Arc<CallState>,
    ) -> io::Result<Self> {
        let output = child.stdout.take().map(|stream| {
            let heard = Arc::clone(heard);
            Builder::new().spawn(move || output_of(Pipe::new(stream, &heard.is_left), most, &heard))
        });
        let errors = child.stderr.take().map(|stream| {
            let heard = Arc::clone(heard);
            Builder::new().spawn(move || errors_of(Pipe::new(stream, &heard.is_left), &heard))
        });
        let input = child.stdin.take().map(|stream| {
            let (input, heard) = (input.to_vec(), Arc::clone(heard));
            // A write error is ignored: git may end before it has read its input.
            Builder::new().spawn(move || {
                drop(Pipe::new(stream, &heard.is_left).write_all(&input));
                Ok(())
            })
        });
        Ok(Self {
            output: output.transpose()?,
            errors: errors.transpose()?,
            input: input.transpose()?,
        })
    }

    /// Waits until the threads are done, after the end of the call. Then the streams are left to the processes that
    /// hold them.
    #[expect(
        clippy::disallowed_methods,
        reason = "a pause counts on a clock that nobody sets"
    )]
    fn leave(&self, heard: &CallState, observer: &dyn Observer) {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        while !self.are_done() && start.elapsed() < GRACE && !observer.is_cancelled() {
            thread::sleep(pause);
            pause = PAUSE.min(pause * 2);
        }
        heard.is_left.store(true, Ordering::Relaxed);
    }

    fn are_done(&self) -> bool {
        fn is_done<T>(thread: Option<&JoinHandle<T>>) -> bool {
            thread.is_none_or(JoinHandle::is_finished)
        }
        is_done(self.output.as_ref())
            && is_done(self.errors.as_ref())
            && is_done(self.input.as_ref())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a wait counts on a clock that nobody sets"
)]
fn wait(
    child: &mut Child,
    program: &str,
    doing: &str,
    heard: &CallState,
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
        let line = heard.line.lock();
        let line = line.unwrap_or_else(PoisonError::into_inner).clone();
        waited.tell(start.elapsed(), &line, &|line| observer.progress(line));
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

/// Returns the result of a thread that reads or writes. A partial output is an error.
fn joined<T: Default>(
    thread: Option<JoinHandle<io::Result<T>>>,
    program: &str,
) -> Result<T, Error> {
    let failed = |error| Error::io(Path::new(program), "cannot be read", error);
    match thread.map(JoinHandle::join) {
        None => Ok(T::default()),
        Some(Ok(read)) => read.map_err(failed),
        Some(Err(_)) => Err(failed(io::Error::other("a thread ended"))),
    }
}

fn output_of(mut stream: impl Read, most: Most, heard: &CallState) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut left = most.records;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = read(&mut stream, &mut buffer)?;
        if read.is_empty() {
            return Ok(bytes);
        }
        let records = read.split(|byte| *byte == 0).count() - 1;
        bytes.extend_from_slice(read);
        if records > left || bytes.len() as u64 > most.bytes {
            heard.is_over.store(true, Ordering::Relaxed);
            return Ok(Vec::new());
        }
        left -= records;
    }
}

/// Keeps the last errors, and the last line as progress. Each byte is looked at once: a remote can print errors
/// without end, and a second look at each would take quadratic time.
fn errors_of(mut stream: impl Read, heard: &CallState) -> io::Result<String> {
    let mut all = Vec::new();
    let mut line = Vec::new();
    let mut buffer = vec![0; 1 << 13];
    loop {
        let read = read(&mut stream, &mut buffer)?;
        if read.is_empty() {
            return Ok(String::from_utf8_lossy(&all).into_owned());
        }
        all.extend_from_slice(read);
        if all.len() > MAX_ERRORS {
            all.drain(..MAX_ERRORS / 2);
        }
        let pieces: Vec<&[u8]> = read.split(|byte| matches!(byte, b'\r' | b'\n')).collect();
        let Some((last, ended)) = pieces.split_last() else {
            continue;
        };
        let is_written = |piece: &&&[u8]| !piece.trim_ascii().is_empty();
        let mut shown = None;
        if let Some((first, others)) = ended.split_first() {
            extend(&mut line, first);
            let whole = others.iter().rfind(is_written).copied();
            shown = Some(whole.map_or_else(|| std::mem::take(&mut line), <[u8]>::to_vec));
            line.clear();
        }
        extend(&mut line, last);
        let shown = if line.trim_ascii().is_empty() {
            shown
        } else {
            Some(line.clone())
        };
        if let Some(shown) = shown.filter(|shown| !shown.trim_ascii().is_empty()) {
            let shown = shown.get(..MAX_LINE).unwrap_or(&shown);
            let text = String::from_utf8_lossy(shown).trim().to_owned();
            *heard.line.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}

/// Appends to a line, up to its maximum length.
fn extend(line: &mut Vec<u8>, bytes: &[u8]) {
    let free = MAX_LINE.saturating_sub(line.len());
    line.extend_from_slice(bytes.get(..free).unwrap_or(bytes));
}

fn read<'b>(stream: &mut impl Read, buffer: &'b mut [u8]) -> io::Result<&'b [u8]> {
    loop {
        match stream.read(buffer) {
            Ok(read) => return Ok(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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
#[expect(
    clippy::disallowed_methods,
    reason = "tests start processes and compare times"
)]
mod tests {
    use super::*;

    /// A reader that returns one of its parts at each read.
    struct Parts<'p>(std::slice::Iter<'p, &'p str>);

    impl Read for Parts<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let part = self.0.next().copied().unwrap_or_default();
            buffer[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }

    #[test]
    fn the_last_line_is_shown() {
        for (parts, line) in [
            (&["a"][..], "a"),
            (&["a", "b"], "ab"),
            (&["a\r", "\n"], "a"),
            (&["one\r", "two\r", "thr", "ee"], "three"),
            (&["o", "ne\rtwo\r"], "two"),
            (&["o", "ne\r  \r"], "one"),
            (&["", "x"], ""),
        ] {
            let heard = CallState::default();
            let errors = errors_of(Parts(parts.iter()), &heard).unwrap();
            assert_eq!(*heard.line.lock().unwrap(), line, "{parts:?}");
            assert!(errors.contains(line));
        }
    }

    /// Lines, and text without lines: both must be decoded only once. Decoded anew at each read, a long text takes five
    /// times and more what short texts of the same length take together.
    #[test]
    fn errors_take_linear_time() {
        const PARTS: usize = 256;
        let time = |text: &str, times: usize| {
            let start = Instant::now();
            for _ in 0..times {
                let heard = CallState::default();
                let errors = errors_of(text.as_bytes(), &heard).unwrap();
                assert!(errors.len() <= MAX_ERRORS);
                assert!(heard.line.lock().unwrap().len() <= MAX_LINE);
            }
            start.elapsed()
        };
        for text in ["x".repeat(1 << 16), "progress 50%\r".repeat(5 << 10)] {
            let long = text.repeat(PARTS);
            // The least of several: other programs run on the machine too.
            let both = || (time(&text, PARTS), time(&long, 1));
            let is_linear = (0..5).any(|_| {
                let (short, long) = both();
                long < short * 3
            });
            assert!(is_linear, "{:?}", both());
        }
    }

    #[cfg(unix)]
    fn ran(script: &str, input: &[u8], observer: &dyn Observer) -> Result<Done, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, "", input, Most::default(), observer)
    }

    /// The last processes have a session of their own, as the master of a connection of ssh has.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_left_behind_does_not_hold_the_end() {
        use rustix::process::{Pid, Signal, kill_process};
        let input = vec![b'x'; 1 << 20];
        for script in [
            "sleep 60 & echo $!",
            "setsid sleep 60 & echo $!",
            // Holds the input too, without reading it.
            "exec 3<&0; setsid sleep 60 <&3 & echo $!",
        ] {
            let done = ran(script, &input, &crate::git::Quiet).unwrap();
            assert_eq!(done.code, Some(0), "{script}");
            let left: i32 = String::from_utf8_lossy(&done.output)
                .trim()
                .parse()
                .unwrap();
            // It still runs, so it was not waited for.
            let killed = kill_process(Pid::from_raw(left).unwrap(), Signal::KILL);
            assert!(killed.is_ok(), "{script}: it was waited for");
        }
        // Without an end it prints more than is kept.
        let script = "setsid timeout 60 yes >&2 & echo done";
        let done = ran(script, &[], &crate::git::Quiet).unwrap();
        assert_eq!((done.code, &*done.output), (Some(0), &b"done\n"[..]));
    }

    /// Whatever a call prints is read whole, if no other process holds its streams.
    #[cfg(unix)]
    #[test]
    fn everything_is_written_and_read() {
        let input = vec![b'x'; 3 << 20];
        let done = ran("cat; cat /dev/null >&2", &input, &crate::git::Quiet).unwrap();
        assert!(done.output == input && !done.is_over);
        // What was in the pipe at the end of the call, although another process holds it.
        let script = "head -c 60000 /dev/zero; setsid sleep 9 &";
        let done = ran(script, &[], &crate::git::Quiet).unwrap();
        assert_eq!(done.output.len(), 60_000);
    }

    #[test]
    fn output_without_end_is_ended() {
        let most = Most {
            bytes: 1 << 20,
            records: 10,
            ..Most::default()
        };
        for (byte, is_over) in [(b'x', true), (0, true)] {
            let heard = CallState::default();
            output_of(io::repeat(byte), most, &heard).unwrap();
            assert_eq!(heard.is_over.load(Ordering::Relaxed), is_over);
        }
        let heard = CallState::default();
        assert_eq!(output_of(&b"a\0b\0"[..], most, &heard).unwrap(), b"a\0b\0");
        assert!(!heard.is_over.load(Ordering::Relaxed));
    }
}
