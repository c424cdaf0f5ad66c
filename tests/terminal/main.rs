//! Tests the prompt in a terminal. Without tmux the tests are skipped.

mod editor;
mod menus;
mod merges;
mod pagers;
mod shells;
mod tables;
mod tmux;
mod typed;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// A test, by its name.
type Test = (&'static str, fn());

fn main() -> ExitCode {
    if skills_tests::is_program() {
        return skills_tool::run();
    }
    let mut arguments = Arguments::from_args();
    // Each test has a terminal of its own, and mostly waits for it.
    arguments.test_threads.get_or_insert(8);
    let is_here = tmux::is_here();
    if !is_here {
        #[expect(clippy::print_stdout, reason = "a test's runner says what it skips")]
        {
            println!("skipped: tmux is not here, and the prompt is not tried in a terminal");
        }
    }
    let tests = editor::TESTS
        .iter()
        .chain(menus::TESTS)
        .chain(merges::TESTS)
        .chain(pagers::TESTS)
        .chain(shells::TESTS)
        .chain(tables::TESTS)
        .chain(typed::TESTS);
    let trials = tests.map(|&(name, test)| {
        let run = move || {
            test();
            Ok(())
        };
        let trial = Trial::test(name, run).with_ignored_flag(!is_here);
        if is_here {
            trial
        } else {
            trial.with_kind("no tmux")
        }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
