//! The calls of functions that are known to do something.

use crate::powers::code::arguments::{inside, split};
use crate::powers::code::script::Script;
use crate::powers::code::skeleton::MARK;
use crate::powers::reader::Reader;
use crate::powers::tables::functions::{Effect, FUNCTIONS};
use crate::powers::word::is_environment;
use skills_format::PowerKind;
use skills_format::power::cover::EVERY_VARIABLE;
use std::collections::BTreeMap;

/// The minimum number of bytes of a decoded text that counts as hidden code, and of numbers of a decoded list.
const MIN_ENCODED: usize = 12;

/// A call of a known function.
pub(super) struct Call<'c> {
    /// The function, as the table names it: `subprocess.run(`.
    pub(super) function: &'c str,
    /// The first argument.
    pub(super) first: &'c str,
    /// All arguments.
    pub(super) all: &'c str,
    pub(super) line: usize,
}

impl Script<'_> {
    /// Reads the calls of known functions.
    pub(super) fn calls(&self, reader: &mut Reader<'_>) {
        self.known_calls(reader);
        self.renamed_calls(reader);
        let exec = if self.language == "python" {
            Effect::Hide
        } else {
            Effect::Run
        };
        self.calls_of("exec(", exec, reader);
        if self.language == "javascript" {
            self.calls_of("require(", Effect::Hide, reader);
            self.calls_of("import(", Effect::Hide, reader);
            self.templates(reader);
        }
    }

    /// Reads the calls of functions under their own names. Functions that end with a bracket are found by the word before
    /// the bracket: a search for each of the functions would read the script hundreds of times.
    fn known_calls(&self, reader: &mut Reader<'_>) {
        let mut by_word: BTreeMap<&str, Vec<(&str, Effect)>> = BTreeMap::new();
        for (function, effect) in FUNCTIONS {
            let name = function.strip_suffix(['(', '[', '{']);
            match name.filter(|name| name.ends_with(is_word)) {
                Some(name) => {
                    let same_word = by_word.entry(last_word(name)).or_default();
                    same_word.push((function, *effect));
                }
                None => self.calls_of(function, *effect, reader),
            }
        }
        let code = self.skeleton.code.as_str();
        for (at, bracket) in code.match_indices(['(', '[', '{']) {
            let word = last_word(code.get(..at).unwrap_or_default());
            let end = at + bracket.len();
            let before = code.get(..end).unwrap_or_default();
            for (function, effect) in by_word.get(word).into_iter().flatten() {
                if before.ends_with(function) {
                    let names = (*function, *function);
                    self.call_at(end - function.len(), names, *effect, reader);
                }
            }
        }
    }

    /// Reads the calls of functions under the names that the script gives to them or to their modules.
    fn renamed_calls(&self, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        for used in self.names.uses(code) {
            let rest = code.get(used.at + used.name.len()..).unwrap_or_default();
            if !rest.starts_with(['.', '(', '[']) {
                continue;
            }
            let written = |end: &str| {
                let length = used.name.len() + end.len();
                code.get(used.at..used.at + length).unwrap_or_default()
            };
            for (function, effect) in FUNCTIONS {
                if let Some(end) = function.strip_prefix(used.meaning)
                    && (end.starts_with('.') || end == "(" || end == "[")
                    && rest.starts_with(end)
                {
                    self.call_at(used.at, (written(end), function), *effect, reader);
                }
            }
            let is_hidden = matches!(used.meaning, "exec" | "eval" | "compile" | "__import__");
            if is_hidden && rest.starts_with('(') {
                self.call_at(used.at, (written("("), "eval("), Effect::Hide, reader);
            }
        }
    }

    fn calls_of(&self, function: &str, effect: Effect, reader: &mut Reader<'_>) {
        for (at, _) in self.skeleton.code.match_indices(function) {
            self.call_at(at, (function, function), effect, reader);
        }
    }

    /// Reads the call whose name, as it is written, stands at an offset.
    fn call_at(
        &self,
        at: usize,
        (name, function): (&str, &str),
        effect: Effect,
        reader: &mut Reader<'_>,
    ) {
        let code = self.skeleton.code.as_str();
        let before = code.get(..at).and_then(|before| before.chars().next_back());
        let is_part = !name.starts_with('.')
            && before.is_some_and(|c| {
                c.is_alphanumeric()
                    || c == '_'
                    || c == '.' && !is_module(code, at, name, self.language)
            });
        // The function of the module is in the table under its whole name.
        let is_again = name == "exec("
            && code
                .get(..at)
                .is_some_and(|it| it.ends_with("child_process."));
        if is_part || is_again || is_definition(code, at) {
            return;
        }
        let (open, close) = brackets(function);
        let all = inside(code.get(at + name.len()..).unwrap_or_default(), open, close);
        let first = split(all).into_iter().next().unwrap_or_default().trim();
        let line = self.skeleton.line(at);
        let call = Call {
            function,
            first,
            all,
            line,
        };
        match effect {
            Effect::Run => self.run(&call, reader),
            Effect::Variable => self.variable(&call, reader),
            Effect::Reach => self.reach(&call, reader),
            Effect::Hide => self.hide(&call, reader),
            Effect::Decode => self.decode(&call, reader),
        }
    }

    /// Returns a call as one short line.
    pub(super) fn shown_call(&self, call: &Call<'_>) -> String {
        let (_, close) = brackets(call.function);
        format!("{}{}{close}", call.function, self.shown(call.all))
    }

    fn variable(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        match self.text(call.first) {
            Some(text) if !text.is_computed => {
                if is_environment(&text.value.to_ascii_uppercase()) {
                    reader.add(PowerKind::Variables, text.value.clone(), call.line);
                }
            }
            // `ENV{NAME}` has a bare name, and a computed name can be any.
            _ if call.function.ends_with('{') => {
                reader.add(PowerKind::Variables, call.first, call.line);
            }
            _ => reader.add(PowerKind::Variables, EVERY_VARIABLE, call.line),
        }
    }

    /// Reports code that exists only while the script runs. A module that is named by a written text is not hidden.
    fn hide(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        const NAMED: [&str; 6] = [
            "require(",
            "import(",
            "importlib.import_module(",
            "import_module(",
            "__import__(",
            "compile(",
        ];
        let function = call.function;
        let written = self.skeleton.text_at(call.first);
        let is_named = NAMED.contains(&function)
            && written
                .is_some_and(|(text, length)| !text.is_computed && length == call.first.len());
        // Other languages have harmless functions with these names.
        let is_other = function == "compile(" && self.language != "python"
            || function == "Function(" && self.language != "javascript";
        let is_empty = call.first.is_empty() && function.ends_with(['(', '[']);
        if !is_named && !is_other && !is_empty {
            reader.unreadable(&self.shown_call(call), call.line);
        }
    }

    /// Reports data of the script that a call decodes.
    fn decode(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        let text = self.text(call.first).or_else(|| {
            let mark = call.all.get(call.all.find(MARK)?..)?;
            Some(self.skeleton.text_at(mark)?.0)
        });
        let is_text =
            text.is_some_and(|text| text.value.len() >= MIN_ENCODED && !text.value.contains(' '));
        let is_numbers = call.all.split(',').count() >= MIN_ENCODED
            && call.all.chars().all(|c| {
                c.is_ascii_hexdigit() || matches!(c, ',' | ' ' | '\n' | 'x' | '[' | ']' | '.')
            });
        if is_text || is_numbers || call.function == "map(chr" {
            reader.unreadable(&self.shown_call(call), call.line);
        }
    }
}

/// Returns the brackets of the arguments of a function.
fn brackets(function: &str) -> (char, char) {
    match function.chars().next_back() {
        Some('[') => ('[', ']'),
        Some('{') => ('{', '}'),
        _ => ('(', ')'),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '!' || c == '$'
}

fn last_word(code: &str) -> &str {
    let word = code.char_indices().rev().take_while(|(_, c)| is_word(*c));
    let start = word.last().map_or(code.len(), |(at, _)| at);
    code.get(start..).unwrap_or_default()
}

/// Returns whether the name at an offset follows a module: `self.os.system(` is `os.system(`.
fn is_module(code: &str, at: usize, name: &str, language: &str) -> bool {
    const MODULES: [&str; 8] = [
        "cp.",
        "child_process.",
        "window.",
        "globalThis.",
        "builtins.",
        "request.",
        "base64.",
        "binascii.",
    ];
    const METHODS: [&str; 9] = [
        "runCommand(",
        "fromCharCode(",
        "fromCodePoint(",
        "fromhex(",
        "spawn(",
        "spawnSync(",
        "execSync(",
        "execFile(",
        "execFileSync(",
    ];
    let before = code.get(..at).unwrap_or_default();
    MODULES.iter().any(|module| before.ends_with(module))
        || name.contains('.') && before.ends_with("self.")
        // `f.spawn(3)` of Python starts a task of an own object; `os` and `pexpect` are known by their names.
        || METHODS.contains(&name) && !(language == "python" && name.starts_with("spawn"))
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
