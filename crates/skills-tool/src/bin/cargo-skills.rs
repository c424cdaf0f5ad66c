//! `cargo skills`: runs the program `skills` that lies beside this program. `cargo skills deps` installs the skills that
//! dependencies ship.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "it passes its arguments to one program, and reports if that cannot be started"
)]

use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let name = format!("skills{}", std::env::consts::EXE_SUFFIX);
    // Beside this program first: another program on the search path can have the name.
    let beside = std::env::current_exe().map(|path| path.with_file_name(&name));
    let program = beside
        .ok()
        .filter(|path| path.is_file())
        .unwrap_or_else(|| name.into());
    run(Command::new(&program).args(words(std::env::args_os().skip(1)))).unwrap_or_else(|error| {
        eprintln!("error: `skills` cannot be started: {error}");
        eprintln!(" help: run `cargo install skills-tool`, which installs both programs");
        ExitCode::from(2)
    })
}

/// Returns the words of the person. Cargo passes its own word `skills` before them.
fn words(all: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut all = all.peekable();
    all.next_if(|word| word == "skills");
    all
}

/// Becomes the program, so that signals and exit codes are its own.
#[cfg(unix)]
fn run(program: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

#[cfg(not(unix))]
fn run(program: &mut Command) -> io::Result<ExitCode> {
    let code = program.status()?.code();
    Ok(ExitCode::from(
        code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_cargo_is_not_passed() {
        for (all, own) in [
            (&["skills", "deps", "list"][..], &["deps", "list"][..]),
            (&["skills", "skills"], &["skills"]),
            (&["deps", "skills"], &["deps", "skills"]),
            (&["skills"], &[]),
            (&[], &[]),
        ] {
            let passed: Vec<OsString> = words(all.iter().map(OsString::from)).collect();
            assert_eq!(passed, own, "{all:?}");
        }
    }
}
