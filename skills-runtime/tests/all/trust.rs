//! Checks the trust of a person in a skill, and when that trust ends.

#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{Disk, get};
use skills_format::text::path::PathText as _;
use skills_runtime::source::{Changes, TrustRecord};
use skills_runtime::{Catalog, ErrorKind};
use skills_session::activation::activate;
use skills_session::options::Options;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn load(disk: &Disk, records: &[TrustRecord]) -> Catalog {
    Catalog::builder()
        .untrusted("project", disk.path("project"))
        .trusted(records.to_vec())
        .load()
}

fn record(disk: &Disk, id: &str) -> TrustRecord {
    let catalog = load(disk, &[]);
    let entry = catalog.get(id).expect("a skill");
    entry.trust_record().expect("a record")
}

fn project() -> (Disk, Vec<TrustRecord>) {
    let disk = Disk::new();
    disk.skill("project/a");
    disk.skill("project/group/b");
    disk.write("project/a/scripts/run.sh", "echo 1");
    disk.write("project/README.md", "no file of a skill");
    let records = vec![record(&disk, "project:a"), record(&disk, "project:b")];
    (disk, records)
}

/// Writes a file of the same length, and restores its time.
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

/// Sets another time on a file.
fn age(disk: &Disk, path: &str) {
    let file = fs::File::options().write(true).open(disk.path(path));
    let past = SystemTime::now() - Duration::from_secs(99);
    file.and_then(|file| file.set_modified(past))
        .expect("a time");
}

#[test]
fn a_record_makes_a_skill_trusted() {
    let (disk, records) = project();
    let paths = |record: &TrustRecord| {
        let paths = record.files().map(|(path, _)| path.shown().into_owned());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(paths(&records[0]), ["SKILL.md", "scripts/run.sh"]);
    assert_eq!(records[1].place().1, Path::new("group/b"));
    let loaded = load(&disk, &records);
    assert!(
        loaded.diagnostics().is_empty(),
        "{:?}",
        loaded.diagnostics()
    );
    assert_eq!(get(&loaded, "b").as_deref(), Some("project:b"));
    let entry = loaded.get("a").expect("it answers to its name");
    assert!(entry.is_trusted());
    assert_eq!(entry.dir(), "a");
    assert_eq!(entry.body().expect("a body"), "The body of a.");
    assert_eq!(&*entry.read("scripts/run.sh").expect("a file"), b"echo 1");
    fs::write(disk.path("project/README.md"), "changed").expect("written");
    assert!(load(&disk, &records).diagnostics().is_empty());
}

#[test]
fn trust_is_of_one_skill() {
    let (disk, records) = project();
    let loaded = load(&disk, &records[..1]);
    assert_eq!(get(&loaded, "a").as_deref(), Some("project:a"));
    assert!(!loaded.get("b").expect("listed").is_trusted());
    let b = loaded.get("project:b").expect("listed");
    assert!(!b.is_trusted() && b.trusted_record().is_none());
}

#[test]
fn a_change_that_loading_sees_ends_the_trust_in_that_skill() {
    for (change, words) in [
        (0, "added scripts/more.sh"),
        (1, "removed scripts/run.sh"),
        (2, "changed SKILL.md"),
        (3, "added .git, added .git/hook"),
        (4, "added x.sh~"),
        (5, "added empty"),
    ] {
        let (disk, records) = project();
        match change {
            0 => drop(disk.write("project/a/scripts/more.sh", "x")),
            1 => fs::remove_file(disk.path("project/a/scripts/run.sh")).expect("gone"),
            2 => {
                tamper(&disk, "project/a/SKILL.md");
                age(&disk, "project/a/SKILL.md");
            }
            3 => drop(disk.write("project/a/.git/hook", "x")),
            4 => drop(disk.write("project/a/x.sh~", "x")),
            _ => fs::create_dir(disk.path("project/a/empty")).expect("a folder"),
        }
        let loaded = load(&disk, &records);
        let is_trusted = |id: &str| loaded.get(id).is_some_and(|e| e.is_trusted());
        assert_eq!([is_trusted("a"), is_trusted("b")], [false, true], "{words}");
        let [found] = loaded.diagnostics() else {
            panic!("one diagnostic: {:?}", loaded.diagnostics())
        };
        assert_eq!(found.rule.as_str(), "trust-changed");
        assert!(found.message.ends_with(words), "{}", found.message);
        let entry = loaded.get("project:a").expect("listed");
        let Some((_, Some(changes))) = entry.trusted_record() else {
            panic!("it has changed: {words}");
        };
        assert!(!entry.is_trusted());
        assert_eq!(changes.to_string(), words);
        assert!(entry.body().is_ok(), "a person can look at it");
    }
}

#[test]
fn a_change_that_loading_does_not_see_ends_it_when_the_skill_is_started() {
    let (disk, records) = project();
    tamper(&disk, "project/a/scripts/run.sh");
    let catalog = load(&disk, &records);
    let a = catalog.get("a").expect("length and time are the same");
    let error = a.body().expect_err("a changed script");
    assert_eq!(error.kind(), ErrorKind::Untrusted);
    assert!(
        error.to_string().ends_with("changed scripts/run.sh"),
        "{error}"
    );
    assert_eq!(
        a.read("scripts/run.sh").expect_err("changed").kind(),
        ErrorKind::Untrusted
    );
    assert!(a.read("SKILL.md").is_ok() && a.read("./SKILL.md").is_ok());
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
fn a_file_that_was_only_written_again_is_the_same() {
    let (disk, records) = project();
    age(&disk, "project/a/SKILL.md");
    age(&disk, "project/a/scripts/run.sh");
    let loaded = load(&disk, &records);
    assert!(
        loaded.diagnostics().is_empty(),
        "{:?}",
        loaded.diagnostics()
    );
    let entry = loaded.get("a").expect("it answers to its name");
    assert!(entry.is_trusted());
    assert!(entry.body().is_ok());
}

#[test]
fn of_two_roots_each_skill_is_decided_alone() {
    let (disk, records) = project();
    disk.skill("above/c");
    fs::create_dir(disk.path("none")).expect("a folder");
    let mut builder = Catalog::builder();
    for root in ["project", "above", "none"] {
        builder = builder.untrusted("project", disk.path(root));
    }
    let loaded = builder.trusted(records).load();
    assert!(loaded.folders().all(|(source, _)| source == "project"));
    assert!(loaded.get("a").expect("a").is_trusted());
    assert!(!loaded.get("project:c").expect("c").is_trusted());
    let rules: Vec<_> = loaded
        .diagnostics()
        .iter()
        .map(|d| d.rule.as_str())
        .collect();
    assert_eq!(rules, ["untrusted"]);
}

#[test]
fn a_record_tells_what_is_different() {
    let (disk, records) = project();
    let before = &records[0];
    assert_eq!(before.difference(before), Changes::default());
    disk.write("project/a/examples/inner/SKILL.md", "below a skill");
    tamper(&disk, "project/a/SKILL.md");
    fs::remove_file(disk.path("project/a/scripts/run.sh")).expect("gone");
    let difference = before.difference(&record(&disk, "project:a"));
    assert_eq!(
        difference.added,
        ["examples", "examples/inner", "examples/inner/SKILL.md"]
    );
    assert_eq!(difference.changed, ["SKILL.md"]);
    assert_eq!(difference.removed, ["scripts/run.sh"]);
    let words = "changed SKILL.md, added examples, added examples/inner, \
                 added examples/inner/SKILL.md, removed scripts/run.sh";
    assert_eq!(difference.to_string(), words);
}

#[test]
fn a_record_is_for_one_folder() {
    let (disk, records) = project();
    fs::rename(disk.path("project"), disk.path("moved")).expect("moved");
    let catalog = Catalog::builder()
        .untrusted("project", disk.path("moved"))
        .trusted(records)
        .load();
    assert!(!catalog.get("a").expect("listed").is_trusted());
}

#[test]
fn the_digest_is_that_of_the_folder() {
    let (disk, records) = project();
    let again = record(&disk, "project:a");
    assert_eq!(records[0], again);
    age(&disk, "project/a/SKILL.md");
    assert_eq!(records[0].digest(), record(&disk, "project:a").digest());
    tamper(&disk, "project/a/scripts/run.sh");
    assert_ne!(records[0].digest(), record(&disk, "project:a").digest());
}

#[test]
fn what_a_load_saw_must_be_what_is_started() {
    let (disk, _) = project();
    let genuine = "---\nname: c\ndescription: Does c.\nallowed-tools: Read\n---\nC.\n";
    disk.write("project/c/SKILL.md", genuine);
    let record = record(&disk, "project:c");
    let path = disk.path("project/c/SKILL.md");
    let put = |text: &str| {
        let time = fs::metadata(&path)
            .and_then(|m| m.modified())
            .expect("a time");
        fs::write(&path, text).expect("written");
        let file = fs::File::options().write(true).open(&path).expect("a file");
        file.set_modified(time).expect("a time");
    };
    put(&genuine.replace("allowed", "ignored"));
    let catalog = load(&disk, &[record]);
    put(genuine);
    let c = catalog.get("c").expect("length and time are the same");
    let error = activate(&Options::DEFAULT, &c, "");
    assert_eq!(error.expect_err("another view").kind(), ErrorKind::Refused);
}

#[test]
fn a_policy_that_changed_after_the_load_starts_nothing() {
    let disk = Disk::new();
    disk.skill("user/a");
    let load = || {
        Catalog::builder()
            .directory("user", disk.path("user"))
            .load()
    };
    let kind = |catalog: &Catalog| {
        let a = catalog.get("a").expect("a skill");
        let started = activate(&Options::DEFAULT, &a, "");
        (
            !a.fields().disable_model_invocation,
            started.err().map(|error| error.kind()),
        )
    };
    let open = load();
    assert_eq!(kind(&open), (true, None));
    disk.write(
        "user/a/agents/openai.yaml",
        "policy: {allow_implicit_invocation: false}",
    );
    assert_eq!(kind(&open), (true, Some(ErrorKind::Refused)));
    let closed = load();
    assert_eq!(kind(&closed), (false, None));
    // A pipe cannot say that the model may start the skill.
    let path = disk.path("user/a/agents/openai.yaml");
    fs::remove_file(&path).expect("gone");
    assert_eq!(kind(&closed), (false, Some(ErrorKind::Refused)));
    fs::create_dir(&path).expect("a folder");
    let unreadable = load();
    assert_eq!(kind(&unreadable), (false, None));
    assert_eq!(unreadable.diagnostics().len(), 1);
}

#[test]
fn a_policy_is_part_of_what_a_person_trusts() {
    let disk = Disk::new();
    disk.skill("project/a");
    disk.write(
        "project/a/agents/openai.yaml",
        "policy: {allow_implicit_invocation: false}",
    );
    let record = record(&disk, "project:a");
    let trusted = load(&disk, std::slice::from_ref(&record));
    let start = |catalog: &Catalog| {
        let a = catalog.get("a").expect("a skill");
        let started = activate(&Options::DEFAULT, &a, "");
        started.err().map(|error| error.kind())
    };
    assert_eq!(start(&trusted), None);
    let open = "policy: {allow_implicit_invocation: true }";
    disk.write("project/a/agents/openai.yaml", open);
    assert_eq!(start(&trusted), Some(ErrorKind::Untrusted));
    assert_eq!(start(&load(&disk, &[record])), Some(ErrorKind::Untrusted));
}

fn recorded(disk: &Disk) -> Result<TrustRecord, ErrorKind> {
    let catalog = load(disk, &[]);
    let skill = catalog.get("project:a").expect("a skill");
    skill.trust_record().map_err(|error| error.kind())
}

#[cfg(unix)]
#[test]
fn what_is_not_a_file_of_the_folder_is_not_recorded() {
    let (disk, _) = project();
    let link = disk.path("project/a/link");
    std::os::unix::fs::symlink("scripts/run.sh", &link).expect("a link");
    let record = recorded(&disk).expect("a link in the folder");
    assert_eq!(record.files().nth(1), Some((Path::new("link"), None)));
    fs::remove_file(&link).expect("gone");
    std::os::unix::fs::symlink("../README.md", &link).expect("a link");
    assert_eq!(recorded(&disk), Err(ErrorKind::Refused));
    fs::remove_file(&link).expect("gone");
    let _socket = std::os::unix::net::UnixListener::bind(&link).expect("a socket");
    let catalog = load(&disk, &[]);
    let error = catalog.get("project:a").expect("a skill").trust_record();
    let error = error.expect_err("a socket").to_string();
    assert!(
        error.ends_with("it is a pipe, a socket or a device"),
        "{error}"
    );
}

/// Thirty-two folders deep, and no more than 256 MiB: the lengths are compared before a file is read.
#[test]
fn a_folder_beyond_the_limits_is_not_recorded() {
    let (disk, _) = project();
    let deep = |folders: usize| format!("project/a/{}file", "d/".repeat(folders));
    disk.write(&deep(32), "x");
    assert!(recorded(&disk).is_ok());
    disk.write(&deep(33), "x");
    assert_eq!(recorded(&disk), Err(ErrorKind::Refused));

    let (disk, _) = project();
    let large = fs::File::create(disk.path("project/a/large")).expect("a file");
    large.set_len(257 << 20).expect("a length");
    let catalog = load(&disk, &[]);
    let error = catalog.get("project:a").expect("a skill").trust_record();
    let error = error.expect_err("too large").to_string();
    assert!(
        error.ends_with("its files have more than 268435456 bytes together"),
        "{error}"
    );
}

#[test]
fn the_question_says_what_changed_since_the_last_yes() {
    let (disk, records) = project();
    let asked = || {
        let question = load(&disk, &records).trust_question("project:a");
        question.expect("a question").0
    };
    assert!(asked().contains("\nunchanged since it was trusted\n"));
    disk.write("project/a/new.sh", "echo 2");
    let question = asked();
    assert!(
        question.contains("\nsince it was trusted: added new.sh\n"),
        "{question}"
    );
    let first = load(&disk, &[]).trust_question("project:a");
    assert!(
        !first
            .expect("a question")
            .0
            .contains("since it was trusted")
    );
}

/// The id means the skill of the highest rank, and the person can mean a skill below it.
#[test]
fn a_skill_that_needs_no_trust_leads_to_the_one_below() {
    let (disk, _) = project();
    disk.skill("user/a");
    disk.skill("user/c");
    let user = Catalog::builder().directory("user", disk.path("user"));
    let catalog = user.untrusted("project", disk.path("project")).load();
    let refused = |id: &str| {
        let error = catalog.trust_question(id).expect_err("no question");
        error.to_string()
    };
    let hint = "; /skill trust project:a asks about the other";
    assert!(refused("user:a").ends_with(hint), "{}", refused("user:a"));
    let alone = "this program trusts every skill of its source";
    assert!(refused("user:c").ends_with(alone), "{}", refused("user:c"));
}

#[test]
fn the_question_steers_no_terminal() {
    let (disk, _) = project();
    let text = "---\nname: c\ndescription: Does c.\n---\nA \u{1b}[31mred\u{7f} line.\n\tA \u{202e}turned one.\n";
    disk.write("project/c/SKILL.md", text);
    let catalog = load(&disk, &[]);
    let (shown, _) = catalog.trust_question("project:c").expect("a question");
    let end = "A \u{241b}[31mred\u{2421} line.\n\tA \u{fffd}turned one.\n";
    assert!(shown.ends_with(end), "{shown:?}");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_ends_the_trust() {
    let (disk, _) = project();
    let link = disk.path("project/a/link");
    std::os::unix::fs::symlink("scripts/run.sh", &link).expect("a link");
    let record = record(&disk, "project:a");
    let is_trusted = || {
        let catalog = load(&disk, std::slice::from_ref(&record));
        catalog.get("project:a").expect("a skill").is_trusted()
    };
    assert!(is_trusted());
    fs::remove_file(&link).expect("gone");
    std::os::unix::fs::symlink("SKILL.md", &link).expect("a link");
    assert!(!is_trusted());
}
