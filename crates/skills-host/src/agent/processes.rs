//! The processes of the system, as `/proc` lists them.

use rustix::fd::OwnedFd;
use rustix::fs::{Access, access};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::fs;
use std::io;
use std::path::Path;

/// A process found in `/proc`. Its number can be reused at any time; its descriptor always means this process.
pub(crate) struct Process {
    pid: Pid,
    /// The descriptor; `None` on a kernel before 5.3.
    descriptor: Option<OwnedFd>,
}

impl Process {
    /// Opens a process; `None` if it has ended.
    pub(crate) fn open(pid: Pid) -> Option<Self> {
        let descriptor = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(descriptor) => Some(descriptor),
            Err(Errno::NOSYS | Errno::PERM) => None,
            Err(_) => return None,
        };
        Some(Self { pid, descriptor })
    }

    /// Reads a file of the process's folder in `/proc`.
    pub(crate) fn file(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(format!("/proc/{}/{name}", self.pid.as_raw_nonzero()))
    }

    /// Kills the process. A process that has ended, or that belongs to another user, is not an error.
    pub(crate) fn kill(&self) {
        let _ = match &self.descriptor {
            Some(descriptor) => pidfd_send_signal(descriptor, Signal::KILL),
            None => kill_process(self.pid, Signal::KILL),
        };
    }
}

/// Returns the numbers of all processes.
///
/// # Errors
///
/// If `/proc` is missing or unreadable.
pub(crate) fn processes() -> io::Result<impl Iterator<Item = Pid>> {
    let all = fs::read_dir("/proc")?.flatten();
    Ok(all.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)))
}

/// Returns the children of a process, running or not yet reaped.
///
/// # Errors
///
/// The errors of [`processes`].
pub(crate) fn children(parent: Pid) -> io::Result<Vec<Pid>> {
    let parent = parent.as_raw_nonzero().to_string();
    let is_child = |pid: &Pid| {
        // A process that has ended since the listing is not a child.
        let Ok(stat) = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())) else {
            return false;
        };
        // The name in parentheses is chosen by the process and can contain `)`: the last one ends the name.
        let name_end = stat.iter().rposition(|byte| *byte == b')');
        let fields = name_end
            .and_then(|at| stat.get(at + 1..))
            .unwrap_or_default();
        let mut fields = fields
            .split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty());
        // The state, then the parent.
        fields.nth(1) == Some(parent.as_bytes())
    };
    Ok(processes()?.filter(is_child).collect())
}

/// Looks up a program like the system does when the program is started from a folder.
///
/// # Errors
///
/// The errors of a start: the program does not exist, or is not executable.
pub(crate) fn find_program(program: &str, folder: Option<&Path>) -> io::Result<()> {
    // A relative path is relative to the folder in which the program will run.
    let folder = folder.unwrap_or(Path::new("."));
    let is_path = program.contains('/');
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let mut places = vec![folder.join(program)];
    if !is_path {
        let path = std::env::split_paths(&path);
        places = path.map(|place| folder.join(place).join(program)).collect();
    }
    let mut fault = Errno::NOENT;
    for place in places {
        match access(&place, Access::EXEC_OK) {
            Ok(()) if !place.is_dir() => return Ok(()),
            Ok(()) => fault = Errno::ACCESS,
            Err(Errno::NOENT | Errno::NOTDIR) if !is_path => {}
            Err(error) => fault = error,
        }
    }
    Err(fault.into())
}
