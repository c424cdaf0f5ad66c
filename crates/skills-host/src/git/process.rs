//! Runs git or cargo once, until it ends or the user cancels.

use crate::git::observer::Observer;
use crate::process::{ProcessEvent, Running};
use crate::waited::Waited;
use skills_store::{Error, ErrorKind};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Maximum bytes of a call's errors that are kept: the last bytes.
const MAX_ERRORS: usize = 1 << 20;
/// Maximum length of a line of progress or of an error, in bytes.
const MAX_LINE: usize = 4096;
/// The longest wait for an event of git, after which a cancellation is seen.
const PAUSE: Duration = Duration::from_millis(5);

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

/// Runs a command until it ends, exceeds its bounds, or the user cancels. `doing` says what the program does, for a person
/// who waits.
#[expect(
    clippy::disallowed_methods,
    reason = "a wait counts on a clock that nobody sets"
)]
pub(crate) fn run(
    mut command: Command,
    doing: &str,
    input: &[u8],
    most: Most,
    observer: &dyn Observer,
) -> Result<Done, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    // Dropped before its end, git is ended with the programs that it started: they can go on without printing.
    let mut running = Running::start(&mut command, input.to_vec(), None)
        .map_err(|error| not_started(&program, &error))?;
    bound_memory(running.id(), most.memory);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut waited = Waited::new(&program, doing);
    let start = Instant::now();
    let mut done = Done {
        code: None,
        output: Vec::new(),
        is_over: false,
        errors: String::new(),
    };
    loop {
        if observer.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
        }
        match running.next(PAUSE) {
            Some(ProcessEvent::Output(bytes)) => output.extend(bytes),
            Some(ProcessEvent::Errors(bytes)) => keep_last(&mut errors, &bytes),
            Some(ProcessEvent::Ended(end)) => {
                (done.code, done.output) = (end.code, output);
                break;
            }
            None => {}
        }
        done.is_over = output.len() as u64 > most.bytes;
        if done.is_over {
            break;
        }
        if Waited::is_told(start.elapsed()) {
            let line = last_line(&errors);
            waited.tell(start.elapsed(), &line, &|line| observer.progress(line));
        }
    }
    done.errors = String::from_utf8_lossy(&errors).into_owned();
    Ok(done)
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

/// Limits the memory of git and of the programs that it starts from now on. Git holds all references of a remote
/// before it prints the first, and a pack of a few kilobytes can hold an object of gigabytes.
///
/// Git needs milliseconds before it starts a program of its own. The limit is set before that.
#[cfg(target_os = "linux")]
fn bound_memory(process: u32, bytes: u64) {
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
    let _ = prlimit(Pid::from_raw(process.cast_signed()), Resource::Data, limit);
}

#[cfg(not(target_os = "linux"))]
fn bound_memory(_: u32, _: u64) {}

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
