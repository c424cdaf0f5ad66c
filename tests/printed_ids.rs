//! `skills explain` knows every id that is printed with a finding.

use skills_lint::rules::{find, find_other};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Ids that are text of skills in the cases, and not ids of findings.
const TEXT: [&str; 1] = ["z-a"];

#[test]
fn every_id_that_the_cases_print_is_explained() {
    let mut ids = BTreeMap::new();
    for folder in ["tests/cases", "docs", "README.md"] {
        for (path, text) in files(&root().join(folder), "md") {
            for line in text.lines() {
                ids.extend(printed(line).map(|id| (id.to_owned(), path.clone())));
            }
        }
    }
    assert!(ids.len() > 20, "the cases print ids: {ids:?}");
    let unknown: Vec<_> = ids.iter().filter(|(id, _)| !is_explained(id)).collect();
    assert!(unknown.is_empty(), "no explanation of {unknown:?}");
}

fn is_explained(id: &str) -> bool {
    TEXT.contains(&id) || find(id).is_some() || find_other(id).is_some()
}

/// Returns the ids in a printed line: `error[ID]: …` and `warning: … [ID]`.
fn printed(line: &str) -> impl Iterator<Item = &str> {
    const LABELS: [&str; 3] = ["error[", "warning[", "info["];
    let inside = LABELS
        .iter()
        .filter_map(move |label| line.split_once(label)?.1.split_once(']').map(|(id, _)| id));
    let is_finding = ["error: ", "warning: "]
        .iter()
        .any(|label| line.starts_with(label));
    let last = line.strip_suffix(']').filter(|_| is_finding);
    let last = last
        .and_then(|line| line.rsplit_once(" ["))
        .map(|(_, id)| id);
    inside.chain(last).filter(|id| is_id(id))
}

fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Returns the files below a path with an extension.
fn files(path: &Path, extension: &str) -> Vec<(PathBuf, String)> {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        return paths.flat_map(|path| files(&path, extension)).collect();
    }
    let is_asked = path.extension().is_some_and(|found| found == extension);
    let text = is_asked.then(|| fs::read_to_string(path).expect("a text"));
    text.map(|text| (path.to_owned(), text))
        .into_iter()
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
