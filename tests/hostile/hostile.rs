//! Runs every attack as a test. A test also starts this binary as the program under attack.

#[cfg(target_os = "linux")]
use libtest_mimic::Failed;
use libtest_mimic::{Arguments, Trial};
#[cfg(target_os = "linux")]
use skills_hostile::attacks;
use skills_hostile::program;
use std::process::ExitCode;

fn main() -> ExitCode {
    if program::is_program() {
        return program::run();
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

#[cfg(target_os = "linux")]
fn trials() -> Vec<Trial> {
    let trial = |attack: &'static skills_hostile::Attack| {
        Trial::test(attack.name(), || {
            (attack.run)().map_err(|error| Failed::from(error.to_string()))
        })
    };
    attacks().map(trial).collect()
}

/// Returns no attacks, since the attacks need Linux.
#[cfg(not(target_os = "linux"))]
fn trials() -> Vec<Trial> {
    Vec::new()
}
