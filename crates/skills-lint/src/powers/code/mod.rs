//! Reads scripts that are no shell, by their texts and by the functions that they call.

mod skeleton;

use crate::powers::code::skeleton::{MARK, Skeleton, Text};
use crate::powers::command::{self, Input};
use crate::powers::host::{authority, bare, hosts};
use crate::powers::outside::outside;
use crate::powers::package;
use crate::powers::reader::{Reader, excerpt};
use crate::powers::script;
use crate::powers::tables::{Effect, FUNCTIONS, PROGRAMS, has};
use crate::powers::word::{Word, begins_with_program, is_environment, program};
use skills_format::PowerKind;
use skills_format::power::cover::EVERY_VARIABLE;
use std::collections::BTreeMap;

/// The most bytes of the arguments of a call that are read.
const MAX_ARGUMENTS: usize = 4000;
/// The fewest bytes of a text that is decoded, to count as hidden code.
const MIN_ENCODED: usize = 12;

/// Reads a script whose first line has a number.
pub(super) fn read(language: &str, source: &str, line: usize, reader: &mut Reader<'_>) {
    let skeleton = Skeleton::new(language, source, line);
    let script = Script {
        language,
        names: names(&skeleton),
        skeleton: &skeleton,
    };
    texts(&script, reader);
    script.calls(reader);
    script.members(reader);
    dependencies(source, line, reader);
    if language == "ruby" || language == "perl" || language == "php" {
        backquotes(&script, reader);
    }
}

struct Script<'s> {
    language: &'s str,
    skeleton: &'s Skeleton,
    /// Other names of functions and modules: `import subprocess as sp`.
    names: BTreeMap<String, String>,
}

/// Adds what stands in the texts of a script: hosts, paths, commands as lists.
fn texts(script: &Script<'_>, reader: &mut Reader<'_>) {
    for text in script.skeleton.texts.iter().filter(|text| !text.is_comment) {
        for (at, host) in hosts(&text.value) {
            reader.add(PowerKind::Hosts, host, text.line + lines(&text.value, at));
        }
        let trimmed = text.value.trim(); // No program of JavaScript puts the home folder in: `~/utils` is a module there, and `~/.ssh` is a shell's.
        let is_alias = script.language == "javascript"
            && trimmed.starts_with("~/")
            && !trimmed.starts_with("~/.");
        if trimmed.len() < 400
            && !trimmed.contains("://")
            && trimmed != "/"
            && trimmed != "~"
            && !is_alias
        {
            if let Some(path) =
                outside(trimmed).filter(|path| path != "/" && !trimmed.contains([' ', '\n']))
            {
                reader.add(PowerKind::Files, path, text.line);
            } else if trimmed.contains(' ') && trimmed.contains(['/', '~']) {
                command::paths(trimmed, text.line, reader);
            }
        }
        let is_header = trimmed.starts_with("#!") && trimmed.contains('\n');
        if let Some((language, _)) = script::language("", trimmed).filter(|_| is_header) {
            command::inner(language, &word(text), reader);
        }
    }
    lists(script, reader);
    markup(script, reader);
}

/// Addresses in HTML stand in texts with quotation marks too; addresses without are not read.
fn markup(script: &Script<'_>, reader: &mut Reader<'_>) {
    for (at, host) in hosts(&script.skeleton.code) {
        reader.add(PowerKind::Hosts, host, script.skeleton.line(at));
    }
}

fn lines(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count()
}

/// Reads lists of texts that begin with a known program: `["git", "push"]`, wherever they are given to.
fn lists(script: &Script<'_>, reader: &mut Reader<'_>) {
    let code = &script.skeleton.code;
    for (at, _) in code.match_indices(['[', '(']) {
        let rest = code.get(at + 1..).unwrap_or_default();
        let Some((first, _)) = script.skeleton.text_at(rest.trim_start()) else {
            continue;
        };
        let name = program(&first.value);
        let is_list = code.get(at..).is_some_and(|it| it.starts_with('['));
        if is_list && has(PROGRAMS, &name) {
            let words = script.words(inside(rest, '[', ']'), first.line);
            if words.len() > 1 {
                command::read(&words, Input::Open, reader);
            }
        }
    }
}

/// Returns the code up to the bracket that closes.
fn inside(code: &str, open: char, close: char) -> &str {
    let mut depth = 1_usize;
    for (at, c) in code.char_indices().take(MAX_ARGUMENTS) {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return code.get(..at).unwrap_or_default();
            }
        }
    }
    let end = code
        .char_indices()
        .nth(MAX_ARGUMENTS)
        .map_or(code.len(), |(at, _)| at);
    code.get(..end).unwrap_or_default()
}

fn word(text: &Text) -> Word {
    Word {
        text: text.value.clone(),
        line: text.line,
        is_computed: text.is_computed,
        is_quoted: true,
    }
}

impl Script<'_> {
    /// Reads the elements of a list as the words of a command.
    fn words(&self, list: &str, line: usize) -> Vec<Word> {
        let mut words = Vec::new();
        for part in split(list) {
            let part = part.trim();
            let shown = |text: &str| Word {
                text: text.to_owned(),
                line,
                is_computed: true,
                is_quoted: true,
            };
            match self.skeleton.text_at(part) {
                Some((text, length)) if part.len() == length => words.push(word(text)),
                Some((text, _)) => words.push(Word {
                    is_computed: true,
                    ..word(text)
                }),
                None if part.starts_with("sys.executable") => words.push(Word {
                    is_computed: false,
                    ..shown("python3")
                }),
                None if part.starts_with("process.execPath") => words.push(Word {
                    is_computed: false,
                    ..shown("node")
                }),
                None if part.is_empty() => {}
                None => match self.value(part) {
                    Some(text) => words.push(word(text)),
                    None => words.push(shown(&format!("${}", self.shown(part)))),
                },
            }
        }
        words
    }

    /// Returns the text that a name was set to.
    fn value(&self, name: &str) -> Option<&Text> {
        self.assigned(name).into_iter().find_map(|code| {
            let (text, _) = self.skeleton.text_at(code)?;
            Some(text)
        })
    }

    /// Returns the code after each assignment to a name.
    fn assigned(&self, name: &str) -> Vec<&str> {
        let name = name
            .trim()
            .trim_start_matches('*')
            .trim_start_matches("...");
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
        if !is_name || name.chars().all(|c| c.is_ascii_digit()) {
            return Vec::new();
        }
        let code = self.skeleton.code.as_str();
        let found = code.match_indices(name).filter_map(|(at, _)| {
            let before = code.get(..at)?.chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$')) {
                return None;
            }
            let rest = code.get(at + name.len()..)?.trim_start();
            // `url: str = "…"`, `url := "…"`.
            let rest = match rest.strip_prefix(':') {
                Some(rest) if !rest.starts_with('=') => {
                    rest.get(rest.find('=').filter(|end| *end < 40)?..)?
                }
                Some(rest) => rest,
                None => rest,
            };
            let value = rest.strip_prefix('=')?;
            (!value.starts_with('='))
                .then(|| value.trim_start_matches([' ', '\t', '(', '\n', 'r', 'f', 'b']))
        });
        found.collect()
    }

    /// Returns code with its texts, as one short line.
    fn shown(&self, code: &str) -> String {
        let mut out = String::new();
        let mut rest = code;
        while let Some(at) = rest.find(MARK) {
            let (before, after) = rest.split_at(at);
            out.push_str(before);
            match self.skeleton.text_at(after) {
                Some((text, length)) => {
                    out.push('"');
                    out.push_str(&text.value);
                    out.push('"');
                    rest = after.get(length..).unwrap_or_default();
                }
                None => rest = after.get(1..).unwrap_or_default(),
            }
        }
        out.push_str(rest);
        excerpt(&out)
    }

    /// Reads the calls of known functions.
    fn calls(&self, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        self.known_calls(code, reader);
        for (name, meaning) in &self.names {
            for (function, effect) in FUNCTIONS {
                if let Some(rest) = function.strip_prefix(meaning.as_str())
                    && (rest.starts_with('.') || rest == "(" || rest == "[")
                {
                    self.calls_as(code, &format!("{name}{rest}"), function, *effect, reader);
                }
            }
            if matches!(meaning.as_str(), "exec" | "eval" | "compile" | "__import__") {
                self.calls_as(code, &format!("{name}("), "eval(", Effect::Hide, reader);
            }
        }
        let exec = if self.language == "python" {
            Effect::Hide
        } else {
            Effect::Run
        };
        self.calls_as(code, "exec(", "exec(", exec, reader);
        if self.language == "javascript" {
            self.calls_as(code, "require(", "require(", Effect::Hide, reader);
            self.calls_as(code, "import(", "import(", Effect::Hide, reader);
            self.templates(code, reader);
        }
    }

    /// Reads the calls of functions under their own names. Functions that end with a bracket are found by the word before
    /// the bracket: a search for each of the functions would read the script hundreds of times.
    fn known_calls(&self, code: &str, reader: &mut Reader<'_>) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '!' || c == '$';
        let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, (function, effect)) in FUNCTIONS.iter().enumerate() {
            match function
                .strip_suffix(['(', '[', '{'])
                .filter(|name| name.ends_with(is_word))
            {
                Some(name) => by_word.entry(last_word(name)).or_default().push(index),
                None => self.calls_as(code, function, function, *effect, reader),
            }
        }
        for (at, bracket) in code.match_indices(['(', '[', '{']) {
            let Some(indexes) = by_word.get(last_word(code.get(..at).unwrap_or_default())) else {
                continue;
            };
            for (function, effect) in indexes.iter().filter_map(|index| FUNCTIONS.get(*index)) {
                let end = at + bracket.len();
                if code
                    .get(..end)
                    .is_some_and(|before| before.ends_with(function))
                {
                    self.call_at(
                        code,
                        end - function.len(),
                        (function, function),
                        *effect,
                        reader,
                    );
                }
            }
        }
    }

    fn calls_as(
        &self,
        code: &str,
        name: &str,
        function: &str,
        effect: Effect,
        reader: &mut Reader<'_>,
    ) {
        for (at, _) in code.match_indices(name) {
            self.call_at(code, at, (name, function), effect, reader);
        }
    }

    fn call_at(
        &self,
        code: &str,
        at: usize,
        (name, function): (&str, &str),
        effect: Effect,
        reader: &mut Reader<'_>,
    ) {
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        let is_part = !name.starts_with('.')
            && before.is_some_and(|c| {
                c.is_alphanumeric() || c == '_' || c == '.' && !is_module(code, at, name)
            });
        if !is_part && !is_definition(code, at) {
            let arguments = code.get(at + name.len()..).unwrap_or_default();
            self.call(function, effect, arguments, self.skeleton.line(at), reader);
        }
    }

    fn call(
        &self,
        function: &str,
        effect: Effect,
        arguments: &str,
        line: usize,
        reader: &mut Reader<'_>,
    ) {
        let (open, close) = match function.chars().next_back() {
            Some('[') => ('[', ']'),
            Some('{') => ('{', '}'),
            _ => ('(', ')'),
        };
        let all = inside(arguments, open, close);
        let first = split(all).into_iter().next().unwrap_or_default().trim();
        let shown = || format!("{function}{}{close}", self.shown(all));
        match effect {
            Effect::Run => self.run(first, all, &shown(), line, reader),
            Effect::Variable => match self.text(first) {
                Some(text) if !text.is_computed => {
                    if is_environment(&text.value.to_ascii_uppercase()) {
                        reader.add(PowerKind::Variables, text.value.clone(), line);
                    }
                }
                // `ENV{NAME}` has a bare name, and a computed name can be any.
                _ if close == '}' => reader.add(PowerKind::Variables, first.to_owned(), line),
                _ => reader.add(PowerKind::Variables, EVERY_VARIABLE, line),
            },
            Effect::Reach => self.reach(function, first, all, line, reader),
            Effect::Hide => {
                let is_named = matches!(
                    function,
                    "require("
                        | "import("
                        | "importlib.import_module("
                        | "import_module("
                        | "__import__("
                        | "compile("
                        | "Function("
                );
                let text = self.text(first);
                let is_plain = text.is_some_and(|text| !text.is_computed)
                    && is_named
                    && function != "Function("
                    && self
                        .skeleton
                        .text_at(first)
                        .is_some_and(|(_, length)| length == first.len())
                    || function == "compile(" && self.language != "python"
                    || function == "Function(" && self.language != "javascript";
                if !is_plain && (!first.is_empty() || !function.ends_with(['(', '['])) {
                    reader.unreadable(&shown(), line);
                }
            }
            Effect::Decode => {
                let text = self.text(first).or_else(|| {
                    all.find(MARK)
                        .and_then(|at| self.skeleton.text_at(all.get(at..)?))
                        .map(|(text, _)| text)
                });
                let is_text = text.is_some_and(|text| {
                    text.value.len() >= MIN_ENCODED && !text.value.contains(' ')
                });
                let is_numbers = all.split(',').count() >= MIN_ENCODED
                    && all.chars().all(|c| {
                        c.is_ascii_hexdigit()
                            || matches!(c, ',' | ' ' | '\n' | 'x' | '[' | ']' | '.')
                    });
                if is_text || is_numbers || function == "map(chr" {
                    reader.unreadable(&shown(), line);
                }
            }
        }
    }

    /// Returns the text of an argument: written there, or that of a name.
    fn text(&self, argument: &str) -> Option<&Text> {
        let argument = argument.trim();
        match self.skeleton.text_at(argument) {
            Some((text, _)) => Some(text),
            None => self.value(argument),
        }
    }

    fn run(&self, first: &str, all: &str, shown: &str, line: usize, reader: &mut Reader<'_>) {
        if first.is_empty() {
            return;
        }
        let list = first.strip_prefix('[').or_else(|| first.strip_prefix("&["));
        if let Some(list) = list {
            return command_of(&self.words(inside(list, '[', ']'), line), shown, reader);
        }
        if let Some((text, length)) = self.skeleton.text_at(first) {
            if length < first.len() {
                // `'lruc'[::-1]`: the written text is not what runs.
                if first
                    .get(length..)
                    .is_some_and(|rest| rest.trim_start().starts_with(['[', '.']))
                {
                    reader.unreadable(shown, line);
                }
                // Text that is joined with values: the written part is read.
                command::inner(
                    "shell",
                    &Word {
                        is_computed: false,
                        ..word(text)
                    },
                    reader,
                );
                return;
            }
            if text.value.trim().contains([' ', '\n']) {
                return command::inner(
                    "shell",
                    &Word {
                        is_computed: false,
                        ..word(text)
                    },
                    reader,
                );
            }
            let mut words = vec![word(text)];
            for rest in split(all).into_iter().skip(1) {
                let rest = rest.trim();
                match rest.strip_prefix('[') {
                    Some(list) => words.extend(self.words(inside(list, '[', ']'), line)),
                    None if rest.starts_with(MARK) => words.extend(self.words(rest, line)),
                    None => {}
                }
            }
            return command_of(&words, shown, reader);
        }
        let mut found = false;
        for code in self.assigned(first) {
            if let Some(list) = code.strip_prefix('[') {
                found = true;
                command_of(&self.words(inside(list, '[', ']'), line), shown, reader);
            } else if let Some((text, _)) = self.skeleton.text_at(code) {
                found = true;
                command::inner(
                    "shell",
                    &Word {
                        is_computed: false,
                        line,
                        ..word(text)
                    },
                    reader,
                );
            } else if let Some(call) = code
                .strip_prefix("shlex.split(")
                .or_else(|| code.strip_prefix("hlex.split("))
                && let Some((text, _)) = self.skeleton.text_at(call)
            {
                found = true;
                command::inner(
                    "shell",
                    &Word {
                        is_computed: false,
                        line,
                        ..word(text)
                    },
                    reader,
                );
            }
        }
        if !found {
            reader.unreadable(shown, line);
        }
    }

    /// Adds the host of a call that reaches one. Hosts in texts are found anyway: what counts here is an address that
    /// is computed, or that has no scheme.
    fn reach(&self, function: &str, first: &str, all: &str, line: usize, reader: &mut Reader<'_>) {
        let first = first.trim_start_matches('(');
        let is_general = function.starts_with(".connect")
            || function.starts_with("client.")
            || function == ".sendto("
            || function.starts_with("session.");
        match self.text(first) {
            // The hosts of texts are found by themselves.
            Some(text) if !hosts(&text.value).is_empty() => {}
            Some(text) if text.value.starts_with(['/', '.', '#', '?']) => {}
            Some(text) if text.is_computed || text.value.starts_with('{') => {
                reader.add(
                    PowerKind::Hosts,
                    format!("(computed) {}", excerpt(&text.value)),
                    line,
                );
            }
            Some(text) => {
                let is_method = matches!(
                    text.value.as_str(),
                    "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
                );
                let takes_host = [
                    "Connection(",
                    "connection(",
                    "SMTP(",
                    "SMTP_SSL(",
                    "FTP(",
                    "FTP_TLS(",
                    "gethostbyname(",
                    "getaddrinfo(",
                    "connect((",
                    "Telnet(",
                    "lookup(",
                    "resolve(",
                    "Socket.new(",
                    "HTTP.new(",
                    "HTTP.start(",
                    "fsockopen(",
                ];
                let takes_host = takes_host.iter().any(|end| function.ends_with(end));
                let host = if is_method {
                    None
                } else {
                    bare(&text.value).or_else(|| authority(&text.value).filter(|_| takes_host))
                };
                if let Some(host) = host {
                    reader.add(PowerKind::Hosts, host, line);
                } else if is_method && let Some(second) = split(all).get(1) {
                    self.reach(function, second, "", line, reader);
                }
            }
            // A definition: `fetch(request: Request)`.
            None if first.is_empty()
                || first.starts_with([')', '*', '{'])
                || first.contains(": ") && !first.contains(MARK) => {}
            // A connection of a database or a bus; an address only of a socket.
            None if is_general
                && !(function.ends_with("((")
                    || first.contains(['+', '('])
                    || function.starts_with(".sendto")) => {}
            None => {
                let text = format!("(computed) {function}{})", self.shown(first));
                reader.add(PowerKind::Hosts, text, line);
            }
        }
    }

    /// Reads `process.env.NAME` and the environment as a whole.
    fn members(&self, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        let mut ways = vec![
            "process.env".to_owned(),
            "import.meta.env".to_owned(),
            "Bun.env".to_owned(),
            "os.environ".to_owned(),
            "Deno.env".to_owned(),
        ];
        for (name, meaning) in &self.names {
            if meaning == "os.environ" || meaning == "process.env" {
                ways.push(name.clone());
            } else if meaning == "os" {
                ways.push(format!("{name}.environ"));
            } else if meaning == "process" {
                ways.push(format!("{name}.env"));
            }
        }
        for way in ways {
            for (at, _) in code.match_indices(way.as_str()) {
                let before = code.get(..at).and_then(|before| before.chars().next_back());
                if before.is_some_and(|c| {
                    c.is_alphanumeric()
                        || c == '_'
                        || c == '.' && !code.get(..at).unwrap_or_default().ends_with("...")
                }) {
                    continue;
                }
                let rest = code.get(at + way.len()..).unwrap_or_default();
                let line = self.skeleton.line(at);
                if let Some(member) = rest.strip_prefix('.').or_else(|| rest.strip_prefix("?.")) {
                    let end = member
                        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .unwrap_or(member.len());
                    let name = member.get(..end).unwrap_or_default();
                    match name {
                        "get" | "pop" | "setdefault" | "has" | "set" | "update" | "delete" => {}
                        "copy" | "items" | "toObject" | "values" | "keys" => {
                            reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
                        }
                        _ if is_environment(name) => reader.add(PowerKind::Variables, name, line),
                        _ => {}
                    }
                } else if !rest.starts_with(['[', '_'])
                    && !rest.starts_with(|c: char| c.is_alphanumeric())
                    && !is_import(code, at)
                {
                    let tested = code.get(..at).unwrap_or_default().trim_end();
                    let is_test = tested.ends_with(" in") || tested.ends_with("not in");
                    // `"NAME" in os.environ`: the name stands before.
                    match is_test.then(|| self.text_before(tested)).flatten() {
                        Some(text) if is_environment(&text.value) => {
                            reader.add(PowerKind::Variables, text.value.clone(), line);
                        }
                        Some(_) => {}
                        None if rest.trim_start().starts_with('=')
                            && !rest.trim_start().starts_with("==") => {}
                        // `const { TOKEN } = process.env`.
                        None if tested.ends_with("} =") || tested.ends_with("}=") => {
                            let names = tested.rsplit_once('{').map_or("", |(_, names)| names);
                            for name in names
                                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                                .filter(|name| is_environment(name))
                            {
                                reader.add(PowerKind::Variables, name, line);
                            }
                        }
                        None => reader.add(PowerKind::Variables, EVERY_VARIABLE, line),
                    }
                }
            }
        }
        self.homes(code, reader);
    }

    fn text_before(&self, code: &str) -> Option<&Text> {
        let code = code
            .trim_end_matches("in")
            .trim_end()
            .trim_end_matches("not")
            .trim_end();
        let end = code.strip_suffix(MARK)?;
        let start = end.rfind(MARK)?;
        let (text, _) = self.skeleton.text_at(code.get(start..)?)?;
        Some(text)
    }

    /// Adds the paths that are joined to the home folder: `Path.home() / ".ssh"`, `join(homedir(), ".aws")`.
    fn homes(&self, code: &str, reader: &mut Reader<'_>) {
        const HOMES: [&str; 8] = [
            "Path.home()",
            "homedir()",
            "expanduser(",
            "process.env.HOME",
            "Dir.home",
            "dirs.home",
            "home_dir()",
            "UserHomeDir()",
        ];
        for (at, home) in HOMES.iter().flat_map(|home| code.match_indices(home)) {
            let rest = code.get(at + home.len()..).unwrap_or_default();
            let end = rest.find(['\n', ';']).unwrap_or(rest.len());
            let mut path = "~".to_owned();
            let mut row = rest.get(..end).unwrap_or_default();
            while let Some(mark) = row.find(MARK) {
                let between = row.get(..mark).unwrap_or_default();
                if between.chars().any(char::is_alphanumeric) && !between.contains("join") {
                    break;
                }
                let Some((text, length)) =
                    self.skeleton.text_at(row.get(mark..).unwrap_or_default())
                else {
                    break;
                };
                let part = text.value.trim_start_matches(['~', '/']);
                if !part.is_empty() {
                    path.push('/');
                    path.push_str(part);
                }
                row = row.get(mark + length..).unwrap_or_default();
            }
            if let Some(path) = outside(&path).filter(|path| {
                path != "~"
                    || !code
                        .get(at..)
                        .unwrap_or_default()
                        .starts_with("expanduser(")
            }) {
                reader.add(PowerKind::Files, path, self.skeleton.line(at));
            }
        }
    }

    /// Reads `` $`command` `` of zx and Bun.
    fn templates(&self, code: &str, reader: &mut Reader<'_>) {
        for (at, _) in code.match_indices('$') {
            let rest = code.get(at + 1..).unwrap_or_default();
            if let Some((text, _)) = self.skeleton.text_at(rest) {
                command::inner(
                    "shell",
                    &Word {
                        is_computed: false,
                        ..word(text)
                    },
                    reader,
                );
            }
        }
    }
}

fn command_of(words: &[Word], shown: &str, reader: &mut Reader<'_>) {
    match words.first() {
        Some(first) if !first.is_computed => command::read(words, Input::Open, reader),
        Some(first) => reader.unreadable(shown, first.line),
        None => {}
    }
}

/// Commands in backquotes, of Ruby, Perl and PHP.
fn backquotes(script: &Script<'_>, reader: &mut Reader<'_>) {
    // The skeleton does not keep the kind of a quotation mark; a text that begins with a program counts.
    for text in &script.skeleton.texts {
        let is_command =
            !text.is_comment && text.value.contains(' ') && begins_with_program(&text.value);
        if is_command {
            command::inner(
                "shell",
                &Word {
                    is_computed: false,
                    ..word(text)
                },
                reader,
            );
        }
    }
}

fn last_word(code: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '!' || c == '$';
    let start = code
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(code.len(), |(at, _)| at);
    code.get(start..).unwrap_or_default()
}

/// Returns whether the name at an offset follows a module: `self.os.system(` is `os.system(`.
fn is_module(code: &str, at: usize, name: &str) -> bool {
    let before = code.get(..at).unwrap_or_default();
    before.ends_with("cp.")
        || before.ends_with("child_process.")
        || before.ends_with("window.")
        || before.ends_with("globalThis.")
        || before.ends_with("builtins.")
        || before.ends_with("request.")
        || before.ends_with("base64.")
        || before.ends_with("binascii.")
        || name.contains('.') && before.ends_with("self.")
        || matches!(
            name,
            "fromCharCode("
                | "fromCodePoint("
                | "fromhex("
                | "spawn("
                | "spawnSync("
                | "execSync("
                | "execFile("
                | "execFileSync("
        )
}

fn is_definition(code: &str, at: usize) -> bool {
    let before = code.get(..at).unwrap_or_default().trim_end();
    ["def", "function", "fn", "func", "async def", "class", "sub"]
        .iter()
        .any(|word| {
            before.strip_suffix(word).is_some_and(|rest| {
                rest.is_empty() || rest.ends_with(|c: char| !c.is_alphanumeric())
            })
        })
}

fn is_import(code: &str, at: usize) -> bool {
    let start = code
        .get(..at)
        .unwrap_or_default()
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let row = code.get(start..at).unwrap_or_default().trim_start();
    row.starts_with("import") || row.starts_with("from")
}

/// Splits arguments at the commas that no bracket holds.
fn split(code: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(code.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(code.get(start..).unwrap_or_default());
    parts
}

/// Returns the names that a script gives to modules and functions.
fn names(skeleton: &Skeleton) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let code = skeleton.code.replace(['\n'], " \n");
    for row in code.lines() {
        let row = row.trim();
        if let Some(rest) = row.strip_prefix("import ") {
            for part in rest.split(',') {
                if let Some((module, name)) = part.trim().split_once(" as ") {
                    names.insert(name.trim().to_owned(), module.trim().to_owned());
                }
            }
        }
        if let Some((module, rest)) = row
            .strip_prefix("from ")
            .and_then(|rest| rest.split_once(" import "))
        {
            for part in rest.trim_matches(['(', ')', ' ']).split(',') {
                let (function, name) = part
                    .trim()
                    .split_once(" as ")
                    .unwrap_or((part.trim(), part.trim()));
                names.insert(
                    name.trim().to_owned(),
                    format!("{}.{}", module.trim(), function.trim()),
                );
            }
        }
        // `const { exec: run } = require("child_process")`, `import { exec as run } from "node:child_process"`,
        // `const cp = require("child_process")`.
        let module = row
            .find("require(")
            .map(|at| (at, at + 8))
            .or_else(|| row.find(" from ").map(|at| (at, at + 6)));
        if let Some((end, at)) = module
            && let Some((text, _)) = row.get(at..).and_then(|rest| skeleton.text_at(rest))
        {
            let module = text.value.trim_start_matches("node:").to_owned();
            let head = row.get(..end).unwrap_or_default();
            if let Some(inside) = head
                .split_once('{')
                .and_then(|(_, rest)| rest.split_once('}'))
                .map(|(inside, _)| inside)
            {
                for part in inside.split(',') {
                    let (function, name) = part
                        .split_once(" as ")
                        .or_else(|| part.split_once(':'))
                        .unwrap_or((part, part));
                    names.insert(name.trim().to_owned(), meaning(&module, function.trim()));
                }
            } else {
                let name = head
                    .trim()
                    .trim_end_matches(['=', ' '])
                    .rsplit([' ', '*'])
                    .next()
                    .unwrap_or_default();
                if !name.is_empty() {
                    names.insert(name.to_owned(), module);
                }
            }
        }
        // `run = os.system`, `e = eval`.
        if let Some((name, value)) = row.split_once('=') {
            let (name, value) = (
                name.trim()
                    .trim_start_matches("const ")
                    .trim_start_matches("let ")
                    .trim_start_matches("var ")
                    .trim(),
                value.trim().trim_end_matches(';'),
            );
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let is_known = FUNCTIONS
                .iter()
                .any(|(function, _)| function.strip_suffix(['(', '[']) == Some(value))
                || matches!(value, "exec" | "eval" | "os.environ" | "process.env");
            if is_name && is_known {
                names.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    names.retain(|name, meaning| name != meaning && !name.is_empty());
    names
}

/// Returns the name under which a function of a module is known: `execSync` without its module.
fn meaning(module: &str, function: &str) -> String {
    let is_known = FUNCTIONS
        .iter()
        .any(|(known, _)| known.strip_suffix('(') == Some(function));
    if is_known {
        function.to_owned()
    } else {
        format!("{module}.{function}")
    }
}

/// Reads the dependencies that a Python script declares in its head: PEP 723.
fn dependencies(source: &str, line: usize, reader: &mut Reader<'_>) {
    let mut is_inside = false;
    for (at, row) in source.lines().enumerate().take(200) {
        let Some(row) = row.strip_prefix('#').map(str::trim) else {
            continue;
        };
        if row.starts_with("dependencies") && row.contains('[') {
            is_inside = true;
        }
        if is_inside {
            for package in row.split(['"', '\'']).skip(1).step_by(2) {
                package::add("pip", package, line + at, reader);
            }
            is_inside = !row.contains(']') || row.contains('[') && !row.ends_with(']');
        }
    }
}
