//! Reads code of a shell, command by command.

pub(crate) mod lex;

use crate::powers::command;
use crate::powers::host::{bare, hosts, is_public};
use crate::powers::reader::Reader;
use crate::powers::script;
use crate::powers::shell::lex::{Token, lex};
use crate::powers::tables::has;
use crate::powers::word::{Word, assignment, is_environment, is_secret, names_own_script, program};
use skills_format::Digest;
use skills_permit::PowerKind;

/// Words that begin or join commands.
pub(super) const RESERVED: &str = "if then elif else while until do ! { } done fi esac";
/// Words that set variables.
const SETTERS: &str = "export local declare readonly typeset set setx";
/// Words that set the variables after them.
const READERS: &str = "read mapfile readarray getopts for select";
/// Programs beside interpreters that run a file.
const RUNNERS: &str = ". source eval make java expect";
/// The most bytes of the commands before a command in a pipeline that are kept as text.
const MOST_INPUT: usize = 1024;

/// One command with what belongs to it.
#[derive(Default, PartialEq)]
struct Statement {
    words: Vec<Word>,
    documents: Vec<(String, usize)>,
    targets: Vec<Word>,
    /// The targets after `<`.
    inputs: Vec<Word>,
    /// The words after `<<<`.
    texts: Vec<Word>,
    /// The next command reads the output of this command.
    pipes: bool,
}

impl Statement {
    /// Returns the words of the command and what they are put together of: the names in `"$(cat a.md)"` too.
    fn parts(&self) -> Vec<String> {
        let words = self.words.iter().chain(&self.targets);
        let words = words.chain(&self.inputs).chain(&self.texts);
        let is_end = |c: char| c.is_whitespace() || "\"'`()<>;|&=$,".contains(c);
        let parts = words.flat_map(|word| {
            let parts = word.text.split(is_end).map(ToOwned::to_owned);
            parts.chain(word.text.contains(' ').then(|| word.text.clone()))
        });
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// Returns the words and the texts of the command: what a shell reads if the output is piped to it.
    fn text(&self) -> String {
        let words = self.words.iter().chain(&self.texts);
        let words = words.map(|word| word.text.as_str());
        let texts = self.documents.iter().map(|(text, _)| text.as_str());
        words.chain(texts).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the words of each command of a text, from the program on: without the words of a shell, settings of variables and other
/// commands before it, as in `if sudo -u x git push; then`. The commands in `$(…)` count too.
pub(super) fn commands(code: &str) -> Vec<Vec<Word>> {
    let mut reader = Reader::default();
    let (tokens, found) = lex(code, 1);
    let mut all = statements(tokens, &mut reader);
    for (code, line) in found.commands {
        all.extend(statements(lex(&code, line).0, &mut reader));
    }
    let own = all.iter().map(|statement| own_words(&statement.words));
    own.map(|words| command::strip_wrappers(words, &mut reader).to_vec())
        .filter(|words| !words.is_empty())
        .collect()
}

/// Returns the words of a command after those of the shell.
fn own_words(words: &[Word]) -> &[Word] {
    let is_reserved = |word: &Word| has(RESERVED, &word.text) && !word.is_quoted;
    let start = words.iter().position(|word| !is_reserved(word));
    &words[start.unwrap_or(words.len())..]
}

/// Reads code of a shell whose first line has a number.
pub(super) fn read(code: &str, line: usize, reader: &mut Reader) {
    reader.code = Digest::of(code.as_bytes()).to_string();
    let (tokens, found) = lex(code, line);
    if found.is_open {
        reader.opaque("code of a shell that does not end", code.as_bytes(), line);
    }
    let (mut input, mut pipeline) = (String::new(), Vec::new());
    for statement in &statements(tokens, reader) {
        statement_of(statement, &input, reader);
        pipeline.extend(statement.parts());
        if !statement.pipes {
            run_by(&std::mem::take(&mut pipeline), reader);
        }
        // A pipeline can have any number of commands.
        if input.len() > MOST_INPUT {
            input = Digest::of(input.as_bytes()).to_string();
        }
        input = if statement.pipes {
            format!("{input} {}", statement.text())
        } else {
            String::new()
        };
    }
    for (name, line) in found.variables {
        // Code can set a secret of the environment after its use.
        let is_own = reader.assigned.contains(&name) && !is_secret(&name);
        if !is_own && is_environment(&name) {
            reader.add(PowerKind::Variables, name, line);
        }
    }
    for (code, line) in found.indirect {
        reader.unreadable(&format!("variable ${{{code}}}"), line);
    }
    for (code, line) in found.commands {
        reader.shell(code, line);
    }
}

/// Reads code of a shell that a text has, later, and names its lines.
pub(super) fn called(code: String, line: usize, reader: &mut Reader) {
    calls(&code, line, reader);
    reader.shell(code, line);
}

/// Names each line of code that a shell reads. What a command does can stand in any of its words, so that a comparison names each
/// line that is new.
pub(super) fn calls(code: &str, line: usize, reader: &mut Reader) {
    if !reader.has_calls {
        return;
    }
    let code = plain(code);
    let mut rows = code.split('\n').enumerate();
    while let Some((at, row)) = rows.next() {
        let mut row = row.to_owned();
        while row.ends_with('\\')
            && let Some((_, next)) = rows.next()
        {
            row.push('\n');
            row.push_str(next);
        }
        reader.call(&row, line + at);
    }
}

/// Returns code without comments, and without the blanks around its lines, if a shell reads the same without them. To a shell only
/// the space and the tab are blanks.
fn plain(code: &str) -> String {
    let code = code.replace("\r\n", "\n");
    // What ends a document is a whole line.
    if code.contains("<<") || code.contains('\r') {
        return code;
    }
    let is_comment = |row: &str| row.starts_with('#') && !row.starts_with("#!");
    let rows = code.split('\n').map(|row| row.trim_matches([' ', '\t']));
    let rows = rows.map(|row| if is_comment(row) { "" } else { row });
    let bare = rows.collect::<Vec<_>>().join("\n");
    let read = |code: &str| statements(lex(code, 1).0, &mut Reader::default());
    if read(&bare) == read(&code) {
        bare
    } else {
        code
    }
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
            Token::Word(word, _) => match redirect.take() {
                None => now.words.push(word),
                Some("<<<") => now.texts.push(word),
                Some(operator) => {
                    now.inputs.extend((operator == "<").then(|| word.clone()));
                    now.targets.push(word);
                }
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

/// Reads a command that gets the output of the commands before it in its pipeline.
fn statement_of(statement: &Statement, input: &str, reader: &mut Reader) {
    let words = own_words(&statement.words);
    for word in statement.targets.iter().chain(&statement.texts) {
        command::paths(&word.text, word.line, reader);
    }
    let first = words.first().map_or("", |word| word.text.as_str());
    assignments(first, words, reader);
    let interpreter = interpreter_of(words);
    documents(statement, interpreter.as_deref(), reader);
    if let Some(interpreter) = &interpreter {
        for text in &statement.texts {
            command::inner(interpreter, text, reader);
        }
    }
    match first {
        "for" | "select" | "case" => return,
        "function" => {
            let name = words.get(1).map(|word| word.text.clone());
            reader.functions.extend(name);
            let body = own_words(words.get(2..).unwrap_or_default());
            return command::read(body, input, reader);
        }
        "alias" | "trap" => {
            for word in words[1..].iter().filter(|word| word.is_quoted) {
                let value = word.text.split_once('=').filter(|_| first == "alias");
                let code = value.map_or(word.text.as_str(), |(_, code)| code);
                reader.shell(code.to_owned(), word.line);
            }
        }
        _ => {}
    }
    command::read(words, input, reader);
}

/// Notes the files that a pipeline with an interpreter names, in whatever form: each can be what is run. What stands after a script
/// is for the script.
fn run_by(parts: &[String], reader: &mut Reader) {
    let is_runner = |part: &String| {
        let program = program(part);
        script::is_interpreter(&program) || has(RUNNERS, &program)
    };
    let Some(runner) = parts.iter().find(|part| is_runner(part)) else {
        return;
    };
    let runner = program(runner);
    let script = parts.iter().position(|part| names_own_script(part));
    let named = script.map_or(parts, |at| &parts[..=at]);
    for name in named.iter().filter_map(|part| command::ran(part)) {
        reader.runs.entry(name).or_insert_with(|| runner.clone());
    }
}

fn interpreter_of(words: &[Word]) -> Option<String> {
    let words = command::strip_wrappers(words, &mut Reader::default());
    let program = program(&words.first()?.text);
    if has(command::RUN_INPUT, &program) {
        return Some("sh".to_owned());
    }
    script::is_interpreter(&program).then_some(program)
}

/// Reads the here-documents of a statement: as code if an interpreter gets them, or if they become a script. The addresses in
/// other documents are read as those of any text.
fn documents(statement: &Statement, interpreter: Option<&str>, reader: &mut Reader) {
    let target = statement.targets.first().map_or("", |word| &word.text);
    for (text, line) in &statement.documents {
        if let Some(interpreter) = interpreter
            .map(ToOwned::to_owned)
            .or_else(|| script::interpreter(target, text))
        {
            let code = Word {
                text: text.clone(),
                line: *line,
                ..Word::default()
            };
            command::inner(&interpreter, &code, reader);
        }
    }
}

fn assignments(first: &str, words: &[Word], reader: &mut Reader) {
    if has(READERS, first) {
        let names = words[1..].iter().map(|word| word.text.clone());
        let is_one = matches!(first, "for" | "select");
        reader
            .assigned
            .extend(names.take(if is_one { 1 } else { words.len() }));
    }
    let is_setter = has(SETTERS, first);
    let has_command = words.iter().any(|word| assignment(&word.text).is_none());
    for word in words {
        let Some((name, value)) = assignment(&word.text) else {
            if is_setter {
                continue;
            }
            return;
        };
        reader.assigned.insert(name.to_owned());
        // Other programs get it: `export LD_PRELOAD=a.so`, `NO_PROXY=a.org curl …`.
        let is_given = matches!(first, "export" | "setx") || !is_setter && has_command;
        if is_given && is_environment(name) {
            reader.add(PowerKind::Variables, name, word.line);
        }
        // A value is more often a file than a host: `LLVM_PROFILE_FILE=fuzz.profraw`.
        let is_host = |host: &String| {
            is_public(host) || host == "localhost" || !host.ends_with(char::is_alphabetic)
        };
        for host in hosts(value).into_iter().chain(bare(value).filter(is_host)) {
            reader.add(PowerKind::Hosts, host, word.line);
        }
        command::paths(value, word.line, reader);
    }
}
