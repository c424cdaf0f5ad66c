//! Words and options of other programs: what they are called here.

use crate::commands::line::called;
use crate::outcome::Failure;
use crate::output::one_line;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use skills_format::text::command::shell_word;
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
    synonym(&["mv"], &["move"]),
    synonym(&["serve", "server"], &["mcp"]),
    synonym(&["completion"], &["completions"]),
    synonym(&["approve", "allow"], &["trust"]),
    synonym(&["untrust", "distrust"], &["trust --remove"]),
    synonym(&["deactivate", "off"], &["disable"]),
    synonym(&["on"], &["enable"]),
    synonym(&["cron"], &["schedule"]),
    synonym(&["catalog"], &["prompt"]),
    synonym(&["adopt", "import", "migrate"], &["install --adopt"]),
];

/// Returns the failure for a command line of another program, with the command of this program; `None` if nothing is
/// known about the line.
pub(crate) fn meant(error: &Error, program: &mut Command, words: &[OsString]) -> Option<Failure> {
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    match (error.kind(), words) {
        (ErrorKind::InvalidSubcommand, Some(words)) => of_command(error, program, &words),
        _ => None,
    }
}

/// Returns the failure for an unknown command.
fn of_command(error: &Error, program: &mut Command, words: &[&str]) -> Option<Failure> {
    let ContextValue::String(unknown) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let at = words.iter().position(|word| word == unknown)?;
    let (before, rest) = words.split_at_checked(at)?;
    // Deferred arguments are defined when their command is built.
    program.build();
    let above = called(program, before.iter().copied());
    let name = above.get_bin_name().unwrap_or("skills").to_owned();
    let commands = commands_of(unknown, above);
    let mut first = None;
    for command in &commands {
        let line: Vec<&str> = before.iter().copied().chain(command.split(' ')).collect();
        let whole: Vec<&str> = line.iter().chain(rest.iter().skip(1)).copied().collect();
        if is_call(program, &whole) {
            return Some(failure(&name, unknown, program, &whole));
        }
        first.get_or_insert(line);
    }
    let mut line = first?;
    line.retain(|word| !word.starts_with('-'));
    line.push("--help");
    Some(failure(&name, unknown, program, &line))
}

/// Builds the failure for an unknown command of the command `name`. `line` is the line that is meant.
fn failure(name: &str, unknown: &str, program: &Command, line: &[&str]) -> Failure {
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
fn about(program: &Command, line: &[&str]) -> String {
    let about = called(program, line.iter().copied()).get_about();
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut letters = about.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => about,
    }
}

/// Returns whether a line is a call, or asks for help.
fn is_call(program: &mut Command, line: &[&str]) -> bool {
    match program.try_get_matches_from_mut(line) {
        Ok(_) => true,
        Err(error) => matches!(
            error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ),
    }
}

/// Formats a line as a person types it.
fn shown(line: &[&str]) -> String {
    let words: Vec<String> = line.iter().skip(1).map(|word| shell_word(word)).collect();
    format!("`skills {}`", one_line(&words.join(" ")))
}
