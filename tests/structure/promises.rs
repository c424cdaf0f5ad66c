//! `docs/promises.md`: each test that it names exists.

use crate::repository;
use std::fs;
use std::path::Path;

#[test]
fn every_promise_names_tests_that_exist() {
    let page = fs::read_to_string(repository().join("docs/promises.md")).expect("the page");
    let mut sources = String::new();
    for folder in ["crates", "skills-runtime", "skills-macros", "tests"] {
        read_sources(&repository().join(folder), &mut sources);
    }
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.ends_with(" |"))
        .filter(|line| *line != "| promise | tests |")
        .collect();
    assert!(rows.len() > 60, "{} promises", rows.len());
    for row in rows {
        let (_, tests) = row.trim_end_matches(" |").rsplit_once(" | ").expect(row);
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test: {row}");
        for test in named {
            assert!(exists(test, &sources), "`{test}` does not exist: {row}");
        }
    }
}

/// A path, a lint, a theme of `tests/hostile`, one of its tests, or a test anywhere.
fn exists(test: &str, sources: &str) -> bool {
    let theme = |name: &str| repository().join(format!("tests/hostile/src/{name}.rs"));
    if test.contains('/') || repository().join(test).is_dir() {
        return repository().join(test).exists();
    }
    if let Some((lint, _)) = test.split_once(" = ") {
        let manifest = fs::read_to_string(repository().join("Cargo.toml"));
        return manifest.is_ok_and(|text| text.contains(lint) && text.contains(test));
    }
    let function = |name: &str| format!("fn {name}(");
    match test.split_once("::") {
        Some((file, name)) => {
            fs::read_to_string(theme(file)).is_ok_and(|text| text.contains(&function(name)))
        }
        None => theme(test).is_file() || sources.contains(&function(test)),
    }
}

fn read_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            read_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}
