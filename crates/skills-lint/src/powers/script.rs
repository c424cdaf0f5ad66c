//! Recognizes scripts: by the first line, the extension or the name. What runs a file counts before all of these.

use crate::powers::tables::has;
use crate::powers::tables::languages::{EXTENSIONS, INTERPRETERS};

/// Names of files that a program runs although they have no extension.
const NAMES: &str =
    "makefile gnumakefile justfile dockerfile rakefile gemfile procfile jenkinsfile vagrantfile";

/// Returns the extension of a path in lower case; empty without an extension.
pub(super) fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(String::new(), |(_, end)| end.to_ascii_lowercase())
}

/// Returns the interpreter of a script.
pub(super) fn interpreter(path: &str, text: &str) -> Option<String> {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        let known = line
            .split(['/', ' ', '\t'])
            .find(|word| is_interpreter(word));
        return Some(known.unwrap_or(line.trim()).to_owned());
    }
    let end = extension(path);
    if let Some((_, interpreter)) = EXTENSIONS.iter().find(|(known, _)| *known == end) {
        return Some((*interpreter).to_owned());
    }
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    has(NAMES, stem).then(|| stem.trim_end_matches("file").to_owned())
}

/// Returns whether a path ends as a script does.
pub(super) fn is_script_path(path: &str) -> bool {
    let end = extension(path);
    EXTENSIONS.iter().any(|(known, _)| *known == end)
}

/// Returns whether a program runs a file or a text of code.
pub(super) fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.iter().any(|(known, _)| *known == program)
}

/// Returns whether an interpreter is a shell, whose code is read.
pub(super) fn is_shell(interpreter: &str) -> bool {
    INTERPRETERS
        .iter()
        .any(|(known, is_shell)| *known == interpreter && *is_shell)
}
