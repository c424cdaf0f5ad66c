//! Recognizes scripts: by the first line, the extension or the name. What runs a file counts before all of these.

use crate::powers::tables::has;
use crate::powers::tables::languages::{EXTENSIONS, INTERPRETERS, POSIX_SHELLS};

/// Names of files that a program runs although they have no extension.
const NAMES: &str =
    "makefile gnumakefile justfile dockerfile rakefile gemfile procfile jenkinsfile vagrantfile";

/// Returns the extension of a path in lower case; empty without an extension.
pub(super) fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(String::new(), |(_, end)| end.to_ascii_lowercase())
}

/// Returns what runs a script: the program of its first line, or what its name says.
pub(super) fn interpreter(path: &str, text: &str) -> Option<String> {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        let known = line.split(['/', ' ', '\t']).find(|it| is_interpreter(it));
        return Some(known.unwrap_or(line.trim()).to_owned());
    }
    let end = extension(path);
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    (is_script_path(path) || has(NAMES, stem)).then_some(end)
}

/// Returns whether a path ends as a script does.
pub(super) fn is_script_path(path: &str) -> bool {
    has(EXTENSIONS, &extension(path))
}

/// Returns whether a program runs a file or a text of code.
pub(super) fn is_interpreter(program: &str) -> bool {
    let program = program.strip_suffix(".exe").unwrap_or(program);
    is_shell(program) || has(INTERPRETERS, program)
}

/// Returns whether an interpreter is a shell, whose code is read.
pub(super) fn is_shell(interpreter: &str) -> bool {
    has(POSIX_SHELLS, interpreter)
}
