//! Counts what the rules about clients report in the published skills of the folder `SKILLS_CORPUS`, at default levels;
//! skipped without the variable. `UPDATE_CASES=1` writes the counts.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use skills_clients::check::clients;
use skills_format::{Diagnostic, Severity};
use skills_lint::rules::{self, Group};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const KEPT: &str = "tests/portability.tsv";

/// A new fact fails no repository that names no client, and a change of the warnings is a change of the kept file.
#[test]
fn published_repositories_get_few_warnings_and_no_error() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut errors = Vec::new();
    for folder in folders(Path::new(&corpus)) {
        for finding in found(&folder) {
            if finding.severity == Severity::Error {
                errors.push(finding.to_string());
            }
            // The name of each client is in the message.
            for client in clients() {
                if finding.message.contains(&client.title) {
                    let key = (client.name.clone(), finding.rule.to_string());
                    *counts.entry(key).or_default() += 1;
                }
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    let rows = counts
        .iter()
        .map(|((client, rule), count)| format!("{client}\t{rule}\t{count}\n"));
    let text: String = ["client\trule\twarnings\n".to_owned()]
        .into_iter()
        .chain(rows)
        .collect();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(KEPT);
    if std::env::var_os("UPDATE_CASES").is_some() {
        fs::write(&kept, &text).expect("the counts are written");
    }
    assert_eq!(fs::read_to_string(&kept).expect("the kept counts"), text);
}

/// Returns the repositories, and the samples of repositories.
fn folders(corpus: &Path) -> Vec<PathBuf> {
    let parts = ["repositories", "sample"].map(|part| corpus.join(part));
    let all = parts
        .iter()
        .flat_map(|part| fs::read_dir(part).expect("a folder"));
    let all = all.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<PathBuf> = all.filter(|path| path.is_dir()).collect();
    all.sort();
    all
}

fn found(folder: &Path) -> Vec<Diagnostic> {
    let start = Start::new(folder, None).expect("a start");
    let repository = Repository::open(start, &Settings::default()).expect("a repository");
    let bundles = repository.bundles.iter();
    let mut found: Vec<Diagnostic> = bundles
        .flat_map(|bundle| repository.check(bundle).diagnostics)
        .collect();
    found.retain(|finding| {
        let rule = rules::find(finding.rule.as_str());
        rule.is_some_and(|rule| rule.group == Group::Portability)
    });
    found
}
