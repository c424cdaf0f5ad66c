//! Compares the words of a command with what clap knows of the program.

use crate::shell::Word;
use clap::builder::PossibleValue;
use clap::{Arg, Command};
use std::iter::Peekable;
use std::mem;
use std::slice;

/// What is wrong, and where.
#[derive(Debug)]
pub(crate) struct Problem {
    /// A byte offset.
    pub(crate) at: usize,
    pub(crate) message: String,
}

/// Reports what the program does not have. Commands of other programs are none of its own.
pub(crate) fn check(program: &Command, words: &[Word], report: &mut dyn FnMut(Problem)) {
    let mut words = words.iter().peekable();
    let name = program.get_bin_name().unwrap_or(program.get_name());
    if words
        .next_if(|word| word.text == name || word.text == program.get_name())
        .is_none()
    {
        return;
    }
    let mut command = program;
    let mut path = name.to_owned();
    let mut taken = 0;
    let mut unknown_option = false;
    while let Some(word) = words.next() {
        if word.text == "--" || word.text.contains("...") || word.text.contains('…') {
            return;
        }
        // It may be the value of the option, and is not reported beside it.
        if mem::take(&mut unknown_option)
            && !word.text.starts_with('-')
            && command.find_subcommand(&word.text).is_none()
        {
            continue;
        }
        let mut report = |message: String| {
            unknown_option = true;
            report(Problem {
                at: word.at,
                message,
            });
        };
        let flags = match word.text.strip_prefix("--") {
            Some(long) => Flags::Long(long),
            None if is_cluster(command, &word.text) => Flags::Short(&word.text[1..]),
            None => Flags::None,
        };
        let below = match flags {
            Flags::Long(long) => option(command, &path, long, word.open, &mut words, &mut report),
            Flags::Short(short) => cluster(command, &path, short, &mut words, &mut report),
            // It may stand for a command.
            Flags::None if word.open && command.has_subcommands() => return,
            Flags::None => match (
                command.find_subcommand(&word.text),
                positional(command, taken),
            ) {
                (Some(below), _) => Some(below),
                (None, _) if command.is_allow_external_subcommands_set() => return,
                (None, Some(argument)) => {
                    if argument.is_trailing_var_arg_set() {
                        return;
                    }
                    value(argument, &word.text, word.open, &mut report);
                    taken += 1;
                    None
                }
                // It may stand for nothing.
                (None, None) if word.open && word.text.starts_with(['[', '$', '*']) => None,
                (None, None) => {
                    let text = &word.text;
                    if command.has_subcommands() {
                        let names = command
                            .get_subcommands()
                            .filter(|below| !below.is_hide_set());
                        let near = near("", text, names.map(Command::get_name));
                        report(format!("'{path}' has no command '{text}'.{near}"));
                    } else {
                        report(format!("'{path}' takes no argument '{text}'."));
                    }
                    return;
                }
            },
        };
        if let Some(below) = below {
            command = below;
            path = format!("{path} {}", below.get_name());
            taken = 0;
        }
    }
}

type Words<'a> = Peekable<slice::Iter<'a, Word>>;

enum Flags<'a> {
    Long(&'a str),
    Short(&'a str),
    None,
}

/// Whether a word is `-abc`, and no number of a positional argument.
fn is_cluster(command: &Command, word: &str) -> bool {
    let Some(first) = word.strip_prefix('-').and_then(|rest| rest.chars().next()) else {
        return false;
    };
    !first.is_ascii_digit()
        || command
            .get_arguments()
            .any(|argument| has_short(argument, first))
}

/// `--name`, `--name=value`, `--name value`, or a command that is written as an option.
fn option<'c>(
    command: &'c Command,
    path: &str,
    long: &str,
    open: bool,
    words: &mut Words,
    report: &mut dyn FnMut(String),
) -> Option<&'c Command> {
    let (name, given) = long
        .split_once('=')
        .map_or((long, None), |(name, given)| (name, Some(given)));
    if let Some(argument) = command
        .get_arguments()
        .find(|argument| has_long(argument, name))
    {
        match given {
            Some(_) if !argument.get_action().takes_values() => {
                report(format!("'--{name}' of '{path}' takes no value."));
            }
            Some(given) => value(argument, given, open, report),
            None => values(argument, words, report),
        }
        return None;
    }
    let below = command.get_subcommands().find(|below| {
        below.get_long_flag() == Some(name)
            || below.get_all_long_flag_aliases().any(|alias| alias == name)
    });
    if below.is_some() || is_open(name) || takes_hyphens(command) {
        return below;
    }
    report(format!(
        "'{path}' has no option '--{name}'.{}",
        near("--", name, longs(command))
    ));
    None
}

/// `-abc`, `-a value`, `-avalue`.
fn cluster<'c>(
    command: &'c Command,
    path: &str,
    letters: &str,
    words: &mut Words,
    report: &mut dyn FnMut(String),
) -> Option<&'c Command> {
    for (at, letter) in letters.char_indices() {
        if let Some(argument) = command
            .get_arguments()
            .find(|argument| has_short(argument, letter))
        {
            if argument.get_action().takes_values() {
                match &letters[at + letter.len_utf8()..] {
                    "" => values(argument, words, report),
                    given => value(
                        argument,
                        given.strip_prefix('=').unwrap_or(given),
                        false,
                        report,
                    ),
                }
                return None;
            }
            continue;
        }
        let below = command.get_subcommands().find(|below| {
            below.get_short_flag() == Some(letter)
                || below
                    .get_all_short_flag_aliases()
                    .any(|alias| alias == letter)
        });
        if below.is_none() && letter.is_alphanumeric() && !takes_hyphens(command) {
            report(format!("'{path}' has no option '-{letter}'."));
        }
        return below;
    }
    None
}

/// Takes the values of an option from the words after it, as clap does: up to the next option.
fn values(argument: &Arg, words: &mut Words, report: &mut dyn FnMut(String)) {
    if !argument.get_action().takes_values() || argument.is_require_equals_set() {
        return;
    }
    let most = argument
        .get_num_args()
        .map_or(1, |range| range.max_values());
    let hyphens = argument.is_allow_hyphen_values_set();
    let number = |word: &Word| word.text[1..].starts_with(|digit: char| digit.is_ascii_digit());
    for _ in 0..most {
        let next = words.next_if(|word| {
            !word.text.starts_with('-') || hyphens || word.text == "-" || number(word)
        });
        let Some(word) = next else { return };
        value(argument, &word.text, word.open, report);
    }
}

/// Reports a value that a closed list does not hold.
fn value(argument: &Arg, text: &str, open: bool, report: &mut dyn FnMut(String)) {
    let possible = argument.get_possible_values();
    if open || is_open(text) || possible.is_empty() || !argument.get_action().takes_values() {
        return;
    }
    let ignore_case = argument.is_ignore_case_set();
    for part in text.split(|letter| Some(letter) == argument.get_value_delimiter()) {
        if !possible
            .iter()
            .any(|value| value.matches(part, ignore_case))
        {
            let near = near("", part, possible.iter().map(PossibleValue::get_name));
            report(format!(
                "'{part}' is not a value of '{}'.{near}",
                name(argument)
            ));
        }
    }
}

fn name(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_id().to_string(),
    }
}

/// The positional argument that takes the next word, after some that were taken.
fn positional(command: &Command, taken: usize) -> Option<&Arg> {
    let mut end = 0_usize;
    command
        .get_positionals()
        .filter(|argument| !argument.is_last_set())
        .find(|argument| {
            end = end.saturating_add(
                argument
                    .get_num_args()
                    .map_or(1, |range| range.max_values()),
            );
            taken < end
        })
}

fn takes_hyphens(command: &Command) -> bool {
    command
        .get_positionals()
        .any(Arg::is_allow_hyphen_values_set)
}

fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
        .filter_map(Arg::get_long)
}

fn has_long(argument: &Arg, name: &str) -> bool {
    argument.get_long() == Some(name)
        || argument
            .get_all_aliases()
            .is_some_and(|all| all.contains(&name))
}

fn has_short(argument: &Arg, letter: char) -> bool {
    argument.get_short() == Some(letter)
        || argument
            .get_all_short_aliases()
            .is_some_and(|all| all.contains(&letter))
}

fn is_open(text: &str) -> bool {
    text.contains(['<', '[', '{', '$', '*', '…'])
}

/// ` Did you mean 'x'?`, by the measure and the bound of clap itself.
fn near<'n>(prefix: &str, text: &str, names: impl Iterator<Item = &'n str>) -> String {
    names
        .map(|name| (strsim::jaro(text, name), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map_or_else(String::new, |(_, name)| {
            format!(" Did you mean '{prefix}{name}'?")
        })
}
