//! The files of a skill that its guards run. A guard whose file has changed can let calls pass.

use crate::powers::power_file::PowerFile;
use crate::powers::reader::{Reader, fingerprint};
use crate::powers::script::extension;
use skills_format::PowerKind;
use skills_format::power::restraint::{GUARDED, STARTED};
use skills_format::tree::is_skill_file;
use std::collections::BTreeSet;

/// The files in which programs look for what to run.
const RUNNERS: [(&str, &str); 7] = [
    ("npm", "package.json"),
    ("pnpm", "package.json"),
    ("yarn", "package.json"),
    ("bun", "package.json"),
    ("make", "Makefile"),
    ("just", "justfile"),
    ("uv", "pyproject.toml"),
];
/// The most files of a guard that are told, and the most bytes of the texts in which their names are looked for.
const MOST: usize = 50;
const MOST_READ: usize = 1024 * 1024;

/// Adds a restraint for each file that a guard runs, with a part of its digest. So a change of the file is a lost restraint,
/// in a lock too.
pub(super) fn add(files: &[PowerFile<'_>], reader: &mut Reader<'_>) {
    for (command, path, line) in reader.guards() {
        reader.open(&path);
        for file in of_guard(&command, files) {
            let bytes = file.bytes.unwrap_or_default();
            let guard = format!("{GUARDED}{} ({})", file.path, fingerprint(bytes));
            reader.add(PowerKind::Restraints, guard, line);
            if file.is_executable && starts(&command, file.path) {
                let guard = format!("{GUARDED}{}{STARTED}", file.path);
                reader.add(PowerKind::Restraints, guard, line);
            }
        }
    }
}

/// Returns the files that a command names, and those that they name.
fn of_guard<'f, 't>(command: &str, files: &'f [PowerFile<'t>]) -> Vec<&'f PowerFile<'t>> {
    let mut found: Vec<&PowerFile<'_>> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut texts = vec![(command, true)];
    let mut left = MOST_READ;
    while let Some((text, is_command)) = texts.pop() {
        let words: BTreeSet<&str> = text.split(|c| !is_part(c)).collect();
        let imported = imported(text);
        for file in files {
            let name = file_name(file.path);
            // A script names the skill, and pages, in its comments.
            let is_read = !is_skill_file(name) && (is_command || extension(name) != "md");
            if !is_read || !names(&words, &imported, text, file.path) || !seen.insert(file.path) {
                continue;
            }
            if found.len() == MOST {
                return found;
            }
            found.push(file);
            let text = file.bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
            if let Some(text) = text.filter(|text| text.len() <= left) {
                left -= text.len();
                texts.push((text, false));
            }
        }
    }
    found.sort_by_key(|file| file.path);
    found
}

/// Returns whether a text names a file: by its name with an extension, by its path, or as a module that it imports.
fn names(words: &BTreeSet<&str>, imported: &BTreeSet<&str>, text: &str, path: &str) -> bool {
    let name = file_name(path);
    let is_runner = |(program, file): &(&str, &str)| *file == name && words.contains(program);
    if RUNNERS.iter().any(is_runner) {
        return true;
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem == name || stem.is_empty() {
        // `guard` is also a word.
        let is_path = path.contains('/') && text.contains(path);
        return words.contains(name) && (is_path || text.contains(&format!("/{path}")));
    }
    let is_module = matches!(&*extension(name), "py" | "js" | "mjs" | "cjs" | "ts");
    words.contains(name) || is_module && imported.contains(stem)
}

/// Returns the words of the lines that import modules.
fn imported(text: &str) -> BTreeSet<&str> {
    let lines = text
        .lines()
        .map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')));
    let imports = lines.filter(|words| {
        let mut words = words.clone();
        words.any(|word| matches!(word, "import" | "require" | "from" | "-m"))
    });
    imports.flatten().collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Returns whether a command starts a file by itself, and not by an interpreter.
fn starts(command: &str, path: &str) -> bool {
    let mut starts = command.split(['|', ';', '&', '(']);
    let is_quote = |c| matches!(c, '"' | '\'');
    starts.any(|part| {
        let first = part.split_whitespace().find(|word| !word.contains('='));
        let first = first.unwrap_or_default().trim_matches(is_quote);
        file_name(first) == file_name(path)
    })
}
