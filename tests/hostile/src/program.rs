//! The program under attack: the test's own binary again. Only this file uses the program's package.

#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::process::ExitCode;

/// The variable that makes a process the program.
const SWITCH: &str = "SKILLS_HOSTILE_PROGRAM";

/// Returns whether this process is the program.
pub fn is_program() -> bool {
    std::env::var_os(SWITCH).is_some()
}

/// Runs the program.
pub fn run() -> ExitCode {
    skills_tool::run()
}

/// Returns the path of the program.
#[cfg(target_os = "linux")]
pub(crate) fn file() -> std::io::Result<std::path::PathBuf> {
    std::env::current_exe()
}

/// Returns the variables that make the test's binary the program, with a search path.
#[cfg(target_os = "linux")]
pub(crate) fn variables() -> impl Iterator<Item = (OsString, OsString)> {
    let kept = ["PATH", "LD_LIBRARY_PATH", "TMPDIR"];
    let kept = kept
        .into_iter()
        .filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    kept.chain([(SWITCH.into(), "1".into())])
}
