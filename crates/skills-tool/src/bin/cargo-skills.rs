//! `cargo skills`: runs the program `skills` that lies beside this program.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "it passes its arguments to one program, and reports if that cannot be started"
)]

use std::io;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let name = format!("skills{}", std::env::consts::EXE_SUFFIX);
    // Beside this program first: another program on the search path can have the name.
    let beside = std::env::current_exe().map(|path| path.with_file_name(&name));
    let program = beside.ok().filter(|path| path.is_file());
    let program = program.unwrap_or_else(|| name.into());
    // Cargo passes its own word `skills` before those of the person.
    let mut words = std::env::args_os().skip(1).peekable();
    words.next_if(|word| word == "skills");
    run(Command::new(&program).args(words)).unwrap_or_else(|error| {
        eprintln!("error: `skills` cannot be started: {error}");
        eprintln!(" help: run `cargo install skills-tool`, which installs both programs");
        ExitCode::from(2)
    })
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
