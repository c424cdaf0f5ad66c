//! Arguments of a command that are defined only when the command is called.

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use std::ops::Deref;

/// The arguments of one command. The program has hundreds of arguments, and a call uses only the arguments
/// of one command: defining the others would be half the cost of a start.
#[derive(Debug)]
pub(crate) struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| described(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| described(command, T::augment_args_for_update))
    }
}

/// Defines the arguments, and keeps the command's own description. Argument structs that several commands
/// share would replace it with their own.
fn described(command: Command, define: fn(Command) -> Command) -> Command {
    let about = Resettable::from(command.get_about().cloned());
    let long_about = Resettable::from(command.get_long_about().cloned());
    define(command).about(about).long_about(long_about)
}
