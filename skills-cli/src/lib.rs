//! The `skills` program: arguments in, a library call, a rendering out.
//!
//! Results go to standard output; progress, warnings and errors to standard error. Exit code 0:
//! done; 1: findings of severity error, or the asked-for thing is not so; 2: wrong usage, or an
//! operation that failed.

mod activate;
mod arguments;
mod bundle;
mod check;
mod commands;
mod complete;
mod environment;
mod failure;
mod findings;
mod id;
mod kept;
mod layers;
mod list;
mod lock;
mod mend;
mod message;
mod new;
mod output;
mod profile;
mod prompt;
mod resolve;
mod rules;
mod schema;
mod shell;
mod show;
mod show_text;
mod skill_json;
mod switch;
mod table;
mod tools;
mod trust;
mod trust_list;
mod trust_target;
mod watch;

pub use environment::Environment;
pub use failure::{Failure, Message};
pub use layers::CatalogOptions;

use arguments::Arguments;
use clap::Parser as _;
use output::Output;
use std::process::ExitCode;

/// Runs the program with this process's arguments, folders and streams.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // A closed pipe is no reason to say more.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut output = Output::new(arguments.color);
    let result = arguments
        .command
        .run(&Environment::of_process(), &mut output)
        .and_then(|outcome| {
            output.finish()?;
            Ok(outcome)
        });
    match result {
        Ok(Outcome::Done) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(failure.code())
        }
    }
}

/// How a command that did not fail ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    /// It found errors in what it was to look at.
    Findings,
}
