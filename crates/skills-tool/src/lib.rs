//! The `skills` program: parses arguments, calls a library, and prints the result.
//!
//! Results go to standard output; progress, warnings and errors go to standard error. The exit codes: 0:
//! done; 1: errors were found, or the requested thing does not exist or is not allowed; 2: wrong usage, or
//! an operation that failed. With `--format json` a failure is a document too.
//!
//! Internal, no stability: the program `skills` as a library; an agent program uses `skills-runtime`.

mod catalog;
mod commands;
mod environment;
mod input;
mod outcome;
mod output;

pub use catalog::options::CatalogOptions;
pub use environment::Environment;
pub use outcome::{Failure, Message};

use clap::ColorChoice;
use commands::Arguments;
use outcome::Outcome;
use output::Ctx;
use std::process::ExitCode;

/// Runs the program with this process's arguments, folders and streams.
pub fn run() -> ExitCode {
    // One for the whole process: every command reads it.
    let env: &'static Environment = Box::leak(Box::new(Environment::of_process()));
    let arguments = match Arguments::of_process(Environment::has_terminal()) {
        Ok(arguments) => arguments,
        Err(error) => {
            let is_json = error.use_stderr() && commands::line::asks_for_json();
            let mut cx = Ctx::new(commands::line::colour(), is_json, env);
            cx.error_document(&commands::line::message(&error));
            cx.arguments(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut cx = Ctx::new(
        arguments.color.unwrap_or(ColorChoice::Auto),
        arguments.is_json,
        env,
    );
    cx.is_verbose = arguments.verbose;
    let result = arguments
        .command
        .run(&mut cx)
        .and_then(|outcome| cx.finish().map(|()| outcome));
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            cx.error_document(failure.message());
            cx.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}
