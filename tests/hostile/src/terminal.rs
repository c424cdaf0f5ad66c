//! A terminal that the program writes to, and what arrives there.

use crate::attack::Outcome;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Read as _;
use std::process::{Command, Stdio};

/// Runs a command whose standard output and standard error are one terminal; gives every byte that
/// the terminal got.
pub(crate) fn on_terminal(mut command: Command) -> Outcome<Vec<u8>> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let name = ptsname(&ours, Vec::new())?;
    let theirs = File::options()
        .read(true)
        .write(true)
        .open(name.to_str()?)?;
    command
        .stdin(Stdio::null())
        .stdout(theirs.try_clone()?)
        .stderr(theirs);
    let mut child = command.spawn()?;
    // The last open end of the terminal is the child's from here on: reading ends with the child.
    drop(command);
    let mut bytes = Vec::new();
    let mut ours = File::from(ours);
    let mut buffer = [0; 4096];
    // When no program has the terminal open, reading it is an error: that is its end.
    while let Ok(n @ 1..) = ours.read(&mut buffer) {
        bytes.extend_from_slice(buffer.get(..n).unwrap_or_default());
    }
    child.wait()?;
    Ok(bytes)
}
