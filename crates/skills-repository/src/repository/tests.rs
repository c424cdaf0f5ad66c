//! Every path to a skill gives the same findings.

#![allow(clippy::disallowed_methods, reason = "a test writes and reads files")]

use crate::repository::{Repository, Settings, Start};
use skills_format::disk::{resolve, resolved};
use skills_format::text::path::PathText as _;
#[cfg(target_os = "linux")]
use skills_format::{Diagnostic, RuleId};
use std::fs;
use std::path::Path;

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

/// Returns the findings about one skill, for a path given in a working folder.
fn found(root: &Path, working: &str, given: &str) -> Vec<String> {
    let working = root.join(working);
    let start = Start::new(Path::new(given), Some(&working)).expect("a start");
    let repository = Repository::open(start, &Settings::default()).expect("a repository");
    let bundles = repository.bundles.iter();
    let found = bundles.flat_map(|bundle| repository.check(bundle).diagnostics);
    let mut lines: Vec<String> = found
        .map(|finding| {
            let path = working.join(&finding.path);
            let path = resolve(&path).expect("the path of a finding exists");
            let path = path.strip_prefix(root).expect("it is in the repository");
            format!("{}: {} {}", path.shown(), finding.rule, finding.severity)
        })
        .filter(|line| line.starts_with("skills/a"))
        .collect();
    lines.sort();
    lines
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does it. Use when asked.\n---\nSee [it](it.md).\n")
}

#[test]
fn every_path_gives_the_same_findings() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = resolved(folder.path());
    let (a, b) = (skill("b"), skill("b"));
    let config = "warn = [\"link-broken\"]\n";
    write(
        &root,
        &[
            (".git/HEAD", ""),
            ("skills.toml", config),
            ("skills/a/SKILL.md", &a),
            ("skills/b/SKILL.md", &b),
        ],
    );
    let all = found(&root, "", ".");
    assert_eq!(all.len(), 2, "{all:?}");
    for (working, given) in [
        ("", "skills"),
        ("", "./skills/a"),
        ("", "skills/a/SKILL.md"),
        ("skills", "."),
        ("skills", "a"),
        ("skills/a", "."),
        ("skills/a", "SKILL.md"),
        ("skills/b", "../a"),
        ("skills/b", ".."),
    ] {
        assert_eq!(found(&root, working, given), all, "{working} {given}");
    }
}

#[test]
fn a_skill_at_the_root_holds_no_other_skill() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = resolved(folder.path());
    write(
        &root,
        &[
            (".git/HEAD", ""),
            (
                "SKILL.md",
                &skill("whole").replace("it.md", "references/it.md"),
            ),
            ("references/it.md", "# It\n"),
            ("skills/a/SKILL.md", &skill("b")),
        ],
    );
    assert_eq!(found(&root, "", ".").len(), 2);
    assert_eq!(found(&root, "", "skills/a"), found(&root, "", "."));
    let start = Start::new(Path::new("."), Some(&root)).expect("a start");
    let repository = Repository::open(start, &Settings::default()).expect("a repository");
    let skills: usize = repository.bundles.iter().map(|bundle| bundle.skills).sum();
    assert_eq!((repository.bundles.len(), skills), (2, 2));
}

#[test]
fn a_skill_of_more_files_than_a_build_takes_is_still_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = resolved(folder.path());
    let text = format!("{}{}", skill("a"), "[many](many/)\n");
    write(&root, &[(".git/HEAD", ""), ("skills/a/SKILL.md", &text)]);
    for number in 0..512 {
        write(&root, &[(&format!("skills/a/many/{number}.txt"), "text\n")]);
    }
    assert_eq!(
        found(&root, "", "."),
        [
            "skills/a/SKILL.md: link-broken warning",
            "skills/a: skill-too-large warning",
        ]
    );
    write(&root, &[("skills.toml", "deny = [\"skill-too-large\"]\n")]);
    assert!(found(&root, "", ".").contains(&"skills/a: skill-too-large error".to_owned()));
}

/// The kind tells a caller that a file of the folder is wrong, and not the path of the call.
#[test]
fn options_that_are_not_utf_8_are_invalid_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = resolved(folder.path());
    write(&root, &[("skills/a/SKILL.md", &skill("a"))]);
    std::fs::write(root.join("skills/skills.toml"), b"\xff").expect("a file");
    let start = Start::new(Path::new("skills"), Some(&root)).expect("a folder");
    let opened = Repository::open(start, &Settings::default());
    let error = opened.map(drop).expect_err("not text");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    assert!(error.to_string().contains("skills.toml"), "{error}");
}

/// Names that are not UTF-8 are one path here, also that of a folder with a readable name.
#[test]
#[cfg(target_os = "linux")]
fn a_skill_with_an_unreadable_path_is_not_counted_as_checked() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let root = resolved(folder.path());
    for bundle in ["skills", "other/skills"] {
        for name in [b"b\xFE".as_slice(), b"b\xFF", "b\u{FFFD}".as_bytes(), b"c"] {
            let path = root.join(bundle).join(OsStr::from_bytes(name));
            fs::create_dir_all(&path).expect("a folder");
            fs::write(path.join("SKILL.md"), skill("c")).expect("a file");
        }
    }
    write(&root, &[("skills/c/it.md", "It.\n")]);
    let start = Start::new(Path::new("."), Some(&root)).expect("a start");
    let repository = Repository::open(start, &Settings::default()).expect("a repository");
    for bundle in &repository.bundles {
        let numbers = (
            bundle.skills,
            bundle.mirrors,
            bundle.unchecked,
            bundle.checked(),
        );
        assert_eq!(numbers, (2, 0, 1, 1), "{}", bundle.path);
        let found = repository.check(bundle).diagnostics;
        let is_reported = |found: &Diagnostic| found.is(RuleId::PathForm);
        assert!(found.iter().any(is_reported), "{found:?}");
    }
}
