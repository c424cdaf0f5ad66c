//! A terminal that the program writes to, and what arrives there.

use crate::attack::Outcome;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

/// What came of a command on a terminal.
pub(crate) struct Shown {
    pub(crate) code: Option<i32>,
    /// Every byte that the terminal got, what was typed included.
    pub(crate) bytes: Vec<u8>,
}

/// Runs a command whose standard output and standard error are one terminal; gives every byte that
/// the terminal got.
pub(crate) fn on_terminal(mut command: Command) -> Outcome<Vec<u8>> {
    command.stdin(Stdio::null());
    let (ours, theirs) = terminal()?;
    Ok(run(command, ours, theirs)?.bytes)
}

/// Runs a command whose standard input is the terminal too, and in which a text was typed.
pub(crate) fn typed(mut command: Command, text: &str) -> Outcome<Shown> {
    let (mut ours, theirs) = terminal()?;
    command.stdin(theirs.try_clone()?);
    ours.write_all(text.as_bytes())?;
    run(command, ours, theirs)
}

/// Opens a terminal: our end and the program's end. An error is one of the system, where there are no
/// pseudoterminals.
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

/// Why there is no terminal here; `None` when there is.
pub(crate) fn missing() -> Option<String> {
    let error = terminal().err()?;
    Some(format!("no pseudoterminal can be opened: {error}"))
}

fn run(mut command: Command, mut ours: File, theirs: File) -> Outcome<Shown> {
    command.stdout(theirs.try_clone()?).stderr(theirs);
    let mut child = command.spawn()?;
    // The last open end of the terminal is the child's from here on: reading ends with the child.
    drop(command);
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    // When no program has the terminal open, reading it is an error: that is its end.
    while let Ok(n @ 1..) = ours.read(&mut buffer) {
        bytes.extend_from_slice(buffer.get(..n).unwrap_or_default());
    }
    let code = child.wait()?.code();
    Ok(Shown { code, bytes })
}
