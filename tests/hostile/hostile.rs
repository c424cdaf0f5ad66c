//! Runs every attack as a test of its own. This binary is the program too, when a test starts it.

use libtest_mimic::{Arguments, Failed, Trial};
use skills_hostile::{attacks, program};
use std::process::ExitCode;

fn main() -> ExitCode {
    if program::is_program() {
        return program::run();
    }
    let trials = attacks().map(|attack| {
        Trial::test(attack.name(), || {
            (attack.run)().map_err(|error| Failed::from(error.to_string()))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
