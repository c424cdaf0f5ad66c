//! The result of a check of each published repository in the folder `SKILLS_CORPUS`, as `skills check` gives it at default
//! levels; skipped without the variable. `UPDATE_CASES=1` writes the results.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use skills_format::{Diagnostic, Severity};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const KEPT: &str = "tests/results.tsv";

/// A repository that fails from one day to the next is seen: the kept file changes on purpose.
#[test]
fn published_repositories_keep_their_results() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let corpus = Path::new(&corpus).join("repositories");
    let entries = fs::read_dir(corpus).expect("a folder");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let mut text = "repository\texit code\tskills\trule\tseverity\tfindings\n".to_owned();
    for folder in folders {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let (skills, found) = found(&folder);
        let code = i32::from(found.iter().any(|it| it.severity == Severity::Error));
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for finding in &found {
            let key = (finding.rule.as_str(), finding.severity.as_str());
            *counts.entry(key).or_default() += 1;
        }
        if counts.is_empty() {
            let _ = writeln!(text, "{name}\t{code}\t{skills}\t-\t-\t0");
        }
        for ((rule, severity), count) in counts {
            let _ = writeln!(
                text,
                "{name}\t{code}\t{skills}\t{rule}\t{severity}\t{count}"
            );
        }
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(KEPT);
    if std::env::var_os("UPDATE_CASES").is_some() {
        fs::write(&kept, &text).expect("the results are written");
    }
    assert_eq!(fs::read_to_string(&kept).expect("the kept results"), text);
}

/// Returns the number of skills, mirrors included, and the findings.
fn found(folder: &Path) -> (usize, Vec<Diagnostic>) {
    let start = Start::new(folder, None).expect("a start");
    let repository = Repository::open(start, &Settings::default()).expect("a repository");
    let mut found = repository.faults.clone();
    let mut names = Vec::new();
    for bundle in &repository.bundles {
        let checked = repository.check(bundle);
        found.extend(checked.diagnostics);
        names.push(checked.names);
    }
    found.extend(repository.unknown_seals(&names));
    found.extend(repository.unknown_clients());
    if repository.bundles.iter().all(|bundle| bundle.skills == 0) {
        found.extend(repository.empty());
    }
    let skills = repository.bundles.iter().map(|bundle| bundle.skills).sum();
    (skills, found)
}
