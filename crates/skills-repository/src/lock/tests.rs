//! Tests that locks are written, parsed and compared.

#![expect(clippy::disallowed_methods, reason = "a test makes its files")]

use super::*;
use skills_format::{RuleId, Severity};

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
    assert!(locked.provenance.is_some());
    let lock = Lock::installed([("a".to_owned(), locked)].into());
    assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
}

#[test]
fn powers_are_written_read_and_compared() {
    let with = |texts: &[&str]| {
        let mut powers = Powers::default();
        for text in texts {
            powers.insert(PowerKind::Commands, *text);
        }
        let mut lock = lock(&[("a", b"1")]);
        let locked = lock.skills.remove("a").expect("a skill");
        let locked = locked.with_powers(&powers);
        lock.skills.insert("a".to_owned(), locked);
        lock
    };
    let (none, some) = (with(&[]), with(&["git push"]));
    let odd = [
        "say \"a\" \\",
        "say 'a' \"b\"",
        "say \"\u{202e}\"",
        "say \"\t\"",
    ];
    let odd = with(&odd).to_string();
    for line in [
        r#""say \"\t\"""#,
        r#"'say "a" \'"#,
        r#""say 'a' \"b\"""#,
        r#""say \"\U0000202E\"""#,
    ] {
        assert!(odd.contains(line), "{line} in {odd}");
    }
    assert!(none.to_string().contains("\npowers = {} # a\n"));
    assert!(
        some.to_string()
            .contains("\npowers.commands = [\"git push\"] # a\n")
    );
    for lock in [&none, &some] {
        assert_eq!(Lock::parse(&lock.to_string()).as_ref(), Ok(lock));
    }
    assert_eq!(none.changes(&some), [Change::Powers("a".to_owned())]);
    assert_eq!(lock(&[("a", b"1")]).changes(&some), []);

    let changed = Change::Changed("a".to_owned());
    let gained = |name: &str| {
        let message = format!("`{name}` may do more");
        Diagnostic::new(RuleId::PowersWidened, Severity::Error, "SKILL.md", message)
    };
    let without = "`a` was changed; it names no new command, host, package, file or variable";
    assert_eq!(some.describe(&changed, &[]), without);
    assert_eq!(some.describe(&changed, &[gained("b")]), without);
    assert_eq!(some.describe(&changed, &[gained("a")]), "`a` was changed");
    assert_eq!(
        lock(&[("a", b"1")]).describe(&changed, &[]),
        "`a` was changed"
    );
    assert_eq!(
        some.describe(&Change::Added("a".to_owned()), &[]),
        "`a` was added"
    );
}

#[test]
fn a_provenance_names_its_revision() {
    let mut provenance = Provenance::new("s");
    provenance.commit = Some("0123456789abcdef".to_owned());
    assert_eq!(provenance.to_string(), "s at 0123456789ab");
    provenance.path = Some("p".to_owned());
    provenance.requested = Some("v2".to_owned());
    assert_eq!(provenance.to_string(), "s//p at v2 (0123456789ab)");
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

/// Writes the files of a folder `skills`, and reads it.
fn folder<T: AsRef<str>>(files: &[(T, T)]) -> (tempfile::TempDir, skills_compiler::Folder) {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = root.path().join("skills").join(path.as_ref());
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text.as_ref()).expect("a file");
    }
    let folder = skills_compiler::Folder::read(root.path(), "skills");
    (root, folder)
}

fn found<T: AsRef<str>>(files: &[(T, T)]) -> Vec<Diagnostic> {
    let (_root, folder) = folder(files);
    check::check(&folder, &folder.compile())
}

/// The check of one folder never runs this rule, so its examples run here.
#[test]
fn the_examples_of_powers_widened_are_reported() {
    let rule = skills_lint::rules::find("powers-widened").expect("a rule");
    let found = |example: &skills_lint::rules::Example| {
        let mut files = vec![("skills.toml".to_owned(), example.config().to_owned())];
        for (path, content) in example.files() {
            files.push((path, content.text().expect("a text")));
        }
        let found = found(&files).into_iter();
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

#[test]
fn the_lock_of_a_locked_folder_is_compared() {
    let skill = |name: &str, body: &str| {
        format!(
            "---\nname: {name}\ndescription: Writes notes. Use for notes.\ndisallowed-tools: Read\n---\n\n{body}\n"
        )
    };
    let a = skill("a", "  Then run `git push`. ");
    let b = skill("b", "Write the notes.");
    let skills = [
        ("a/SKILL.md", &*a),
        ("b/SKILL.md", &*b),
        ("b/triggers.yaml", "queries: []\n"),
    ];
    let lock = {
        let (_root, folder) = folder(&skills);
        let compiled = folder.compile();
        let model = &compiled.model;
        Lock::of(model).with_powers_of(model).to_string()
    };
    let with = |config: &str, lock: &str| {
        let own = [("skills.toml", config), ("skills.lock", lock)];
        found(&[&own[..], &skills].concat())
    };
    assert_eq!(lock.matches("\ntriggers = ").count(), 1, "{lock}");
    let locked = "locked = true\n";
    assert_eq!(with(locked, &lock), []);

    // Powers that somebody took out of the lock, and a restraint that somebody put in.
    let push = "powers.commands = ['git push'] # a\n".replace('\'', "\"");
    let read = "\"without Read\"";
    assert!(lock.contains(&push) && lock.contains(read), "{lock}");
    let changed = lock
        .replace(&push, "")
        .replacen(read, "\"without Bash\", \"without Read\"", 1);
    let shown = |found: Vec<Diagnostic>| {
        let found = found.into_iter().map(|it| {
            let (from, to) = (it.start, it.end);
            let columns = format!("{}:{}-{}", from.line, from.column, to.column);
            format!("{}:{columns} {} | {}", it.path, it.message, it.help)
        });
        found.collect::<Vec<_>>()
    };
    let review = "review the change, then run `skills lock skills`";
    let foreign = "somebody changed the lock, or an older version of `skills` wrote it: review what the skill may do, then run `skills lock skills`";
    assert_eq!(
        shown(with(locked, &changed)),
        [
            format!(
                "skills/a/SKILL.md:1:1-1 the lock and the files of `a` disagree about its powers | {foreign}"
            ),
            format!(
                "skills/a/SKILL.md:7:3-23 `a` may do more than `skills.lock` holds: commands: git push | {review}"
            ),
            format!("skills/a/SKILL.md:1:1-1 `a` has lost the limit: without Bash | {review}"),
        ]
    );

    for unlocked in ["", "locked = false\n"] {
        assert_eq!(with(unlocked, &changed), []);
    }
    let installed = changed.replace("kind = \"bundle\"", "kind = \"installed\"");
    assert_eq!(with(locked, &installed), []);

    // The build does not read powers, so only this check reports them; a digest is reported by the build.
    let unread = lock.replace("[\"git push\"]", "1");
    assert_eq!(
        shown(with(locked, &unread)),
        [format!(
            "skills/skills.lock:9:19-20 this is not a lock: `powers` holds lists of strings | {review}"
        )]
    );
    assert_eq!(with("", &unread), []);
    assert_eq!(
        with(locked, &lock.replace("digest = \"", "digest = \"x")),
        []
    );
}

#[test]
fn a_line_has_its_text() {
    let text = b"a\n  bc \n\nd";
    for (line, start, end) in [
        (0, 0, 1),
        (1, 0, 1),
        (2, 4, 6),
        (3, 8, 8),
        (4, 9, 10),
        (9, 10, 10),
    ] {
        let span = check::line_of(text, line);
        assert_eq!((span.start, span.end), (start, end), "{line}");
    }
}
