//! Recognizes commands in a line of text: after marks, prompts and numbers, and between the operators of a shell.

use crate::powers::command;
use crate::powers::command::begins_with_program;
use crate::powers::host::is_domain;
use crate::powers::reader::Reader;
use crate::powers::script::{is_script_path, is_shell};
use crate::powers::shell::RESERVED;
use crate::powers::tables::has;
use crate::powers::tables::programs::{BUILTINS, WORDS, subcommand_words};
use crate::powers::word::{Word, names_program};

/// Returns whether words set what programs get, or run a file in the shell itself: `export PATH=x`, `. x.sh`.
pub(super) fn sets(words: &[Word]) -> bool {
    let [first, second, ..] = words else {
        return false;
    };
    match first.text.as_str() {
        "export" | "alias" | "source" => second.text.contains(['=', '/']),
        "." => second.text.contains('/') || is_script_path(&second.text),
        first => first == "trap" && second.is_quoted,
    }
}

/// Returns the text of a cell from its first command on: the whole if the cell begins as code of a shell does.
pub(super) fn cell_command<'c>(cell: &'c str, reader: &Reader) -> Option<&'c str> {
    // Of the same length, so that places stay.
    const JOINTS: [(&str, &str); 9] = [
        ("&&", "\r\r"),
        ("||", "\r\r"),
        ("$(", "\r\r"),
        ("<(", "\r\r"),
        (">(", "\r\r"),
        (" | ", " \r "),
        (" & ", " \r "),
        ("{ ", "\r "),
        (";", "\r"),
    ];
    let joints = JOINTS.iter();
    let mut joined = joints.fold(cell.to_owned(), |all, (from, to)| all.replace(from, to));
    if cell.starts_with("case ") {
        joined = joined.replace(") ", "\r ");
    }
    let first = joined.split('\r').next().unwrap_or_default();
    let begins = first.split(' ').next().unwrap_or_default();
    let is_code = has(RESERVED, begins) || has(BUILTINS, begins) || names_program(begins);
    let is_call = is_code && first.trim().contains(' ');
    let is_joined = first.len() < joined.len();
    let mut at = 0;
    for piece in joined.split('\r') {
        let mut command = without_marks(piece);
        while let Some((word, rest)) = command.split_once(' ').filter(|_| is_joined)
            && has(RESERVED, word)
        {
            command = rest.trim_start();
        }
        // `cd app && yarn`
        let is_lone = is_call && at > 0 && is_program_line(&command::of_line(command));
        if !command.contains('`') && (is_lone || is_command_line(command, reader)) {
            return cell
                .get(if is_code { 0 } else { at }..)
                .map(str::trim_start);
        }
        at += piece.len() + 1;
    }
    // `make build | bash`
    pipes_to_shell(cell).then_some(cell)
}

/// Returns whether the last command of a pipeline is a shell. A bar without spaces can stand between choices: `bash|zsh`.
pub(super) fn pipes_to_shell(code: &str) -> bool {
    let Some((before, last)) = code.rsplit_once('|') else {
        return false;
    };
    let words = command::of_line(last);
    let is_pipe =
        before.ends_with(' ') || before.contains(' ') || names_program(before) && !is_shell(before);
    is_pipe && words.len() < 3 && words.first().is_some_and(|word| is_shell(&word.text))
}

/// Returns whether a text joins commands, and one of them begins with a known program.
pub(super) fn is_joined(code: &str, reader: &Reader) -> bool {
    code.contains([';', '|', '&', '(', '{']) && cell_command(code, reader).is_some()
}

/// The most prompts, numbers and tags before a command. Each is looked for in the whole line.
const MAX_MARKS: usize = 16;

/// Returns a line without what can come before a command in a document: marks of any kind, tags of HTML, prompts, numbers.
pub(super) fn without_marks(row: &str) -> &str {
    // What begins a path, a variable or a code span is a part of the line.
    let is_mark =
        |c: char| !c.is_alphanumeric() && !matches!(c, '.' | '/' | '~' | '$' | '{' | '`' | '<');
    let mut rest = row;
    for _ in 0..MAX_MARKS {
        let before = rest;
        rest = rest.trim_start_matches(is_mark);
        rest = rest.strip_prefix("<!--").unwrap_or(rest);
        if let Some((_, after)) = rest.strip_prefix('<').and_then(|tag| tag.split_once('>')) {
            rest = after;
        }
        // `(venv) user@host:~$`
        if let Some((prompt, after)) = rest.split_once("$ ")
            && prompt.split(' ').count() < 3
        {
            rest = after;
        }
        if let Some((word, after)) = rest.split_once(' ') {
            // `sh>`, `root@host:/#`, and `1.`, `a)`, `1.2:`, `x]`
            let is_prompt = word.ends_with(['>', '%']) || word.ends_with('#') && word.contains('@');
            let number = word.trim_end_matches(['.', ')', ':', ']']);
            let is_roman = !number.is_empty() && number.chars().all(|c| "ivx".contains(c));
            let is_number = number.len() < word.len()
                && (number.chars().count() == 1
                    || is_roman
                    || number.starts_with(|c: char| c.is_ascii_digit()))
                // `[!NOTE]`
                || word.ends_with(']') && !word.contains('(')
                || word.len() > 1
                    && word.contains('.')
                    && word.chars().all(|c| c.is_ascii_digit() || c == '.');
            if is_prompt || is_number {
                rest = after;
            }
        }
        if rest == before {
            break;
        }
    }
    // Numbers and signs that no list has: `1 git push`, `λ git push`, `【1】git push`, `$git push`.
    let bare = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let is_path = rest.starts_with(['/', '.', '<', '`']) || rest.starts_with("~/");
    if !is_path && begins_with_program(bare) {
        rest = bare;
    }
    rest.trim_end_matches(['”', '’', '*', '_', ' ', '\t'])
}

/// Returns whether a line is a command: of several words, or a script of the skill. A word of English needs more: an option, or a
/// path.
pub(super) fn is_command_line(line: &str, reader: &Reader) -> bool {
    reader.has_script(line)
        || line.contains([' ', '\t']) && is_program_line(&command::of_line(line))
}

pub(super) fn is_program_line(words: &[Word]) -> bool {
    /// What a sentence has and no command: `npm is a package manager`, `git history is kept`.
    const VERBS: &str = "is are was were has have can will does";
    /// Sub-commands that end as a verb of a sentence does: `docker runs containers`.
    const ENDING_IN_S: &str =
        "status logs images ps ls plugins services providers releases secrets issues";
    let [first, rest @ ..] = words else {
        return false;
    };
    let first = first.text.as_str();
    let second = rest.first().map_or("", |word| word.text.as_str());
    if sets(words) {
        return true;
    }
    if !names_program(first) {
        return false;
    }
    if has(WORDS, first) {
        return second.starts_with(['-', '.', '/', '"', '\'', '$', '~'])
            || second.contains(['/', '='])
            || second.contains('.') && !second.ends_with('.');
    }
    // `python 3.12`
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let is_version = second.contains('.') && second.chars().all(is_part) && !is_domain(second);
    // `docker   runs the container` in a table of words, and `Git` at the beginning of a sentence.
    let is_verb = second.len() > 3 && second.ends_with('s') && !has(ENDING_IN_S, second);
    let is_sentence = subcommand_words(first) == 1
        && is_verb
        && second.chars().all(|c| c.is_ascii_lowercase())
        && rest.len() > 1;
    !second.starts_with(['—', '–', '=', ':', '→'])
        && !is_sentence
        && !is_version
        && !matches!(second, "or" | "and")
        && !rest.iter().take(3).any(|word| has(VERBS, &word.text))
        && (second.is_empty() || !first.ends_with([',', '.', ':']))
        && !first.starts_with(|c: char| c.is_ascii_uppercase())
}
