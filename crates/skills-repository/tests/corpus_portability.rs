//! Counts what the rules about clients report in the published skills of the folder `SKILLS_CORPUS`, at default levels
//! and for all clients; skipped without the variable. `UPDATE_CASES=1` writes the counts.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use skills_clients::check::clients;
use skills_format::{Diagnostic, Severity};
use skills_lint::ALL_CLIENTS;
use skills_lint::rules::{self, Group};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const KEPT: &str = "tests/portability.tsv";

/// A new fact fails no repository that names no client, and a change of the findings is a change of the kept file.
#[test]
fn published_repositories_get_few_warnings_and_no_error() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let mut counts = Counts::new();
    let mut all = Settings::default();
    all.clients = vec![ALL_CLIENTS.to_owned()];
    for folder in folders(Path::new(&corpus)) {
        for finding in found(&folder, &Settings::default()) {
            assert_ne!(finding.severity, Severity::Error, "{finding}");
            count(&mut counts, &finding, |counted| &mut counted.at_defaults);
        }
        for finding in found(&folder, &all) {
            count(&mut counts, &finding, |counted| match finding.severity {
                Severity::Error => &mut counted.errors,
                _ => &mut counted.warnings,
            });
        }
    }
    let rows = counts.iter().map(|((client, rule), counted)| {
        let Counted {
            at_defaults,
            errors,
            warnings,
        } = counted;
        format!("{client}\t{rule}\t{at_defaults}\t{errors}\t{warnings}\n")
    });
    let head =
        "client\trule\twarnings at defaults\terrors of --client all\twarnings of --client all\n";
    let text: String = [head.to_owned()].into_iter().chain(rows).collect();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(KEPT);
    if std::env::var_os("UPDATE_CASES").is_some() {
        fs::write(&kept, &text).expect("the counts are written");
    }
    assert_eq!(fs::read_to_string(&kept).expect("the kept counts"), text);
}

/// The findings of one client and one rule.
#[derive(Default)]
struct Counted {
    at_defaults: usize,
    errors: usize,
    warnings: usize,
}

/// By the name of the client and the rule. A finding of the specification has the client `-`.
type Counts = BTreeMap<(String, String), Counted>;

/// Counts a finding for each client that the finding names, and looks for the source of that client's fact.
fn count(counts: &mut Counts, finding: &Diagnostic, field: impl Fn(&mut Counted) -> &mut usize) {
    let (message, help) = (finding.message.to_string(), finding.help.to_string());
    // The names of the clients end the message, each with what it does before it.
    let (_, does) = message.rsplit_once("`: ").unwrap_or(("", &message));
    let mut of_clients = Vec::new();
    for client in clients().iter().filter(|it| does.contains(it.title)) {
        let mut sources = client.facts.iter().map(|fact| fact.source);
        let is_quoted = sources.any(|source| !source.is_empty() && help.contains(source));
        assert!(is_quoted, "{finding} quotes no source: {help}");
        of_clients.push(client.name);
    }
    if of_clients.is_empty() {
        of_clients.push("-");
    }
    for name in of_clients {
        let key = (name.to_owned(), finding.rule.to_string());
        *field(counts.entry(key).or_default()) += 1;
    }
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

fn found(folder: &Path, settings: &Settings) -> Vec<Diagnostic> {
    let start = Start::new(folder, None).expect("a start");
    let repository = Repository::open(start, settings).expect("a repository");
    let bundles = repository.bundles.iter();
    let mut found: Vec<Diagnostic> = bundles
        .flat_map(|bundle| repository.check(bundle).diagnostics)
        .collect();
    // Rules of other groups name clients too: `positional-placeholder`.
    found.retain(|finding| {
        let rule = rules::find(finding.rule.as_str());
        rule.is_some_and(|rule| rule.group == Group::Portability)
            || finding.help.to_string().contains("; source: ")
    });
    found
}
