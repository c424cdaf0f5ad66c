//! Options of other programs: what they are called here.

mod rows;

use crate::commands::line::{called, parsed};
use crate::commands::option_synonym::rows::{Mean, ROWS, Row, TO_ALL};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// The most options of one line that are replaced.
const MOST: usize = 8;

/// The formats that other programs have: then `-f` is not the option of another program.
const FORMATS: &[&str] = &[
    "csv", "html", "jsonl", "markdown", "md", "ndjson", "plain", "raw", "table", "toml", "xml",
    "yaml", "yml",
];

/// A line in which the options of other programs are replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Corrected {
    /// The first option that was replaced, as it was typed.
    pub(super) option: String,
    /// The line, which is a call.
    pub(super) line: Vec<String>,
    /// What the first option is here.
    pub(super) why: &'static str,
}

/// An option that a command does not have.
struct Unknown {
    /// Its place in the line.
    at: usize,
    name: String,
}

/// Replaces the options that the command of a line does not have. Returns `None` if one of them is unknown, or the line
/// is not a call afterwards.
pub(super) fn corrected(
    error: &Error,
    program: &mut Command,
    words: &[String],
) -> Option<Corrected> {
    let mut found = replaced(error, program, words, 0)?;
    // `--global --agent codex` of npx skills is the folder of the person that codex reads: `--to codex`.
    let is_user = |pair: &[String]| matches!(pair, [to, user] if to == "--to" && user == "user");
    let targets = found.line.iter().filter(|word| *word == "--to").count();
    if let Some(at) = found
        .line
        .windows(2)
        .position(is_user)
        .filter(|_| targets > 1)
    {
        found.line.drain(at..at + 2);
    }
    Some(found)
}

fn replaced(
    error: &Error,
    program: &mut Command,
    words: &[String],
    depth: usize,
) -> Option<Corrected> {
    if depth == MOST {
        return None;
    }
    let mut words = words.to_vec();
    let unknown = unknown(error, &mut words)?;
    let rows = ROWS
        .iter()
        .filter(|row| row.names.contains(&&*unknown.name));
    for row in rows {
        for mean in row.means {
            let Some(line) = written(mean, row, &unknown, program, &words) else {
                continue;
            };
            let found = match parsed(program, &line) {
                None => Some(line),
                // The command does not have what was put in either.
                Some(error) if argument(&error).is_some_and(|it| mean.words.contains(&it)) => None,
                Some(error) => {
                    replaced(&error, program, &line, depth + 1).map(|further| further.line)
                }
            };
            if let Some(line) = found {
                return Some(Corrected {
                    option: unknown.name,
                    line,
                    why: mean.why,
                });
            }
        }
    }
    None
}

/// Finds the option that the error is about. Several short options in one word are separated in the line.
fn unknown(error: &Error, words: &mut Vec<String>) -> Option<Unknown> {
    let name = match error.kind() {
        ErrorKind::UnknownArgument => argument(error)?,
        ErrorKind::InvalidValue => return force(error, words),
        _ => return None,
    };
    let name = name.split('=').next().unwrap_or_default().to_owned();
    let end = words.iter().position(|word| word == "--");
    let typed = words.get(..end.unwrap_or(words.len()))?;
    let is_it = |word: &String| word.split('=').next() == Some(&*name);
    if let Some(at) = typed.iter().position(is_it) {
        return Some(Unknown { at, name });
    }
    let letter = name
        .strip_prefix('-')
        .filter(|letter| letter.chars().count() == 1)?;
    let holds_it = |word: &String| {
        let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        letters.is_some_and(|letters| {
            letters.contains(letter) && letters.chars().all(|c| c.is_ascii_alphabetic())
        })
    };
    let at = typed.iter().position(holds_it)?;
    let letters: Vec<String> = words
        .get(at)?
        .chars()
        .skip(1)
        .map(|c| format!("-{c}"))
        .collect();
    let within = letters.iter().position(|it| *it == name)?;
    words.splice(at..=at, letters);
    Some(Unknown {
        at: at + within,
        name,
    })
}

/// Finds the `-f` of a person who means `--force`: here it is `--format`.
fn force(error: &Error, words: &[String]) -> Option<Unknown> {
    const NAME: &str = "-f";
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => value.as_str(),
        _ => "",
    };
    if !argument(error)?.starts_with("--format") || FORMATS.contains(&value) {
        return None;
    }
    let at = words.iter().position(|word| word == NAME)?;
    let next = words.get(at + 1).map_or("", String::as_str);
    (next == value).then(|| Unknown {
        at,
        name: NAME.to_owned(),
    })
}

/// Returns the argument that the error is about.
fn argument(error: &Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.first().cloned(),
        _ => None,
    }
}

/// Writes a line with one of the meanings of an option; `None` if the meaning is that of another command, or the option
/// lacks its value.
fn written(
    mean: &Mean,
    row: &Row,
    unknown: &Unknown,
    program: &Command,
    words: &[String],
) -> Option<Vec<String>> {
    let command = called(program, words.iter().skip(1).map(String::as_str));
    let name = command.get_name();
    if !mean.of.is_empty() && !mean.of.contains(&name) {
        return None;
    }
    let typed = words.get(unknown.at)?;
    let attached = typed.split_once('=').map(|(_, value)| value);
    let next = words.get(unknown.at + 1).map(String::as_str);
    let next = next.filter(|next| !next.starts_with('-'));
    let (value, taken) = match (row.takes_value, attached, next) {
        (false, ..) => (None, 1),
        (true, Some(value), _) => (Some(value), 1),
        (true, None, Some(value)) => (Some(value), 2),
        (true, None, None) => return None,
    };
    // Moved to another place, the value would be read as an option.
    if value.is_some_and(|value| value.starts_with('-')) {
        return None;
    }
    let value = value.map(|value| match value {
        "*" => "all",
        "global" => "user",
        value => value,
    });
    if mean.words == "--to {}" && value == Some("all") && !TO_ALL.contains(&name) {
        return None;
    }
    let mut line = words.to_vec();
    // Removed first: the words before the command move to the end.
    line.drain(unknown.at..(unknown.at + taken).min(words.len()));
    let (instead, new_name) = match mean.words.strip_prefix('@') {
        Some(name) => ("", Some(name)),
        None => (mean.words, None),
    };
    if let Some(new_name) = new_name {
        let at = line.iter().position(|word| word == name)?;
        new_name.clone_into(line.get_mut(at)?);
        // The other command takes names, and no source.
        let is_source = |word: &String| word.contains(['/', ':']) && !word.starts_with('-');
        let mut at = 0;
        line.retain(|word| {
            at += 1;
            at == 1 || !is_source(word)
        });
    }
    let instead = instead.split(' ').filter(|word| !word.is_empty());
    let instead = instead.map(|word| match value {
        Some(value) if word == "{}" => value.to_owned(),
        _ => word.to_owned(),
    });
    let is_before = words.iter().take(unknown.at).all(|word| word != name);
    let at = if is_before { line.len() } else { unknown.at };
    let at = at.min(line.len());
    line.splice(at..at, instead);
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Arguments;
    use clap::CommandFactory as _;

    fn of(line: &str) -> Option<String> {
        let mut program = Arguments::command();
        program.build();
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = parsed(&mut program, &words)?;
        corrected(&error, &mut program, &words).map(|it| it.line.join(" "))
    }

    #[test]
    fn options_of_other_programs() {
        for (line, meant) in [
            ("skills list --json", "skills list --format json"),
            ("skills --json list", "skills list --format json"),
            ("skills add-x --json", ""),
            ("skills install a b -gy", "skills install a b --to user -y"),
            (
                "skills install a -g -a codex",
                "skills install a --to codex",
            ),
            ("skills list -f", ""),
            ("skills pin a -q", "skills pin a"),
            (
                "skills install a --agent=codex -y",
                "skills install a --to codex -y",
            ),
            ("skills install a b -a * -g", "skills install a b --to all"),
            ("skills uninstall a -f", "skills uninstall a --force"),
            ("skills restore -f a", "skills restore --yes a"),
            ("skills list -f yaml", ""),
            ("skills install ./x a --upgrade", "skills update a"),
            ("skills show a --frobnicate", ""),
            ("skills install src/s --skill=--yes", ""),
            ("skills install src/s --agent=-y", ""),
            ("skills list --dry-run", "skills list"),
            ("skills schedule remove a --dry-run", ""),
            ("skills rollback a --dry-run", ""),
            ("skills disable a -n", ""),
            ("skills pin a --dry-run", ""),
            ("skills new a --dry-run", ""),
            ("skills new a --force", ""),
            ("skills trust a --dry-run", ""),
            ("skills page --what-if", ""),
            ("skills restore --all", ""),
            ("skills restore a --agent *", ""),
            ("skills show a -- --json", ""),
        ] {
            let found = of(line).unwrap_or_default();
            assert_eq!(found, meant, "{line}");
        }
    }

    #[test]
    fn rows_are_options() {
        for row in ROWS {
            assert!(!row.means.is_empty(), "{:?}", row.names);
            for name in row.names {
                assert!(name.starts_with('-') && !name.contains(' '), "{name}");
            }
            for mean in row.means {
                assert!(!mean.why.is_empty(), "{:?}", row.names);
                assert!(
                    row.takes_value || !mean.words.contains("{}"),
                    "{:?}",
                    row.names
                );
            }
        }
    }
}
