//! The line of arguments as it was typed, for what has to be known when it cannot be read.

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, ColorChoice, Command, Error, ValueEnum as _};
use skills_format::text::distance::nearest;
use std::ffi::OsString;

/// The value of `--color`, also when the other arguments cannot be read or ask for help.
pub(crate) fn colour() -> ColorChoice {
    let mut words = std::env::args_os().take_while(|word| word != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let word = word.to_string_lossy();
        let value = match word.strip_prefix("--color") {
            Some("") => words
                .next()
                .map(|value| value.to_string_lossy().into_owned()),
            Some(value) => value.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        let value = value.and_then(|value| ColorChoice::from_str(&value, false).ok());
        choice = value.unwrap_or(choice);
    }
    choice
}

/// Whether the command that was called prints JSON.
pub(super) fn is_json(matches: &ArgMatches) -> bool {
    let mut called = matches;
    while let Some((_, command)) = called.subcommand() {
        called = command;
    }
    let format = called.try_get_raw("format").ok().flatten();
    format.is_some_and(|mut words| words.any(|word| word == "json"))
}

/// Names the nearest command in the error of an unknown command. The parser's own suggestion can be a command
/// that only shares letters.
pub(super) fn misspelt(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let mut called = program;
    for word in words.iter().take_while(|word| **word != **unknown) {
        called = called.find_subcommand(word).unwrap_or(called);
    }
    let names = called.get_subcommands().flat_map(|command| {
        let aliases = command.get_visible_aliases();
        aliases.chain([command.get_name()])
    });
    let near = nearest(unknown, names).map(str::to_owned);
    match near {
        Some(near) => error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(vec![near]),
        ),
        None => error.remove(ContextKind::SuggestedSubcommand),
    };
    error
}
