//! Starts the test's own binary again under `strace`, which kills it or makes a system call fail.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it skips")]

use super::memory::memory;
use skills_host::Error;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Instant;

const OPERATION: &str = "SKILLS_HOST_OPERATION";
const WORLD: &str = "SKILLS_HOST_WORLD";

/// The operations of one part of the tests, identified by the name of the part.
pub(crate) struct Traced(pub(crate) &'static str);

/// The calls that write. `openat` is not among them: a file that it creates is empty until a `write`.
const CALLS: &[&str] = &[
    "mkdir",
    "mkdirat",
    "write",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "symlink",
    "symlinkat",
    "fchmod",
    "chmod",
    "ftruncate",
    "fsync",
    "syncfs",
    "copy_file_range",
];

/// The fault that kills the process at a call.
pub(crate) const KILL: &str = "signal=KILL";
/// The faults at a call.
pub(crate) const FAULTS: [&str; 4] = [KILL, "error=ENOSPC", "error=EROFS", "error=EINVAL"];

/// Returns whether the tests can run here. Otherwise prints the reason.
pub(crate) fn is_possible() -> bool {
    let is_missing =
        cfg!(not(target_os = "linux")) || Command::new("strace").arg("-V").output().is_err();
    if is_missing {
        println!("skipped: there is no strace on this machine");
    }
    !is_missing
}

/// Returns the step between tried points: `sample`, or 1 with `SKILLS_ALL_POINTS=1`, as every night.
pub(crate) fn step(sample: usize) -> usize {
    if std::env::var_os("SKILLS_ALL_POINTS").is_some() {
        1
    } else {
        sample
    }
}

/// Tries points on all cores, two at once on each core, since a traced process often waits. Fails at the end if a
/// point failed. With `SKILLS_POINTS=2/5` tries the second of five parts. Returns the tried points.
pub(crate) fn try_all<P: Display + Sync>(points: Vec<P>, attempt: &(dyn Fn(&P) + Sync)) -> Vec<P> {
    let (part, parts) = part();
    let points: Vec<P> = points.into_iter().skip(part).step_by(parts).collect();
    let start = Instant::now();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
            // The message of the panic is on standard error.
            if catch_unwind(AssertUnwindSafe(|| attempt(point))).is_err()
                && let Ok(mut failed) = failed.lock()
            {
                failed.push(point.to_string());
            }
        }
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        (0..2 * cores).for_each(|_| drop(scope.spawn(work)));
    });
    let count = points.len();
    let seconds = start.elapsed().as_secs();
    println!(
        "part {} of {parts}: {count} points in {seconds} s",
        part + 1
    );
    let failed = failed.into_inner().unwrap_or_default();
    assert!(failed.is_empty(), "{}: {failed:#?}", failed.len());
    points
}

/// Returns the part of the points to try, from 0, and the number of parts.
fn part() -> (usize, usize) {
    let Ok(text) = std::env::var("SKILLS_POINTS") else {
        return (0, 1);
    };
    let part = text.split_once('/').and_then(|(part, parts)| {
        let (part, parts): (usize, usize) = (part.parse().ok()?, parts.parse().ok()?);
        (1..=parts).contains(&part).then_some((part - 1, parts))
    });
    assert!(part.is_some(), "SKILLS_POINTS is written 2/5, not {text}");
    part.unwrap_or((0, 1))
}

/// Makes a folder in memory if possible: on a disk most of the time would be spent on `fsync`. `SKILLS_WORLDS` names
/// another place.
pub(crate) fn folder() -> std::io::Result<tempfile::TempDir> {
    if let Some(place) = std::env::var_os("SKILLS_WORLDS") {
        return tempfile::tempdir_in(place);
    }
    match memory() {
        Some(memory) => tempfile::tempdir_in(memory),
        None => tempfile::tempdir(),
    }
}

impl Traced {
    /// Carries out the operation for which a test of this part started this process. A failure ends the process.
    /// Returns whether there was an operation.
    pub(crate) fn carried_out(
        &self,
        operate: impl FnOnce(&str, &Path) -> Result<(), Error>,
    ) -> bool {
        let Some((operation, world)) = self.asked() else {
            return false;
        };
        if let Err(error) = operate(&operation, &world) {
            println!("{error}; {}", error.remedy().unwrap_or_default());
            std::process::exit(2);
        }
        true
    }

    /// Returns the operation and the world of a process that a test of this part started.
    fn asked(&self) -> Option<(String, PathBuf)> {
        let asked = std::env::var(OPERATION).ok()?;
        let (part, operation) = asked.split_once('/')?;
        let world = std::env::var_os(WORLD)?;
        (part == self.0).then(|| (operation.to_owned(), PathBuf::from(world)))
    }

    /// Sets the operation of a process that a command starts.
    pub(crate) fn ask<'c>(
        &self,
        command: &'c mut Command,
        operation: &str,
        world: &Path,
    ) -> &'c mut Command {
        command
            .env(OPERATION, format!("{}/{operation}", self.0))
            .env(WORLD, world)
            .stdin(Stdio::null())
    }

    /// Starts this binary by a command, and waits for its end.
    pub(crate) fn started(
        &self,
        mut command: Command,
        operation: &str,
        world: &Path,
    ) -> std::io::Result<Output> {
        command.arg(std::env::current_exe()?);
        self.ask(&mut command, operation, world).output()
    }

    /// Starts this binary with faults in its first thread.
    pub(crate) fn with_faults(
        &self,
        operation: &str,
        world: &Path,
        counts: &Counts,
        faults: &[&str],
    ) -> std::io::Result<Output> {
        let stops = if counts.is_alone {
            *STOPS
        } else {
            Stops::AtEvery
        };
        self.started(strace("/dev/null", stops, faults), operation, world)
    }

    /// Counts the calls of the first thread.
    pub(crate) fn counts(
        &self,
        operation: &str,
        world: &Path,
        faults: &[&str],
    ) -> std::io::Result<Counts> {
        let log = tempfile::NamedTempFile::new()?;
        let command = strace(&log.path().to_string_lossy(), *STOPS, faults);
        let output = self.started(command, operation, world)?;
        assert!(output.status.success(), "{output:?}");
        let mut counts = Counts {
            calls: BTreeMap::new(),
            is_alone: true,
        };
        let mut first = None;
        for line in fs::read_to_string(log.path())?.lines() {
            // If threads are followed, the number of the thread precedes the call.
            let (id, call) = match *STOPS {
                Stops::AtAsked => line.split_once(' ').unwrap_or_default(),
                Stops::AtEvery => ("", line),
            };
            let first = *first.get_or_insert_with(|| id.to_owned()) == id;
            if let Some((call, _)) = call.trim_start().split_once('(')
                && CALLS.contains(&call)
            {
                counts.is_alone &= first;
                if first {
                    *counts.calls.entry(call.to_owned()).or_insert(0) += 1;
                }
            }
        }
        Ok(counts)
    }
}

/// The writes of an operation.
#[derive(Clone)]
pub(crate) struct Counts {
    /// The number of calls of each kind by the first thread.
    calls: BTreeMap<String, usize>,
    /// True if no other thread and no other process writes.
    is_alone: bool,
}

impl Counts {
    /// Returns the points of counted calls, every `step`th of them, whatever their kinds.
    pub(crate) fn points(&self, step: usize) -> impl Iterator<Item = (&str, usize)> {
        let points = self.calls.iter().flat_map(|(call, count)| {
            let numbers = 1..=*count;
            numbers.map(move |n| (call.as_str(), n))
        });
        points.step_by(step)
    }
}

/// The system calls at which a traced process stops.
#[derive(Clone, Copy)]
enum Stops {
    /// Every call, in its first thread.
    AtEvery,
    /// The selected calls, in all its threads and in those of its child processes. This takes a third of the time.
    AtAsked,
}

/// The abilities of this `strace` and this kernel.
static STOPS: LazyLock<Stops> = LazyLock::new(|| {
    let mut probe = strace("/dev/null", Stops::AtAsked, &[]);
    let is_possible = probe.arg("true").output();
    if is_possible.is_ok_and(|output| output.status.success() && output.stderr.is_empty()) {
        Stops::AtAsked
    } else {
        Stops::AtEvery
    }
});

fn strace(log: &str, stops: Stops, faults: &[&str]) -> Command {
    let mut command = Command::new("strace");
    if let Stops::AtAsked = stops {
        command.args(["-f", "--seccomp-bpf"]);
    }
    let trace = format!("trace={}", CALLS.join(","));
    command.args(["-o", log, "-e", &trace]);
    for fault in faults {
        command.args(["-e", fault]);
    }
    command
}

/// Makes a command for a process that stops at a call, with a log that has the process number on each line.
pub(crate) fn strace_of_all(log: &Path, stop: &str) -> Command {
    let mut command = Command::new("strace");
    let calls = format!("trace={}", CALLS.join(","));
    command.arg("-f").arg("-o").arg(log);
    command.args(["-e", &calls, "-e", stop]);
    command
}

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(copied.is_ok_and(|status| status.success()));
}

/// Returns the paths below a folder whose names begin or end with one of the texts.
pub(crate) fn leftovers(folder: &Path, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_left = |part: &&str| name.starts_with(part) || name.ends_with(part);
            // A git that a signal or a refused process ends leaves temporary files among its objects. Its `gc`
            // removes them.
            let is_of_git = name.starts_with("tmp_pack_") || name.starts_with("tmp_obj_");
            if names.iter().any(is_left) && !is_of_git {
                found.push(path.display().to_string());
            }
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}
