//! The command line as typed, for values that are needed even when the line is invalid.

use crate::outcome::{Failure, Message};
use crate::output::one_line;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, ColorChoice, Command, Error, ValueEnum as _};
use skills_format::text::command::shell_word;
use skills_format::text::distance::nearest;
use std::ffi::OsString;

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

/// Replaces the suggestion in the error of an unknown command by the nearest command. The suggestion of
/// clap can be a command that only shares letters.
pub(super) fn misspelt(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let words = words.iter().filter_map(|word| word.to_str());
    let called = called(program, words.take_while(|word| word != unknown));
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

/// Replaces the suggestion in the error of an unknown option by the nearest option of the command. A word that begins
/// with a hyphen is not meant as a value: that advice of clap is left out.
pub(super) fn unknown_option(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let words = words.iter().skip(1).filter_map(|word| word.to_str());
    let called = called(program, words);
    let longs = called
        .get_arguments()
        .filter(|it| !it.is_hide_set())
        .filter_map(clap::Arg::get_long);
    let typed = unknown.split('=').next().unwrap_or_default();
    let typed = typed.strip_prefix("--");
    let near = typed.and_then(|typed| nearest(typed, longs));
    let near = near.map(|near| format!("--{near}"));
    error.remove(ContextKind::Suggested);
    // The usage of clap names the suggestion of clap.
    let usage = called.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    match near {
        Some(near) => error.insert(ContextKind::SuggestedArg, ContextValue::String(near)),
        None => error.remove(ContextKind::SuggestedArg),
    };
    error
}

/// Builds the failure for a line with a word that is not UTF-8, where the command takes text.
pub(super) fn not_utf8(words: &[OsString]) -> Failure {
    let word = words.iter().find(|word| word.to_str().is_none());
    let word = word.map(|word| one_line(&word.to_string_lossy()));
    Failure::failed(
        format!("'{}' is not UTF-8", word.unwrap_or_default()),
        "write it in UTF-8; rename a folder or a file whose name is not",
    )
}

/// Parses a line. Returns the error of a line that is not a call, and asks for no help.
pub(super) fn parsed(program: &mut Command, line: &[String]) -> Option<Error> {
    let error = program.try_get_matches_from_mut(line).err()?;
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    (!is_help).then_some(error)
}

/// Formats a line as a person types it.
pub(super) fn shown(line: &[String]) -> String {
    let words: Vec<String> = line.iter().skip(1).map(|word| shell_word(word)).collect();
    format!("`skills {}`", one_line(&words.join(" ")))
}

/// Returns the command that the words of a line call. Options between commands are passed over.
pub(super) fn called<'p, 'w>(
    program: &'p Command,
    words: impl Iterator<Item = &'w str>,
) -> &'p Command {
    let mut called = program;
    for word in words {
        called = called.find_subcommand(word).unwrap_or(called);
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_word_that_is_not_utf8() {
        let bad = std::os::unix::ffi::OsStringExt::from_vec(b"./bad\xff".to_vec());
        let failure = not_utf8(&["skills".into(), "install".into(), bad]);
        let message = failure.message().expect("a message");
        assert_eq!(&*message.fact, "'./bad\u{fffd}' is not UTF-8");
    }

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
