//! Tests archives of the web, with the user's own curl and a server on loopback. Without curl the tests are skipped.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

mod archive;
mod attacks;
mod installs;
mod server;
mod world;

use libtest_mimic::{Arguments, Trial};
use std::process::{Command, ExitCode, Stdio};

/// A test, by its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    if skills_tests::is_program() {
        return skills_tool::run();
    }
    let arguments = Arguments::from_args();
    let mut curl = Command::new("curl");
    let curl = curl.arg("--version").stdout(Stdio::null()).status();
    let is_here = curl.is_ok_and(|status| status.success());
    if !is_here {
        #[expect(clippy::print_stdout, reason = "a test's runner says what it skips")]
        {
            println!("skipped: curl is not here, and no archive is fetched");
        }
    }
    let tests = installs::TESTS.iter().chain(attacks::TESTS);
    let trials = tests.map(|&(name, test)| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(!is_here)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
