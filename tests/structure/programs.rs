//! Every file of a test program is a module of it. A file that `main.rs` does not name would not be run.

use crate::repository;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_file_of_a_tests_program_is_run() {
    let mut forgotten = Vec::new();
    for program in programs(&repository()) {
        let main = program.join("main.rs");
        let text = fs::read_to_string(&main).unwrap_or_default();
        for entry in folder(&program) {
            let name = entry.file_stem().unwrap_or_default().to_string_lossy();
            let is_source = entry.is_dir() || entry.extension().is_some_and(|it| it == "rs");
            if is_source && name != "main" && !text.contains(&format!("mod {name};")) {
                forgotten.push(format!("{}: not in main.rs", entry.display()));
            }
        }
    }
    assert_eq!(forgotten, Vec::<String>::new());
}

/// Returns the folders `tests/*/` of all packages that contain a `main.rs`.
fn programs(repository: &Path) -> Vec<PathBuf> {
    let packages = [
        folder(repository),
        folder(&repository.join("crates")),
        folder(&repository.join("tests")),
    ]
    .concat();
    let tests = packages
        .iter()
        .flat_map(|package| folder(&package.join("tests")));
    let programs: Vec<PathBuf> = tests.filter(|it| it.join("main.rs").exists()).collect();
    assert!(programs.len() > 4, "{programs:?}");
    programs
}

/// Returns the entries of a folder.
fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
