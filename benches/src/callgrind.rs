use std::env;
use std::io;
use std::process::{Command, Stdio};

/// Which instructions of a process count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The instructions from the start of the process to its end.
    Process,
    /// The instructions inside of [`counted`](crate::counted).
    Counted,
}

/// Counts instructions of a process with callgrind.
///
/// The process gets the arguments, the working folder and the variables that `process` sets. Of the
/// other variables the process gets only `PATH`: each variable changes the count.
///
/// # Errors
///
/// When valgrind cannot be started, when it counts nothing, or when a process with a counted part
/// fails.
pub fn instructions(process: &Command, part: Part) -> io::Result<u64> {
    instructions_with(process, part, Stdio::null())
}

/// As [`instructions`], with a standard input.
pub fn instructions_with(process: &Command, part: Part, input: Stdio) -> io::Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    if part == Part::Counted {
        valgrind.arg("--toggle-collect=*skills_benches_counted*");
    }
    valgrind.arg(process.get_program()).args(process.get_args());
    if let Some(folder) = process.get_current_dir() {
        valgrind.current_dir(folder);
    }
    valgrind.env_clear();
    valgrind.envs(env::var_os("PATH").map(|path| ("PATH", path)));
    for (name, value) in process.get_envs() {
        valgrind.envs(value.map(|value| (name, value)));
    }
    let output = valgrind.stdin(input).output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    let number = line.and_then(|(_, number)| number.trim().parse().ok());
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| io::Error::other(format!("callgrind cannot count {process:?}:\n{text}")))
}
