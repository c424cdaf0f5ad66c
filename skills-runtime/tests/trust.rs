//! What a person has trusted, and when that ends.

#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

mod support;

use skills_runtime::activation::Envelope;
use skills_runtime::source::{FolderTrust, TrustRecord};
use skills_runtime::{ActivationOptions, Catalog, ErrorKind, Loaded};
use std::fs;
use std::time::{Duration, SystemTime};
use support::{Disk, get};

fn load(disk: &Disk, records: &[TrustRecord]) -> Loaded {
    Catalog::builder()
        .untrusted("project", disk.path("project"))
        .trusted(records.to_vec())
        .load()
}

fn project() -> (Disk, Vec<TrustRecord>) {
    let disk = Disk::new();
    disk.skill("project/a");
    disk.skill("project/group/b");
    disk.write("project/a/scripts/run.sh", "echo 1");
    disk.write("project/README.md", "no file of a skill");
    let records = load(&disk, &[])
        .catalog
        .trust_records("project")
        .expect("a record");
    (disk, records)
}

/// Writes a file of the same length and gives it the time it had.
fn tamper(disk: &Disk, path: &str) {
    let path = disk.path(path);
    let time = fs::metadata(&path)
        .and_then(|m| m.modified())
        .expect("a time");
    let text = fs::read_to_string(&path)
        .expect("text")
        .replace("echo 1", "echo 2");
    let text = text.replace("The body", "A tricky");
    fs::write(&path, text).expect("written");
    let file = fs::File::options().write(true).open(&path).expect("a file");
    file.set_modified(time).expect("a time");
}

/// Gives a file another time.
fn age(disk: &Disk, path: &str) {
    let file = fs::File::options().write(true).open(disk.path(path));
    let past = SystemTime::now() - Duration::from_secs(99);
    file.and_then(|file| file.set_modified(past))
        .expect("a time");
}

#[test]
fn a_record_makes_a_source_trusted() {
    let (disk, records) = project();
    let [record] = records.as_slice() else {
        panic!("one record")
    };
    let paths: Vec<_> = record.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        ["a/SKILL.md", "a/scripts/run.sh", "group/b/SKILL.md"]
    );
    let loaded = load(&disk, &records);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(get(&loaded.catalog, "b").as_deref(), Some("project:b"));
    let entry = loaded.catalog.get("a").expect("it answers to its name");
    assert!(entry.is_trusted());
    assert_eq!(entry.body().expect("a body"), "The body of a.");
    assert_eq!(&*entry.read("scripts/run.sh").expect("a file"), b"echo 1");
    fs::write(disk.path("project/README.md"), "changed").expect("written");
    assert!(load(&disk, &records).diagnostics.is_empty());
}

#[test]
fn a_change_that_loading_sees_ends_it() {
    for change in 0..5 {
        let (disk, records) = project();
        match change {
            0 => drop(disk.skill("project/c")),
            1 => drop(disk.write("project/a/scripts/more.sh", "x")),
            2 => fs::remove_file(disk.path("project/a/scripts/run.sh")).expect("gone"),
            3 => drop(disk.write("project/group/b/SKILL.md", support::skill("b", "x"))),
            _ => {
                tamper(&disk, "project/a/SKILL.md");
                age(&disk, "project/a/SKILL.md");
            }
        }
        let loaded = load(&disk, &records);
        assert_eq!(get(&loaded.catalog, "a"), None, "change {change}");
        let rules: Vec<_> = loaded.diagnostics.iter().map(|d| d.rule).collect();
        assert_eq!(rules, ["trust-changed"], "change {change}");
        let entry = loaded.catalog.get("project:a").expect("listed");
        assert_eq!(entry.trust(), FolderTrust::Changed);
        assert!(
            loaded
                .catalog
                .get("project:a")
                .expect("listed")
                .body()
                .is_ok()
        );
    }
}

#[test]
fn a_change_that_loading_does_not_see_ends_it_when_the_skill_is_started() {
    let (disk, records) = project();
    tamper(&disk, "project/a/scripts/run.sh");
    let catalog = load(&disk, &records).catalog;
    let a = catalog.get("a").expect("length and time are the same");
    assert_eq!(
        a.body().expect_err("a changed script").kind(),
        ErrorKind::Untrusted
    );
    assert_eq!(
        a.read("scripts/run.sh").expect_err("changed").kind(),
        ErrorKind::Untrusted
    );
    assert!(a.read("SKILL.md").is_ok());
    let b = catalog.get("b").expect("a skill");
    assert!(b.body().is_ok());
    tamper(&disk, "project/group/b/SKILL.md");
    assert_eq!(
        b.body().expect_err("a changed body").kind(),
        ErrorKind::Untrusted
    );
    disk.write("project/group/b/new.sh", "x");
    assert_eq!(
        b.read("new.sh").expect_err("new").kind(),
        ErrorKind::Untrusted
    );
}

#[test]
fn a_pointer_leads_to_nothing_that_has_changed() {
    let (disk, records) = project();
    let mut options = ActivationOptions::default();
    options.envelope = Envelope::Pointer;
    let start = || {
        let catalog = load(&disk, &records).catalog;
        let a = catalog.get("a").expect("length and time are the same");
        a.activate("", &options)
    };
    assert!(start().is_ok());
    tamper(&disk, "project/a/SKILL.md");
    assert_eq!(start().expect_err("changed").kind(), ErrorKind::Untrusted);
}

#[test]
fn a_file_that_was_only_written_again_is_the_same() {
    let (disk, records) = project();
    age(&disk, "project/a/SKILL.md");
    age(&disk, "project/a/scripts/run.sh");
    let loaded = load(&disk, &records);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let entry = loaded.catalog.get("a").expect("it answers to its name");
    assert_eq!(entry.trust(), FolderTrust::Recorded);
    assert_eq!(entry.root(), Some(disk.path("project").as_path()));
    assert!(entry.body().is_ok());
}

#[test]
fn a_source_waits_until_each_of_its_folders_is_trusted() {
    let (disk, records) = project();
    disk.skill("above/c");
    fs::create_dir(disk.path("none")).expect("a folder");
    let load = |records: &[TrustRecord]| {
        let mut builder = Catalog::builder();
        for root in ["project", "above", "none"] {
            builder = builder.untrusted("project", disk.path(root));
        }
        builder.trusted(records.to_vec()).load().catalog
    };
    let catalog = load(&records);
    let [source] = catalog.sources() else {
        panic!("one source")
    };
    assert!(!source.is_trusted());
    let trust: Vec<_> = source.folders().map(|(_, trust)| trust).collect();
    assert_eq!(
        trust,
        [
            FolderTrust::Recorded,
            FolderTrust::Untrusted,
            FolderTrust::Empty
        ]
    );
    let records = catalog.trust_records("project").expect("records");
    assert_eq!(records.len(), 2);
    assert!(load(&records).sources()[0].is_trusted());
}

#[test]
fn a_record_tells_its_skills_and_what_is_different() {
    let (disk, records) = project();
    disk.write("project/a/examples/inner/SKILL.md", "below a skill");
    let before = &records[0];
    assert_eq!(before.skills(), ["a", "group/b"]);
    assert!(before.difference(before).is_empty());
    disk.write("project/group/b/SKILL.md", support::skill("b", "x"));
    fs::remove_file(disk.path("project/a/scripts/run.sh")).expect("gone");
    let now = &load(&disk, &[])
        .catalog
        .trust_records("project")
        .expect("a record")[0];
    assert_eq!(now.skills(), ["a", "group/b"]);
    let difference = before.difference(now);
    assert_eq!(difference.added, ["a/examples/inner/SKILL.md"]);
    assert_eq!(difference.changed, ["group/b/SKILL.md"]);
    assert_eq!(difference.removed, ["a/scripts/run.sh"]);
}

#[test]
fn a_record_is_for_one_folder() {
    let (disk, records) = project();
    fs::rename(disk.path("project"), disk.path("moved")).expect("moved");
    let catalog = Catalog::builder()
        .untrusted("project", disk.path("moved"))
        .trusted(records)
        .load()
        .catalog;
    assert_eq!(get(&catalog, "a"), None);
}

#[test]
fn the_digest_is_that_of_the_files() {
    let (disk, records) = project();
    let again = load(&disk, &[])
        .catalog
        .trust_records("project")
        .expect("a record");
    assert_eq!(records, again);
    tamper(&disk, "project/a/scripts/run.sh");
    let changed = load(&disk, &[])
        .catalog
        .trust_records("project")
        .expect("a record");
    assert_ne!(records[0].digest(), changed[0].digest());
    assert!(load(&disk, &[]).catalog.trust_records("nobody").is_err());
}

#[test]
fn a_host_can_open_the_gate() {
    let disk = Disk::new();
    disk.skill("project/a");
    let loaded = Catalog::builder()
        .untrusted("project", disk.path("project"))
        .trust_all()
        .load();
    assert_eq!(get(&loaded.catalog, "a").as_deref(), Some("project:a"));
    assert!(loaded.diagnostics.is_empty());
}
