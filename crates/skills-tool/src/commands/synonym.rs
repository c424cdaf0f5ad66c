//! Words and options of other programs: what they are called here.

use crate::commands::line::{called, parsed, shown};
use crate::commands::option_synonym::{Corrected, corrected};
use crate::outcome::Failure;
use crate::output::one_line;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::ffi::OsString;

/// A word of another program.
struct Synonym {
    words: &'static [&'static str],
    /// The commands that do the same: the first that is there and takes the rest of the line.
    commands: &'static [&'static str],
}

const fn synonym(words: &'static [&'static str], commands: &'static [&'static str]) -> Synonym {
    Synonym { words, commands }
}

/// The words of npm, cargo, git, gh, uv, pip, apt and brew. A command of `inspect` is found without a row.
const SYNONYMS: &[Synonym] = &[
    synonym(&["rules", "why"], &["explain"]),
    synonym(&["trash"], &["restore --list", "restore"]),
    synonym(
        &[
            "remove", "rm", "r", "un", "unlink", "delete", "del", "erase", "purge",
        ],
        &["uninstall", "remove"],
    ),
    synonym(
        &["add", "i", "in", "get", "clone", "link"],
        &["install", "add"],
    ),
    synonym(&["upgrade", "up", "bump", "pull", "fetch"], &["update"]),
    synonym(&["ci"], &["install --frozen"]),
    synonym(&["sync"], &["install", "sync"]),
    synonym(&["init", "create", "generate", "scaffold"], &["new", "add"]),
    synonym(&["search", "find", "query"], &["select"]),
    synonym(&["l", "la", "ll", "dir", "tree", "status"], &["list"]),
    synonym(&["info", "view", "cat", "describe"], &["show"]),
    synonym(&["run", "exec", "x", "start"], &["chat", "run"]),
    synonym(&["use"], &["resolve"]),
    synonym(&["freeze"], &["lock"]),
    synonym(&["lint", "validate", "verify", "fmt", "format"], &["check"]),
    synonym(&["fix"], &["check --fix"]),
    synonym(&["audit"], &["powers"]),
    synonym(&["pack", "package", "build"], &["inspect bundle"]),
    synonym(&["gc", "prune", "clean", "cache"], &["inspect store gc"]),
    synonym(&["undo"], &["restore"]),
    synonym(&["revert", "reset", "checkout"], &["rollback"]),
    synonym(&["log"], &["history"]),
    synonym(&["serve", "server"], &["mcp"]),
    synonym(&["completion"], &["completions"]),
    synonym(&["approve", "allow"], &["trust"]),
    synonym(&["untrust", "distrust"], &["trust --remove"]),
    synonym(&["deactivate", "off"], &["disable"]),
    synonym(&["on"], &["enable"]),
    synonym(&["cron"], &["schedule"]),
    synonym(&["daemon"], &["schedule daemon --help"]),
    synonym(&["config", "settings", "env"], &["doctor"]),
    synonym(&["catalog"], &["prompt"]),
    synonym(&["adopt", "import", "migrate"], &["install --adopt"]),
];

/// Returns the failure for a command line of another program, with the command of this program; `None` if nothing is
/// known about the line.
pub(crate) fn meant(error: &Error, program: &mut Command, words: &[OsString]) -> Option<Failure> {
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let words: Vec<String> = words?.into_iter().map(str::to_owned).collect();
    // Deferred arguments are defined when their command is built.
    program.build();
    match error.kind() {
        ErrorKind::InvalidSubcommand => of_command(error, program, &words),
        _ => of_option(error, program, &words),
    }
}

/// Returns the failure for an option that the command does not have.
fn of_option(error: &Error, program: &mut Command, words: &[String]) -> Option<Failure> {
    let Corrected { option, line, why } = corrected(error, program, words)?;
    let command = called(program, words.iter().skip(1).map(String::as_str));
    let name = command.get_bin_name().unwrap_or("skills").to_owned();
    let fact = match option.as_str() {
        "-f" => format!("'-f' of {name} is --format, and not --force"),
        option => format!("{name} has no option '{}'", one_line(option)),
    };
    Some(Failure::failed(
        fact,
        format_args!("{}: {why}", shown(&line)),
    ))
}

/// Returns the failure for an unknown command.
fn of_command(error: &Error, program: &mut Command, words: &[String]) -> Option<Failure> {
    let ContextValue::String(unknown) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let at = words.iter().position(|word| word == unknown)?;
    let (before, rest) = words.split_at_checked(at)?;
    let above = called(program, before.iter().map(String::as_str));
    let name = above.get_bin_name().unwrap_or("skills").to_owned();
    let commands = commands_of(unknown, above);
    let mut first = None;
    for command in &commands {
        let mut line: Vec<String> = before.to_vec();
        line.extend(command.split(' ').map(str::to_owned));
        let mut whole = line.clone();
        whole.extend(rest.iter().skip(1).cloned());
        match parsed(program, &whole) {
            None => return Some(failure(&name, unknown, program, &whole)),
            Some(error) => {
                if let Some(corrected) = corrected(&error, program, &whole) {
                    return Some(failure(&name, unknown, program, &corrected.line));
                }
            }
        }
        first.get_or_insert(line);
    }
    let mut line = first?;
    line.retain(|word| !word.starts_with('-'));
    line.push("--help".to_owned());
    Some(failure(&name, unknown, program, &line))
}

/// Builds the failure for an unknown command of the command `name`. `line` is the line that is meant.
fn failure(name: &str, unknown: &str, program: &Command, line: &[String]) -> Failure {
    Failure::failed(
        format_args!("`{name}` has no command '{}'", one_line(unknown)),
        format_args!("{}: {}", shown(line), about(program, line)),
    )
}

/// Returns the commands that a word can mean, below a command.
fn commands_of(word: &str, above: &Command) -> Vec<String> {
    let is_there = |command: &&&str| {
        let first = command.split(' ').next();
        first.is_some_and(|first| above.find_subcommand(first).is_some())
    };
    let inspect = above.find_subcommand("inspect");
    if inspect.is_some_and(|inspect| inspect.find_subcommand(word).is_some()) {
        return vec![format!("inspect {word}")];
    }
    let synonyms = SYNONYMS.iter();
    let found = synonyms.filter(|synonym| synonym.words.contains(&word));
    let commands = found.flat_map(|synonym| synonym.commands.iter().filter(is_there));
    commands.map(|command| (*command).to_owned()).collect()
}

/// Returns what the command of a line does, as the end of a sentence.
fn about(program: &Command, line: &[String]) -> String {
    let about = called(program, line.iter().map(String::as_str)).get_about();
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut letters = about.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => about,
    }
}
