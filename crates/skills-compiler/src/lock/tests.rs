//! Tests that locks are written, parsed and compared.

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
fn faults_have_their_place() {
    let at = |text: &str| match Lock::parse(text) {
        Ok(_) => String::new(),
        Err(reported) => format!("{}: {}", reported.span.of(text), reported.message),
    };
    assert_eq!(
        at("version = 99\ndigest = ''\nunknown = 1"),
        "99: a newer version of `skills` wrote this lock: it has version 99, not 4"
    );
    let is_newer = |text: &str| Lock::parse(text).expect_err(text).newer;
    assert!(is_newer("version = 99") && !is_newer("version = 0"));
    assert_eq!(
        at("version = 3"),
        "3: an older version of `skills` wrote this lock: it has version 3, not 4"
    );
    assert!(at("<<<<<<< HEAD\n").contains("conflict markers"));
    for (text, told) in [
        ("", ": this is not a lock: `version` is missing"),
        (
            "version = -1",
            "-1: this is not a lock: `version` is not a whole number from 0",
        ),
        (
            "version = 4\ndigests = ''",
            "digests: this is not a lock: `digests` is not a field of a lock",
        ),
        (
            "version = 4\n[[skill]]\nname = 'a'\ndigest = 'x'",
            "'x': this is not a SHA-256",
        ),
        (
            "version = 4\nkind = 1\n",
            "1: this is not a lock: `kind` is not a text",
        ),
        (
            "version = 4\nkind = 'x'\n",
            "'x': `kind` is `bundle` or `installed`",
        ),
    ] {
        assert_eq!(at(text), told, "{text}");
    }
    let digest = Digest::of(b"");
    let named = |name: &str| {
        at(&format!(
            "version = 4\n[[skill]]\nname = '{name}'\ndigest = '{digest}'\nsize = 1"
        ))
    };
    assert_eq!(named("a"), "");
    // What a newer program adds to an entry is never ignored, whatever the version says.
    let more = at("version = 4\n[[skill]]\nname = 'a'\nwitness = 'x'");
    assert_eq!(
        more,
        "witness: this is not a lock: `witness` is not a field of a lock"
    );
    let lock = "version = 4\n";
    let skills = "`skill` is not a list of tables";
    assert!(at(&format!("{lock}skill = [{{}}, 1]")).ends_with(skills));
    assert!(at(&format!("{lock}[skill]\nname = 'a'")).ends_with(skills));
    let nameless = at(&format!("{lock}\n[[skill]]\nsize = 1"));
    assert_eq!(nameless, "[[skill]]: this is not a lock: `name` is missing");
    assert!(named("../a").contains("not the name of a skill"));
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
