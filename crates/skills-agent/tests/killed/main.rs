//! Operations that are killed, and that fail, at every system call that writes; and a daemon in real time. The
//! operations run in processes of their own: the program starts itself again. `-- improve` after `cargo test` selects
//! the tests with that word in their name.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod daemon;
mod full;
mod improve;
mod install;
mod layer;
#[path = "../all/memory.rs"]
mod memory;
mod schedule;
#[cfg(unix)]
mod swapped;
mod traced;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::thread;

fn main() -> ExitCode {
    let carried_out = [
        install::carried_out,
        improve::carried_out,
        schedule::carried_out,
        daemon::carried_out,
    ];
    if carried_out.iter().any(|carried_out| carried_out()) {
        return ExitCode::SUCCESS;
    }
    let is_traced = traced::is_possible();
    let killed = install::trials()
        .chain(improve::trials())
        .chain(schedule::trials());
    let killed = killed.map(|trial| trial.with_ignored_flag(!is_traced));
    let all = killed.chain(daemon::trials()).collect();
    let mut arguments = Arguments::from_args();
    // The tests often wait: for traced system calls, or for the next second.
    let cores = thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(8.max(2 * cores));
    libtest_mimic::run(&arguments, all).exit_code()
}

/// Makes a test, which fails by a panic.
fn trial(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        run();
        Ok(())
    })
}
