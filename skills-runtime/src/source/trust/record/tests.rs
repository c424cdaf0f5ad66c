use super::*;
use crate::source::changes::Changes;

fn file(path: &str) -> TrustedEntry {
    let content = TrustedContent::File {
        len: path.len() as u64,
        modified: 0,
        digest: Digest::of(path.as_bytes()),
    };
    TrustedEntry {
        path: path.into(),
        content,
    }
}

fn link(path: &str, target: &str) -> TrustedEntry {
    let target = target.into();
    TrustedEntry {
        path: path.into(),
        content: TrustedContent::Link { target },
    }
}

fn folder(path: &str) -> TrustedEntry {
    TrustedEntry {
        path: path.into(),
        content: TrustedContent::Folder,
    }
}

fn of(entries: Vec<TrustedEntry>) -> TrustRecord {
    TrustRecord::new("/root".into(), "skill".into(), entries)
}

#[test]
#[cfg_attr(windows, ignore = "with the separators of Unix")]
fn a_file_is_found_through_the_links_of_the_record() {
    let record = of(vec![
        file("notes.md"),
        folder("real"),
        file("real/SKILL.md"),
        link("SKILL.md", "./real/SKILL.md"),
        link("real/up", "../notes.md"),
        link("folder", "real"),
        link("out", "../notes.md"),
        link("absolute", "/notes.md"),
        link("nothing", "missing"),
        link("a", "b"),
        link("b", "a"),
    ]);
    for (path, found) in [
        ("notes.md", Some("notes.md")),
        ("SKILL.md", Some("real/SKILL.md")),
        ("folder/SKILL.md", Some("real/SKILL.md")),
        ("folder/up", Some("notes.md")),
        ("real/../notes.md", Some("notes.md")),
        ("real", None),
        ("notes.md/more", None),
        ("../notes.md", None),
        ("/notes.md", None),
        ("out", None),
        ("absolute", None),
        ("nothing", None),
        ("missing", None),
        ("a", None),
    ] {
        let expected = found.map(|path| Digest::of(path.as_bytes()));
        assert_eq!(record.file(Path::new(path)), expected, "{path}");
    }
}

#[test]
fn forty_links_are_followed() {
    let mut entries = vec![file("l0")];
    entries.extend((1..=MAX_LINKS + 1).map(|n| link(&format!("l{n}"), &format!("l{}", n - 1))));
    let record = of(entries);
    let is_found = |n: usize| record.file(Path::new(&format!("l{n}"))).is_some();
    assert!(is_found(1) && is_found(MAX_LINKS) && !is_found(MAX_LINKS + 1));
}

#[test]
#[cfg_attr(windows, ignore = "with the separators of Unix")]
fn resources_are_the_files_that_a_listing_shows() {
    let record = of(vec![
        file("SKILL.md"),
        file("a.md"),
        folder(".git"),
        file(".git/config"),
        folder("deep"),
        folder("deep/.git"),
        file("deep/.git/config"),
        file("deep/.DS_Store"),
        file("deep/b"),
        link("link", "a.md"),
        link("nothing", "missing"),
    ]);
    assert_eq!(record.resources("SKILL.md"), ["a.md", "deep/b", "link"]);
}

#[test]
#[cfg_attr(windows, ignore = "with the separators of Unix")]
fn only_the_time_of_a_file_may_differ() {
    let with = |len: u64, modified: i64, text: &[u8]| {
        let digest = Digest::of(text);
        let content = TrustedContent::File {
            len,
            modified,
            digest,
        };
        of(vec![TrustedEntry {
            path: "a".into(),
            content,
        }])
    };
    let before = with(1, 1, b"1");
    assert_eq!(before.difference(&with(1, 2, b"1")), Changes::default());
    assert_eq!(before.digest(), with(1, 2, b"1").digest());
    for other in [
        with(2, 1, b"1"),
        with(1, 1, b"2"),
        of(vec![folder("a")]),
        of(vec![link("a", "1")]),
    ] {
        assert_eq!(before.difference(&other).changed, ["a"]);
        assert_ne!(before.digest(), other.digest());
    }
    for (one, other) in [
        (vec![folder("a")], vec![folder("b")]),
        (vec![link("a", "b")], vec![link("a", "c")]),
        (vec![link("a", "b")], vec![link("a", "b/")]),
        (vec![folder("a"), folder("b")], vec![folder("a"), file("b")]),
    ] {
        assert_ne!(of(one).digest(), of(other).digest());
    }
}

#[test]
fn five_differences_are_named() {
    let changes = |added: usize| Changes {
        added: (0..added).map(|n| n.to_string()).collect(),
        ..Changes::default()
    };
    let five = "added 0, added 1, added 2, added 3, added 4";
    assert_eq!(changes(5).to_string(), five);
    assert_eq!(changes(7).to_string(), format!("{five}, 2 more"));
    assert_eq!(changes(1).to_string(), "added 0");
}

#[cfg(feature = "serde")]
#[test]
fn a_record_that_was_changed_by_hand_is_not_believed() {
    let record = of(vec![file("a.md"), folder("b"), link("c", "a.md")]);
    let stored = serde_json::to_string(&record).expect("a record");
    let read = serde_json::from_str(&stored);
    assert_eq!(read.ok(), Some(record));
    for (from, to) in [("a.md", "d.md"), ("\"b\"", "\"e\"")] {
        let changed = stored.replacen(from, to, 1);
        assert_ne!(changed, stored);
        let read = serde_json::from_str::<TrustRecord>(&changed);
        read.expect_err("a changed record");
    }
}
