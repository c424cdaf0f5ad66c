//! The command line as typed, for values that are needed even when the line is invalid.

use crate::outcome::Message;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Args, ColorChoice, Command, Error, FromArgMatches, ValueEnum as _};
use skills_format::text::distance::nearest;
use std::ffi::OsString;
use std::ops::Deref;

/// Returns the value of `--color`, even when the other arguments are invalid or ask for help.
pub(crate) fn colour() -> ColorChoice {
    let values = values(std::env::args_os(), &["--color"]);
    let mut choices = values.filter_map(|value| ColorChoice::from_str(&value, false).ok());
    choices.next_back().unwrap_or(ColorChoice::Auto)
}

/// Returns whether an invalid command line asks for JSON.
pub(crate) fn asks_for_json() -> bool {
    let mut values = values(std::env::args_os(), &["--format", "-f"]);
    values.next_back().is_some_and(|value| value == "json")
}

/// Returns the values of an option in a command line, in order.
fn values(
    words: impl Iterator<Item = OsString>,
    names: &[&str],
) -> impl DoubleEndedIterator<Item = String> {
    let words: Vec<String> = words
        .take_while(|word| word != "--")
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let of = |(at, word): (usize, &String)| {
        let value = names.iter().find_map(|name| word.strip_prefix(name))?;
        match value.strip_prefix('=') {
            Some(value) => Some(value.to_owned()),
            None if value.is_empty() => words.get(at + 1).cloned(),
            // `-fjson`
            None => (!word.starts_with("--")).then(|| value.to_owned()),
        }
    };
    let found: Vec<String> = words.iter().enumerate().filter_map(of).collect();
    found.into_iter()
}

/// Keeps the nearest of the commands that clap names for an unknown one.
pub(super) fn with_one_tip(mut error: Error) -> Error {
    if let Some(ContextValue::Strings(near)) = error.remove(ContextKind::SuggestedSubcommand) {
        error.remove(ContextKind::Suggested);
        let typed = error
            .get(ContextKind::InvalidSubcommand)
            .map(ToString::to_string);
        let best = typed.and_then(|typed| nearest(&typed, near.iter().map(String::as_str)));
        let best = best.map(|best| ContextValue::Strings(vec![best.to_owned()]));
        best.and_then(|best| error.insert(ContextKind::SuggestedSubcommand, best));
    }
    error
}

/// Converts an error of clap to a message for a document.
pub(crate) fn message(error: &Error) -> Message {
    let text = error.render().to_string();
    let joined = |part: &str| {
        let lines = part.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    };
    let (fact, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let parts = rest.split("\n\n").map(joined);
    let is_help = |part: &String| !part.is_empty() && !part.starts_with("For more information");
    let parts: Vec<String> = parts.filter(is_help).collect();
    Message {
        fact: joined(fact.strip_prefix("error: ").unwrap_or(fact)).into(),
        help: parts.join(" ").into(),
    }
}

/// Returns whether the called command prints JSON.
pub(super) fn is_json(matches: &ArgMatches) -> bool {
    let mut called = matches;
    while let Some((_, command)) = called.subcommand() {
        called = command;
    }
    let format = called.try_get_raw("format").ok().flatten();
    format.is_some_and(|mut words| words.any(|word| word == "json"))
}

/// Replaces the command `outdated`, which would have the options of `update` again, and `help NAME`: clap's own command of this
/// name defines the arguments of every command.
pub(crate) fn replace(words: &mut Vec<OsString>) {
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    if words.get(1).is_some_and(|word| word == "outdated") {
        words.splice(1..=1, ["update", "--dry-run"].map(OsString::from));
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_an_option() {
        for (line, found) in [
            ("skills list --format json", vec!["json"]),
            ("skills list --format=text -fjson -f", vec!["text", "json"]),
            ("skills -f text list -f json", vec!["text", "json"]),
            ("skills list --formats json -- --format json", vec![]),
        ] {
            let words = line.split(' ').map(OsString::from);
            let values: Vec<String> = values(words, &["--format", "-f"]).collect();
            assert_eq!(values, found, "{line}");
        }
    }
}

#[cfg(test)]
mod outdated_tests {
    use super::*;

    #[test]
    fn the_name_is_replaced() {
        for (line, replaced) in [
            ("skills outdated a", "skills update --dry-run a"),
            ("skills show outdated", "skills show outdated"),
            ("skills help", "skills --help"),
            (
                "skills help inspect profile",
                "skills inspect profile --help",
            ),
            ("skills", "skills"),
        ] {
            let mut words = line.split(' ').map(OsString::from).collect();
            replace(&mut words);
            assert_eq!(words, replaced.split(' ').collect::<Vec<_>>(), "{line}");
        }
    }
}
