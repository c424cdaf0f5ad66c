//! Checks that near matches find the intended name among as many names as a full catalog has.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "real names are read where SKILLS_CORPUS says, and what is missed is shown"
)]

use crate::support::Disk;
use crate::support::names::{self, Typed};
use skills_runtime::{Catalog, Outcome, Surface};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The minimum percentage of typed texts for which the intended name comes first.
const FIRST: [(&str, usize); 5] = [
    ("one edit", 99),
    ("two edits", 97),
    ("order", 99),
    ("prefix", 95),
    ("initials", 95),
];

#[test]
fn what_is_meant_comes_first() {
    check(&names::names(1_700), 6);
}

/// Checks the names of real skills, if `SKILLS_CORPUS` names their folder.
#[test]
fn what_is_meant_comes_first_among_real_names() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        return;
    };
    let mut names = BTreeSet::new();
    // Only the folder `sample`: other folders hold made-up faults, whose names differ in one letter on
    // purpose.
    find(&Path::new(&corpus).join("sample"), &mut names);
    check(&names.into_iter().collect::<Vec<_>>(), 1);
}

fn check(names: &[String], every: usize) {
    let disk = Disk::new();
    for name in names {
        disk.skill(&format!("skills/{name}"));
    }
    let catalog = Catalog::builder()
        .directory("user", disk.path("skills"))
        .load();
    assert_eq!(catalog.iter().count(), names.len());
    let typed = names::typed(names, every);
    for (kind, percent) in FIRST {
        let all = &typed[kind];
        let missed: Vec<&Typed> = all
            .iter()
            .filter(|(typed, name)| first(&catalog, typed).as_ref() != Some(name))
            .collect();
        println!("{kind}: {} of {} missed", missed.len(), all.len());
        assert!(
            100 * (all.len() - missed.len()) >= percent * all.len(),
            "{kind}: {missed:?}"
        );
    }
}

/// Returns the first suggestion.
fn first(catalog: &Catalog, typed: &str) -> Option<String> {
    let resolution = catalog.mentions(&format!("${typed} x"), Surface::User, 8);
    assert!(
        resolution.skills.is_empty(),
        "a near match is not activated: {typed}"
    );
    match &resolution.mentions.first()?.outcome {
        Outcome::Ambiguous { candidates, .. } => candidates.first().cloned(),
        _ => None,
    }
}

/// Returns the valid names of folders with a `SKILL.md`.
fn find(folder: &Path, names: &mut BTreeSet<String>) {
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        if path.is_dir() {
            find(&path, names);
        } else if item.file_name() == "SKILL.md"
            && let Some(name) = folder.file_name().and_then(|name| name.to_str())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            names.insert(name.to_owned());
        }
    }
}
