//! A pseudoterminal for the program's output.

use crate::attack::Outcome;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

/// The end of a question of yes or no.
const QUESTION: &[u8] = b"[y/N]";

/// The result of a command on a terminal.
pub(crate) struct Shown {
    pub(crate) code: Option<i32>,
    /// Every byte that the terminal got, with the typed bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Runs a command with a terminal as its standard output and standard error. Returns every byte that the terminal
/// got.
pub(crate) fn on_terminal(mut command: Command) -> Outcome<Vec<u8>> {
    command.stdin(Stdio::null());
    let (ours, theirs) = terminal()?;
    Ok(run(command, ours, theirs, "")?.bytes)
}

/// Runs a command whose standard input is the terminal too, and types an answer when it asks a question of yes or no.
pub(crate) fn typed(mut command: Command, answer: &str) -> Outcome<Shown> {
    let (ours, theirs) = terminal()?;
    command.stdin(theirs.try_clone()?);
    run(command, ours, theirs, answer)
}

/// Opens a terminal, and returns our end and the program's end. Fails on a system without pseudoterminals.
fn terminal() -> Outcome<(File, File)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let theirs = File::options()
        .read(true)
        .write(true)
        .open(name.to_str()?)?;
    Ok((File::from(ours), theirs))
}

/// Returns why no terminal can be opened here; `None` if one can.
pub(crate) fn missing() -> Option<String> {
    let error = terminal().err()?;
    Some(format!("no pseudoterminal can be opened: {error}"))
}

fn run(mut command: Command, mut ours: File, theirs: File, mut answer: &str) -> Outcome<Shown> {
    command.stdout(theirs.try_clone()?).stderr(theirs);
    let mut child = command.spawn()?;
    // From here on only the child holds the other end of the terminal, so reading ends with the child.
    drop(command);
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    // If no program has the terminal open, reading it is an error, which is its end.
    while let Ok(n @ 1..) = ours.read(&mut buffer) {
        bytes.extend_from_slice(buffer.get(..n).unwrap_or_default());
        // What is typed before the question is dropped.
        if bytes.windows(QUESTION.len()).any(|at| at == QUESTION) {
            ours.write_all(answer.as_bytes())?;
            answer = "";
        }
    }
    let code = child.wait()?.code();
    Ok(Shown { code, bytes })
}
