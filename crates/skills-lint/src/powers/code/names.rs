//! The names that a script gives to modules and functions: `import subprocess as sp`.

use crate::powers::code::skeleton::Skeleton;
use crate::powers::tables::functions::FUNCTIONS;
use std::collections::BTreeMap;

/// The maximum number of dots in a name that is looked up: `module.exports`.
const MAX_DOTS: usize = 2;

/// The meanings by name: `sp` is `subprocess`.
pub(super) struct Names(BTreeMap<String, String>);

/// A place in the code where a name is used.
pub(super) struct Use<'n> {
    pub(super) at: usize,
    pub(super) name: &'n str,
    /// The module or the function that the name stands for.
    pub(super) meaning: &'n str,
}

impl Names {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let mut names = BTreeMap::new();
        for row in skeleton.code.lines().map(str::trim) {
            of_python(row, &mut names);
            of_javascript(row, skeleton, &mut names);
            of_assignment(row, &mut names);
        }
        names.retain(|name, meaning| name != meaning && !name.is_empty());
        Self(names)
    }

    /// Returns each use of a name, in order. One pass over the code: a search for each name would take quadratic time
    /// for a script with many names.
    pub(super) fn uses<'n>(&'n self, code: &'n str) -> impl Iterator<Item = Use<'n>> {
        let mut end = 0;
        let starts = code.char_indices().filter(move |(at, c)| {
            let is_start = is_part(*c) && *at >= end;
            if is_start {
                end = at + word(code.get(*at..).unwrap_or_default());
            }
            is_start
        });
        starts.flat_map(move |(at, _)| {
            spellings(code, at).filter_map(move |name| {
                let meaning = self.0.get(name)?;
                Some(Use { at, name, meaning })
            })
        })
    }
}

/// Returns the names that can begin with the word at an offset: the word, and the word with the words after its dots.
fn spellings(code: &str, at: usize) -> impl Iterator<Item = &str> {
    let rest = code.get(at..).unwrap_or_default();
    let mut end = 0;
    (0..=MAX_DOTS).map_while(move |dots| {
        if dots > 0 {
            end += usize::from(rest.get(end..)?.starts_with('.').then_some(1_u8)?);
        }
        let length = word(rest.get(end..)?);
        end += length;
        (length > 0).then(|| rest.get(..end))?
    })
}

/// Returns the length of the word at the beginning of code.
fn word(code: &str) -> usize {
    code.find(|c| !is_part(c)).unwrap_or(code.len())
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Adds the names of `import subprocess as sp` and `from os import system as run`.
fn of_python(row: &str, names: &mut BTreeMap<String, String>) {
    if let Some(rest) = row.strip_prefix("import ") {
        for part in rest.split(',') {
            if let Some((module, name)) = part.trim().split_once(" as ") {
                names.insert(name.trim().to_owned(), module.trim().to_owned());
            }
        }
    }
    let from = row.strip_prefix("from ");
    if let Some((module, rest)) = from.and_then(|rest| rest.split_once(" import ")) {
        for part in rest.trim_matches(['(', ')', ' ']).split(',') {
            let part = part.trim();
            let (function, name) = part.split_once(" as ").unwrap_or((part, part));
            let meaning = format!("{}.{}", module.trim(), function.trim());
            names.insert(name.trim().to_owned(), meaning);
        }
    }
}

/// Adds the names of `const { exec: run } = require("child_process")`, `import { exec as run } from
/// "node:child_process"` and `const cp = require("child_process")`.
fn of_javascript(row: &str, skeleton: &Skeleton, names: &mut BTreeMap<String, String>) {
    let module = row
        .find("require(")
        .map(|at| (at, at + 8))
        .or_else(|| row.find(" from ").map(|at| (at, at + 6)));
    let Some((end, at)) = module else {
        return;
    };
    let Some((text, _)) = row.get(at..).and_then(|rest| skeleton.text_at(rest)) else {
        return;
    };
    let module = text.value.trim_start_matches("node:").to_owned();
    let head = row.get(..end).unwrap_or_default();
    let members = head
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    if let Some((members, _)) = members {
        for part in members.split(',') {
            let (function, name) = part
                .split_once(" as ")
                .or_else(|| part.split_once(':'))
                .unwrap_or((part, part));
            names.insert(name.trim().to_owned(), meaning(&module, function.trim()));
        }
        return;
    }
    let head = head.trim().trim_end_matches(['=', ' ']);
    let name = head.rsplit([' ', '*']).next().unwrap_or_default();
    if !name.is_empty() {
        names.insert(name.to_owned(), module);
    }
}

/// Adds the name of `run = os.system` and `e = eval`.
fn of_assignment(row: &str, names: &mut BTreeMap<String, String>) {
    let Some((name, value)) = row.split_once('=') else {
        return;
    };
    let mut name = name.trim();
    for keyword in ["const ", "let ", "var "] {
        name = name.trim_start_matches(keyword);
    }
    let (name, value) = (name.trim(), value.trim().trim_end_matches(';'));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name && is_known(value) {
        names.insert(name.to_owned(), value.to_owned());
    }
}

fn is_known(value: &str) -> bool {
    let mut functions = FUNCTIONS.iter();
    matches!(value, "exec" | "eval" | "os.environ" | "process.env")
        || functions.any(|(function, _)| function.strip_suffix(['(', '[']) == Some(value))
}

/// Returns the name under which a function of a module is known: `execSync` without its module.
fn meaning(module: &str, function: &str) -> String {
    let mut functions = FUNCTIONS.iter();
    if functions.any(|(known, _)| known.strip_suffix('(') == Some(function)) {
        function.to_owned()
    } else {
        format!("{module}.{function}")
    }
}
