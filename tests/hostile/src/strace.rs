//! The program under `strace`: its system calls that write, and the effect of a failing call.

use crate::attack::Outcome;
use crate::case::Case;
use crate::process::Ran;
use crate::program;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Calls that change a file system.
const WRITING: &str = "openat,open,creat,write,pwrite64,writev,rename,renameat,renameat2,link,linkat,\
    symlink,symlinkat,mkdir,mkdirat,unlink,unlinkat,rmdir,ftruncate,fsync,fdatasync,fchmod,\
    copy_file_range,sendfile";

/// A call that writes.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The process number.
    pub(crate) process: String,
    /// The number among the calls of this name, from 1.
    nth: usize,
    /// The line that `strace` prints.
    pub(crate) line: String,
}

/// The fault at a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    Killed,
    DiskFull,
}

/// Returns why `strace` cannot be used here; `None` if it can.
pub(crate) fn missing() -> Option<String> {
    let mut command = Command::new("strace");
    command.args(["-qq", "-e", "inject=exit_group:retval=0:when=9999", "true"]);
    match command.output() {
        Err(error) => Some(format!("strace cannot be started: {error}")),
        Ok(output) if !output.status.success() => Some(format!(
            "strace cannot inject: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
        Ok(_) => None,
    }
}

/// Runs the program, and returns its calls that write below the case's folder, in order.
pub(crate) fn writing_calls(case: &Case, arguments: &[&str]) -> Outcome<(Ran, Vec<Call>)> {
    let log = tempfile::NamedTempFile::new()?;
    let mut command = strace(case);
    command.args(["-y", "-e", &format!("trace={WRITING}"), "-o"]);
    command
        .arg(log.path())
        .arg(program::file()?)
        .args(arguments);
    let ran = Ran::of(&mut command)?;
    let folder = case
        .path("")
        .to_string_lossy()
        .trim_end_matches('/')
        .to_owned();
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in fs::read_to_string(log.path())?.lines() {
        let Some((head, rest)) = line.split_once('(') else {
            continue;
        };
        let Some((process, name)) = head.split_once(' ') else {
            continue;
        };
        let name = name.trim();
        let nth = counts
            .entry((process.to_owned(), name.to_owned()))
            .or_default();
        *nth += 1;
        let opens = name.starts_with("open");
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT"]
            .iter()
            .any(|flag| rest.contains(flag));
        if rest.contains(&folder) && (!opens || writes) {
            calls.push(Call {
                name: name.to_owned(),
                process: process.to_owned(),
                nth: *nth,
                line: rest.to_owned(),
            });
        }
    }
    Ok((ran, calls))
}

/// Runs the program with a fault at one call.
pub(crate) fn run_with(case: &Case, arguments: &[&str], call: &Call, fault: Fault) -> Outcome<Ran> {
    let what = match fault {
        Fault::Killed => "signal=KILL",
        Fault::DiskFull => "error=ENOSPC",
    };
    let Call { name, nth, .. } = call;
    let mut command = strace(case);
    command.args(["-e", &format!("trace={name}"), "-o", "/dev/null"]);
    command.args(["-e", &format!("inject={name}:{what}:when={nth}")]);
    command.arg(program::file()?).args(arguments);
    Ran::of(&mut command)
}

/// Runs the program, and returns the calls of these names of all its processes with their results, in order of their
/// ends.
pub(crate) fn calls(
    case: &Case,
    arguments: &[&str],
    names: &str,
) -> Outcome<Vec<(String, String)>> {
    let log = tempfile::NamedTempFile::new()?;
    let mut command = strace(case);
    command.args(["-e", &format!("trace={names}"), "-e", "signal=none", "-o"]);
    command
        .arg(log.path())
        .arg(program::file()?)
        .args(arguments);
    Ran::of(&mut command)?;
    let text = fs::read_to_string(log.path())?;
    let ended = text.lines().filter(|line| !line.contains("<unfinished"));
    let parts = ended.filter_map(|line| line.rsplit_once(" = "));
    Ok(parts
        .map(|(call, result)| (call.to_owned(), result.trim().to_owned()))
        .collect())
}

fn strace(case: &Case) -> Command {
    let mut command = case.command_of("strace");
    command.args(["-f", "-qq"]);
    command
}
