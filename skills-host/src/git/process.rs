//! One run of the program, to its end or until a person asks to stop.

use crate::error::{Error, ErrorKind};
use crate::git::observer::Observer;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Most bytes that one call of git may print.
const MAX_OUTPUT: u64 = 1 << 30;
/// How long to wait before asking for the first time whether git is done. Most calls end in a few milliseconds.
const FIRST_PAUSE: Duration = Duration::from_micros(500);
/// How long to wait at most before asking again.
const PAUSE: Duration = Duration::from_millis(5);

/// What a call of git came to.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: String,
}

/// Runs a command to its end, or until a person asks to stop.
pub(crate) fn run(
    mut command: Command,
    input: &[u8],
    observer: &dyn Observer,
) -> Result<Done, Error> {
    command
        // Objects that are missing are fetched together, not one by one.
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    own_group(&mut command);
    let mut child = command.spawn().map_err(|error| not_started(&error))?;
    let line = Arc::new(Mutex::new(String::new()));
    let output = child
        .stdout
        .take()
        .map(|stream| thread::spawn(|| all_of(stream)));
    let errors = child.stderr.take().map(|stream| {
        let line = Arc::clone(&line);
        thread::spawn(move || lines_of(stream, &line))
    });
    let writer = child.stdin.take().map(|mut stream| {
        let input = input.to_vec();
        // Git may end before it has read everything.
        thread::spawn(move || drop(stream.write_all(&input)))
    });
    let code = wait(&mut child, &line, observer);
    let (output, errors) = (joined(output), joined(errors));
    joined(writer);
    Ok(Done {
        code: code?,
        output,
        errors,
    })
}

fn wait(
    child: &mut Child,
    line: &Mutex<String>,
    observer: &dyn Observer,
) -> Result<Option<i32>, Error> {
    let mut shown = String::new();
    let mut pause = FIRST_PAUSE;
    loop {
        if observer.is_cancelled() {
            end(child);
            return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
        }
        let ended = child
            .try_wait()
            .map_err(|error| Error::io(Path::new("git"), "cannot be waited for", error))?;
        if let Some(status) = ended {
            return Ok(status.code());
        }
        let now = line.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if now != shown {
            observer.progress(&now);
            shown = now;
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

/// Ends git and the programs that it started: a transport that waits for its host would keep the pipes
/// open.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn joined<T: Default>(thread: Option<JoinHandle<T>>) -> T {
    thread
        .and_then(|thread| thread.join().ok())
        .unwrap_or_default()
}

fn all_of(stream: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.take(MAX_OUTPUT).read_to_end(&mut bytes);
    bytes
}

/// Keeps the last line for whoever watches, and gives everything.
fn lines_of(mut stream: impl Read, line: &Mutex<String>) -> String {
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        all.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if all.len() > 1 << 20 {
            all.drain(..1 << 19);
        }
        let text = String::from_utf8_lossy(&all);
        let last = text
            .split(['\r', '\n'])
            .rfind(|line| !line.trim().is_empty());
        if let Some(last) = last {
            last.trim()
                .clone_into(&mut line.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn not_started(error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        return Error::new(ErrorKind::Program, "there is no program `git`")
            .help("install git, or install from a folder or an archive");
    }
    Error::new(
        ErrorKind::Program,
        format!("`git` cannot be started: {error}"),
    )
    .help("see what `git --version` says")
}

/// What git said, without its progress: the lines that matter, as one.
pub(crate) fn said(errors: &str) -> String {
    let lines: Vec<&str> = errors
        .lines()
        .filter_map(|line| line.rsplit('\r').next())
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let marked = |line: &&&str| {
        ["fatal:", "error:", "remote:", "ERROR:"]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let mut told: Vec<&str> = lines.iter().filter(marked).copied().collect();
    if told.is_empty() {
        told = lines.last().copied().into_iter().collect();
    }
    if told.is_empty() {
        return "git ended with an error and said nothing".to_owned();
    }
    told.truncate(4);
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_matter() {
        assert_eq!(said("x\r50%\rfatal: no\nhint: a\n"), "fatal: no");
        assert_eq!(said("a\nb\n"), "b");
        assert_eq!(said(""), "git ended with an error and said nothing");
    }
}
