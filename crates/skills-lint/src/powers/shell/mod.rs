//! Reads code of a shell, command by command.

pub(crate) mod lex;

use crate::powers::command;
use crate::powers::host::devices;
use crate::powers::reader::Reader;
use crate::powers::script;
use crate::powers::shell::lex::{Token, lex};
use crate::powers::tables::has;
use crate::powers::word::{Word, assignment, is_environment, program};
use skills_permit::PowerKind;
use std::collections::BTreeMap;

/// Words that begin or join commands.
const RESERVED: &str = "if then elif else while until do ! { } time coproc done fi esac";
/// Words that set variables.
const SETTERS: &str = "export local declare readonly typeset set setx";
/// One command with what belongs to it.
#[derive(Default)]
struct Statement {
    words: Vec<Word>,
    /// The offsets of the ends of the words.
    ends: Vec<usize>,
    documents: Vec<(String, usize)>,
    targets: Vec<Word>,
    /// The words after `<<<`.
    texts: Vec<Word>,
    /// The next command reads the output of this command.
    pipes: bool,
}

impl Statement {
    /// Returns the words and the texts of the command: what a shell reads if the output is piped to it.
    fn text(&self) -> String {
        let words = self.words.iter().chain(&self.texts);
        let words = words.map(|word| word.text.as_str());
        let texts = self.documents.iter().map(|(text, _)| text.as_str());
        words.chain(texts).collect::<Vec<_>>().join(" ")
    }
}

/// Reads code of a shell whose first line has a number.
pub(super) fn read(code: &str, line: usize, reader: &mut Reader) {
    let joined = code
        .contains("${{")
        .then(|| expressions(code, line, reader));
    let code = joined.as_deref().unwrap_or(code);
    let (tokens, found) = lex(code, line);
    if found.is_open {
        reader.opaque("code of a shell that does not end", code.as_bytes(), line);
    }
    let statements = statements(tokens, reader);
    let mut set = BTreeMap::new();
    let mut input = String::new();
    for statement in &statements {
        statement_of(statement, &input, &mut set, reader);
        input = if statement.pipes {
            format!("{input} {}", statement.text())
        } else {
            String::new()
        };
    }
    for (name, offset, line) in found.variables {
        let is_set = set.get(&name).is_some_and(|end| *end <= offset);
        if !is_set && !reader.assigned.contains(&name) && is_environment(&name) {
            reader.add(PowerKind::Variables, name, line);
        }
    }
    reader.assigned.extend(set.into_keys());
    for (code, line) in found.indirect {
        reader.unreadable(&format!("variable ${{{code}}}"), line);
    }
    for (at, host) in devices(code) {
        let line = line + code.get(..at).unwrap_or_default().matches('\n').count();
        reader.add(PowerKind::Hosts, host, line);
    }
    for (code, line) in found.commands {
        reader.shell(code, line);
    }
}

/// Reads the secrets of the expressions of a workflow of GitHub: `${{ secrets.TOKEN }}`. Returns the code with each
/// expression as one word.
fn expressions(code: &str, line: usize, reader: &mut Reader) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("${{") {
        out.push_str(before);
        let inside = after.split_once("}}");
        let Some((inside, after)) = inside.filter(|(inside, _)| !inside.contains('\n')) else {
            out.push_str("${{");
            rest = after;
            continue;
        };
        let line = line + out.matches('\n').count();
        for name in secrets(inside) {
            reader.add(PowerKind::Variables, name, line);
        }
        let word = inside.split_whitespace().collect::<String>();
        out.push_str("${{");
        out.push_str(&word);
        out.push_str("}}");
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns the names of the secrets in an expression of a workflow.
pub(super) fn secrets(expression: &str) -> impl Iterator<Item = &str> {
    expression.split("secrets.").skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    })
}

fn statements(tokens: Vec<Token>, reader: &mut Reader) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut now = Statement::default();
    let mut depth = 0_usize;
    let mut redirect: Option<&'static str> = None;
    let mut last_open = false;
    for token in tokens {
        let was_open = std::mem::take(&mut last_open);
        match token {
            Token::Word(word, end) => match redirect.take() {
                // `npm test / cargo test`: documents write alternatives in this way.
                None if word.text == "/" && !word.is_quoted && is_build(&now.words) => {
                    all.push(std::mem::take(&mut now));
                }
                None => {
                    now.words.push(word);
                    now.ends.push(end);
                }
                Some("<<<") => now.texts.push(word),
                Some(_) => now.targets.push(word),
            },
            Token::Document { text, line } => now.documents.push((text, line)),
            Token::Operator(operator @ ("<" | ">" | "<<<")) => redirect = Some(operator),
            Token::Operator("(") => {
                depth += 1;
                last_open = true;
                if now.words.len() == 1 {
                    continue;
                }
                all.push(std::mem::take(&mut now));
            }
            Token::Operator(")") => {
                if was_open && let Some(name) = now.words.first() {
                    reader.functions.insert(name.text.clone());
                    now = Statement::default();
                } else if depth == 0 {
                    // The patterns of a `case`: `a|b)`.
                    now = Statement::default();
                    while all
                        .last()
                        .is_some_and(|before: &Statement| before.pipes && before.words.len() == 1)
                    {
                        all.pop();
                    }
                } else {
                    all.push(std::mem::take(&mut now));
                }
                depth = depth.saturating_sub(1);
            }
            Token::Operator(operator) => {
                redirect = None;
                now.pipes = operator == "|";
                all.push(std::mem::take(&mut now));
            }
        }
    }
    all.push(now);
    all.retain(|it| !it.words.is_empty() || !it.documents.is_empty() || !it.targets.is_empty());
    all
}

/// Returns whether words are a command of a build or of tests, which gets no folder `/` but after an option.
fn is_build(words: &[Word]) -> bool {
    const PROGRAMS: &str =
        "npm pnpm yarn bun cargo pytest go make mvn gradle dotnet swift mix rake bundle";
    let is_after_option = words.last().is_some_and(|word| word.text.starts_with('-'));
    !is_after_option && words.first().is_some_and(|word| has(PROGRAMS, &word.text))
}

/// Reads a command that gets the output of the commands before it in its pipeline.
fn statement_of(
    statement: &Statement,
    input: &str,
    set: &mut BTreeMap<String, usize>,
    reader: &mut Reader,
) {
    let words: Vec<Word> = statement
        .words
        .iter()
        .map(|word| expanded(word, reader))
        .collect();
    let mut start = 0;
    while words
        .get(start)
        .is_some_and(|word| has(RESERVED, &word.text) && !word.is_quoted)
    {
        start += 1;
    }
    for target in &statement.targets {
        let target = expanded(target, reader);
        command::paths(&target.text, target.line, reader);
    }
    let words = words.get(start..).unwrap_or_default();
    let ends = statement.ends.get(start..).unwrap_or_default();
    assignments(words, ends, set, reader);
    let interpreter = interpreter_of(words);
    documents(statement, interpreter.as_deref(), reader);
    for text in &statement.texts {
        command::paths(&text.text, text.line, reader);
        if let Some(interpreter) = &interpreter {
            command::inner(interpreter, &expanded(text, reader), reader);
        }
    }
    let first = words.first().map_or("", |word| word.text.as_str());
    match first {
        "for" | "select" | "case" => return,
        "function" => {
            reader
                .functions
                .extend(words.get(1).map(|word| word.text.clone()));
            return;
        }
        "alias" | "trap" => {
            for word in words.iter().skip(1).filter(|word| word.is_quoted) {
                let code = word
                    .text
                    .split_once('=')
                    .filter(|_| first == "alias")
                    .map_or(word.text.as_str(), |(_, code)| code);
                command::inner(
                    "sh",
                    &Word {
                        text: code.to_owned(),
                        ..word.clone()
                    },
                    reader,
                );
            }
        }
        _ => {}
    }
    command::read(words, input, reader);
}

fn interpreter_of(words: &[Word]) -> Option<String> {
    let mut words = words.iter().map(|word| program(&word.text));
    let program = words.find(|word| {
        !matches!(
            word.as_str(),
            "sudo" | "env" | "exec" | "nohup" | "if" | "then" | "do" | "{"
        ) && assignment(word).is_none()
    })?;
    script::is_interpreter(&program).then_some(program)
}

/// Reads the here-documents of a statement: as code if an interpreter gets them, or if they become a script.
fn documents(statement: &Statement, interpreter: Option<&str>, reader: &mut Reader) {
    for (text, line) in &statement.documents {
        let target = statement
            .targets
            .first()
            .map_or("", |word| word.text.as_str());
        let by_target = script::interpreter(target, text);
        // The addresses in a document that nothing runs are read as those of any text.
        if let Some(interpreter) = interpreter.or(by_target.as_deref()) {
            let code = Word {
                text: text.clone(),
                line: *line,
                is_quoted: true,
                ..Word::default()
            };
            command::inner(interpreter, &code, reader);
        }
    }
}

fn assignments(
    words: &[Word],
    ends: &[usize],
    set: &mut BTreeMap<String, usize>,
    reader: &mut Reader,
) {
    let first = words.first().map_or("", |word| word.text.as_str());
    let is_setter = has(SETTERS, first);
    let has_command = words.iter().any(|word| assignment(&word.text).is_none());
    for (index, (word, end)) in words.iter().zip(ends).enumerate() {
        let Some((name, value)) = assignment(&word.text) else {
            match first {
                "read" | "mapfile" | "readarray" | "getopts" if index > 0 => {
                    set.entry(word.text.clone()).or_insert(*end);
                }
                "for" | "select" if index == 1 => {
                    set.entry(word.text.clone()).or_insert(*end);
                }
                _ if is_setter => continue,
                _ if index == 0 => {}
                _ => continue,
            }
            if index == 0
                && !is_setter
                && !matches!(
                    first,
                    "read" | "mapfile" | "readarray" | "getopts" | "for" | "select"
                )
            {
                break;
            }
            continue;
        };
        set.entry(name.to_owned()).or_insert(*end);
        // Other programs get it: `export LD_PRELOAD=a.so`, `NO_PROXY=a.org curl …`.
        let is_given = matches!(first, "export" | "setx") || !is_setter && has_command;
        if is_given && is_environment(name) {
            reader.add(PowerKind::Variables, name, word.line);
        }
        for (_, host) in crate::powers::host::hosts(value) {
            reader.add(PowerKind::Hosts, host, word.line);
        }
        command::paths(value, word.line, reader);
        if word
            .text
            .split_once('=')
            .is_some_and(|(name, _)| name.ends_with('+'))
        {
            let old = reader.values.get(name).cloned();
            if let Some(old) = old.filter(|_| !word.is_computed) {
                reader.values.insert(name.to_owned(), old + value);
            }
        } else if word.is_computed {
            reader.values.remove(name);
        } else {
            reader.values.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// Returns a word with the variables whose values are known.
fn expanded(word: &Word, reader: &Reader) -> Word {
    if !word.is_computed || reader.values.is_empty() || assignment_of_itself(word) {
        return word.clone();
    }
    let mut text = String::new();
    let mut rest = word.text.as_str();
    let mut is_computed = false;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let after = after.get(1..).unwrap_or_default();
        let (name, length) = if let Some(inside) = after.strip_prefix('{') {
            let end = inside.find('}').unwrap_or(inside.len());
            (
                inside.get(..end).unwrap_or_default(),
                (end + 2).min(after.len()),
            )
        } else {
            let end = after
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(after.len());
            (after.get(..end).unwrap_or_default(), end)
        };
        if let Some(value) = reader.values.get(name) {
            text.push_str(value);
        } else {
            text.push('$');
            text.push_str(after.get(..length).unwrap_or_default());
            is_computed = true;
        }
        rest = after.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    is_computed |= rest.contains('`') || text.contains('`');
    Word {
        text,
        is_computed,
        ..word.clone()
    }
}

fn assignment_of_itself(word: &Word) -> bool {
    assignment(&word.text).is_some_and(|(name, value)| value.contains(&format!("${name}")))
}
