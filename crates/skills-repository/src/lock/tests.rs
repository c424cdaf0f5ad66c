//! Tests that locks are written, parsed and compared.

#![expect(clippy::disallowed_methods, reason = "a test makes its files")]

use super::*;

fn lock(skills: &[(&str, &[u8])]) -> Lock {
    let locked = |bytes: &[u8]| Locked::new(Digest::of(bytes), bytes.len() as u64);
    Lock {
        kind: LockKind::Bundle,
        skills: skills
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), locked(bytes)))
            .collect(),
    }
}

#[test]
fn written_and_read() {
    let lock = lock(&[("a", b"1"), ("übersicht", b"2")]);
    assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
}

#[test]
fn each_change_is_named() {
    let old = lock(&[("a", b"1"), ("b", b"1"), ("d", b"1")]);
    let new = lock(&[("a", b"1"), ("b", b"2"), ("c", b"1")]);
    let changes: Vec<String> = old.changes(&new).iter().map(ToString::to_string).collect();
    assert_eq!(
        changes,
        ["`b` was changed", "`c` was added", "`d` was removed"]
    );
    assert_eq!(old.changes(&old), []);
}

#[test]
fn triggers_are_compared() {
    let with = |triggers: Option<&[u8]>| {
        let mut lock = lock(&[("a", b"1")]);
        for locked in lock.skills.values_mut() {
            locked.triggers = triggers.map(Digest::of);
            locked.powers = Some(Powers::default());
        }
        lock
    };
    let one = with(Some(b"1"));
    assert_eq!(Lock::parse(&one.to_string()), Ok(one.clone()));
    let changed = [Change::Triggers("a".to_owned())];
    assert_eq!(one.changes(&with(Some(b"2"))), changed);
    assert_eq!(one.changes(&with(None)), changed);
    assert_eq!(with(None).changes(&one), changed);
}

#[test]
fn markers_of_a_conflict_have_two_sides() {
    let text = lock(&[("a", b"1")]).to_string();
    let entry = |name: &str| {
        let text = lock(&[(name, b"2")]).to_string();
        text[text.find("[[skill]]").expect("an entry")..].to_owned()
    };
    let text = format!(
        "{text}\n<<<<<<< HEAD\n{}||||||| base\nx\n=======\n{}>>>>>>> other\n",
        entry("b"),
        entry("c")
    );
    assert!(Lock::parse(&text).is_err_and(|error| error.conflict));
    let (kind, entries) = Lock::parse_sides(&text).expect("two locks");
    let names: Vec<String> = entries.into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        (kind, names.concat()),
        (LockKind::Bundle, "abac".to_owned())
    );
}

#[test]
fn provenance_is_written_and_read() {
    let mut provenance = Provenance::new("https://example.org/a \"b\" \\ c.git");
    provenance.requested = Some("v'2".to_owned());
    let locked = Locked::new(Digest::of(b"1"), 1).from(provenance);
    let lock = Lock::installed([("a".to_owned(), locked)].into());
    assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
}

#[test]
fn secrets_of_a_source_are_not_shown() {
    for (source, shown) in [
        ("https://a.example/b.git", "https://a.example/b.git"),
        ("ssh://git@a.example/b", "ssh://git@a.example/b"),
        ("git@a.example:b", "git@a.example:b"),
        ("file:///srv/a@b?c", "file:///srv/a@b?c"),
        ("program skills 1", "program skills 1"),
        ("https://me:secret@a.example/b", "https://…@a.example/b"),
        ("https://secret@a.example/b@c", "https://…@a.example/b@c"),
        ("ssh://me:secret@a.example/b", "ssh://…@a.example/b"),
        ("https://a.example/b?token=secret", "https://a.example/b?…"),
        ("https://a.example?secret@x/y", "https://a.example?…"),
        ("https://x@y@a.example/b?secret", "https://…@a.example/b?…"),
    ] {
        assert_eq!(Provenance::new(source).shown_source(), shown);
        assert_eq!(Provenance::new(source).to_string(), shown);
    }
}

/// The check of one folder never runs this rule, so its examples run here.
#[test]
fn the_examples_of_powers_widened_are_reported() {
    let rule = skills_lint::rules::find("powers-widened").expect("a rule");
    let found = |example: &skills_lint::rules::Example| {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join("skills").join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        write("skills.toml", example.config());
        for (path, content) in example.files() {
            write(&path, &content.text().expect("a text"));
        }
        let folder = skills_compiler::Folder::read(root.path(), "skills");
        let found = check::check(&folder, &folder.compile()).into_iter();
        let found = found.map(|it| format!("{}:{} {}", it.path, it.start.line, it.message));
        found.collect::<Vec<_>>()
    };
    assert_eq!(found(&rule.good), [""; 0]);
    assert_eq!(
        found(&rule.bad),
        [
            "skills/release-notes/SKILL.md:6 `release-notes` may do more than `skills.lock` holds: commands: git push"
        ]
    );
}
