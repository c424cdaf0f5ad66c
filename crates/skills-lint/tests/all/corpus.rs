//! Checks real and made-up files in the folder `SKILLS_CORPUS`. Skipped without this variable.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use skills_format::{
    Contents, Diagnostic, MAX_SKILL_FILE, Severity, SkillFile, Tree, is_skill_file,
};
use skills_lint::{Config, check};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn corpus(part: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return None;
    };
    Some(Path::new(&root).join(part))
}

fn strict(root: &str, path: &Path) -> (usize, Vec<Diagnostic>) {
    let contents = Contents::Skills {
        max: MAX_SKILL_FILE,
    };
    let tree = Tree::read(path, contents).expect("a folder");
    let checked = check(root, &tree, &Config::default());
    (checked.names.len(), checked.diagnostics)
}

/// Rows that are no findings any more: clients read commas in `allowed-tools`, an invalid name is one finding, and two rules that fired
/// on no published skill are gone.
const DECIDED: [(&str, &str); 4] = [
    ("tools-commas", "allowed-tools-form"),
    ("many", "name-mismatch"),
    ("unreachable", "unreachable"),
    ("unknown-mention", "unknown-mention"),
];

/// Every case reports exactly the findings of its rows.
#[test]
fn faults_are_reported_as_listed() {
    let Some(faults) = corpus("faults") else {
        return;
    };
    let table = fs::read_to_string(faults.join("expected.tsv")).expect("a table");
    let mut expected: BTreeMap<&str, Vec<(&str, &str, &str)>> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let mut cells = row.split('\t');
        let mut next = || cells.next().expect("four cells");
        let (case, path, line, rule) = (next(), next(), next(), next());
        expected.entry(case).or_default().push((path, line, rule));
    }
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&faults).expect("a folder") {
        let path = entry.expect("an entry").path();
        let case = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        if !path.is_dir() {
            continue;
        }
        let (_, mut told) = strict("skills", &path.join("skills"));
        for (path, line, rule) in expected.remove(case).unwrap_or_default() {
            let is_it = |d: &Diagnostic| {
                let path_is = match path.strip_suffix('*') {
                    Some(start) => d.path.starts_with(start),
                    None => d.path == path,
                };
                d.rule.as_str() == rule
                    && path_is
                    && (line == "*" || line == d.start.line.to_string())
            };
            match told.iter().position(is_it) {
                Some(i) => {
                    told.remove(i);
                }
                None if DECIDED.contains(&(case, rule)) => {}
                None => wrong.push(format!("{case}: missing {path}:{line} {rule}")),
            }
        }
        wrong.extend(told.iter().map(|d| format!("{case}: {d}")));
    }
    wrong.extend(expected.keys().map(|case| format!("{case}: no folder")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Odd files cause no panic in either reading, and an error if the skill does not load.
#[test]
fn odd_files_are_read() {
    let Some(nasty) = corpus("nasty") else {
        return;
    };
    let (count, told) = strict("nasty", &nasty);
    assert!(count > 30);
    assert!(
        told.iter()
            .all(|d| !d.message.is_empty() && d.start <= d.end)
    );
    for (path, bytes) in skill_files(&nasty) {
        let file = read(&path, &bytes);
        let (skill, told) = file.lenient();
        let is_error = told.iter().any(|d| d.severity == Severity::Error);
        assert_eq!(skill.is_none(), is_error, "{}: {told:#?}", path.display());
        for end in (0..bytes.len().min(600)).step_by(7) {
            let _ = read(&path, bytes.get(..end).unwrap_or_default()).lenient();
        }
    }
}

/// Every published file loads in which a name and a description can be found.
#[test]
fn published_files_load() {
    let Some(sample) = corpus("sample") else {
        return;
    };
    let mut lost = Vec::new();
    let files = skill_files(&sample);
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        let front_matter: Vec<&str> = text.lines().skip(1).take_while(|l| *l != "---").collect();
        let has = |key: &str| front_matter.iter().any(|line| line.starts_with(key));
        let (skill, told) = read(path, bytes).lenient();
        if skill.is_none() && has("name:") && has("description:") {
            lost.push(format!("{}: {told:?}", path.display()));
        }
    }
    assert!(
        lost.is_empty(),
        "{} of {}: {lost:#?}",
        lost.len(),
        files.len()
    );
}

fn read<'t>(path: &Path, bytes: &'t [u8]) -> SkillFile<'t> {
    let folder = path.parent().and_then(Path::file_name);
    let folder = folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    SkillFile::read(path.to_string_lossy(), folder, bytes)
}

fn skill_files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let contents = Contents::Skills {
        max: MAX_SKILL_FILE,
    };
    let tree = Tree::read(root, contents).expect("a folder");
    let files = tree.files.into_iter().filter(|f| is_skill_file(&f.path));
    files
        .filter_map(|file| Some((root.join(&file.path), file.bytes?)))
        .collect()
}
