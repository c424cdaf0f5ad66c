use super::*;
use crate::files::guard::Guard;
use crate::files::work::{LOCK, WORK_FOLDER, is_interrupted};
use crate::files::world::{World, set, snapshot};
use std::fs;

impl World {
    fn site(&self) -> Site {
        let skills = OpenFolder::open(&self.target()).expect("a folder");
        Site {
            witnesses: self.data().witnesses(skills.path()),
            work: skills.make_child(WORK_FOLDER).expect("a folder"),
            skills,
        }
    }

    /// Returns the change that removes the skill `a`, and keeps it in the trash.
    fn removal(&self) -> Change {
        Change {
            name: "a".to_owned(),
            new: None,
            replaced: None,
            trash: self.trash("a"),
            lock: LockChange::Remove,
            consumed: None,
            files: None,
        }
    }

    /// Prepares new files of the skill `a`, and returns the change that puts them into place.
    fn prepare(&self, files: &[(&str, &str)]) -> Change {
        for (path, text) in files {
            self.write(&format!("skills/{WORK_FOLDER}/new-a/{path}"), text);
        }
        Change {
            new: Some(snapshot(files).fingerprint().to_string()),
            lock: set("new"),
            ..self.removal()
        }
    }
}

impl Change {
    fn journal(&self) -> Journal {
        Journal::new(vec![self.clone()])
    }

    fn commit(&self, site: &Site) -> Result<(), Error> {
        self.journal().commit(site).pop().expect("one")
    }

    fn finish(&self, site: &Site) -> Result<(), Error> {
        self.journal().finish(site)
    }
}

fn read(site: &Site) -> Result<Option<Journal>, Error> {
    Journal::read(&site.work, &site.witnesses)
}

const NEW: [(&str, &str); 1] = [("SKILL.md", "new")];

#[test]
fn a_journal_is_read_with_its_witness_only() {
    let world = World::new();
    let site = world.site();
    assert_eq!(read(&site).expect("missing"), None);
    let journal = world.removal().journal();
    journal.write(&site).expect("written");
    assert_eq!(read(&site).expect("read"), Some(journal.clone()));
    journal.write(&site).expect("written again");
    assert!(read(&site).expect("read").is_some());

    fs::remove_dir_all(&site.witnesses).expect("removed");
    let error = read(&site).expect_err("no witness");
    assert_eq!(error.kind(), ErrorKind::Refused);
    journal.write(&site).expect("written");
    Journal::end(&site).expect("ended");
    assert_eq!(read(&site).expect("missing"), None);
    assert!(!site.witnesses.exists());
}

#[test]
fn an_interrupted_change_is_seen_and_left() {
    let world = World::new();
    let seen = || is_interrupted(&world.target(), &world.data());
    assert!(!seen().expect("no work folder"));
    let site = world.site();
    assert!(!seen().expect("no journal"));
    world.removal().journal().write(&site).expect("written");
    assert!(seen().expect("a journal"));
    let held = Guard::try_once_in(&site.skills, WORK_FOLDER, LOCK).expect("the lock");
    assert!(!seen().expect("held"));
    drop(held);
    let path = site.work.path().join(JOURNAL);
    assert!(path.is_file(), "the journal is left");
    fs::write(&path, "{}").expect("another journal");
    let error = seen().expect_err("of another person");
    assert_eq!(error.kind(), ErrorKind::Refused);
    let gone = is_interrupted(&world.target().join("gone"), &world.data());
    assert!(!gone.expect("no folder"));
}

#[test]
fn a_damaged_journal_is_not_read() {
    let world = World::new();
    let site = world.site();
    let text = |version: u32, name: &str| {
        let change = Change {
            name: name.to_owned(),
            ..world.removal()
        };
        let journal = Journal {
            version,
            ..change.journal()
        };
        serde_json::to_string(&journal).expect("JSON")
    };
    make_folder(&site.witnesses).expect("a folder");
    for (text, is_read) in [
        (text(1, "a"), true),
        (text(2, "a"), false),
        (text(1, "../a"), false),
        ("{}".to_owned(), false),
    ] {
        fs::write(witness(&site.witnesses, text.as_bytes()), "").expect("written");
        site.work
            .replace_file(JOURNAL, text.as_bytes())
            .expect("written");
        match read(&site) {
            Ok(journal) => assert!(is_read && journal.is_some(), "{text}"),
            Err(error) => assert!(!is_read && error.kind() == ErrorKind::Damaged, "{text}"),
        }
    }
}

#[test]
fn a_kill_after_the_exchange_is_continued() {
    let world = World::new();
    let site = world.site();
    world.write("skills/a/SKILL.md", "old");
    let change = world.prepare(&NEW);
    change.journal().write(&site).expect("written");
    let (new, name) = (OsStr::new("new-a"), OsStr::new("a"));
    let exchanged = exchange(site.work.folder(), new, site.skills.folder(), name);
    if exchanged.is_err() {
        return; // A system without an exchange of folders.
    }
    change.finish(&site).expect("finished");
    assert_eq!(
        world.files("skills"),
        ["a/SKILL.md: new", "skills.lock: a new"]
    );
    assert_eq!(world.trashed(), ["old"]);
}

#[test]
fn a_displaced_file_goes_to_the_trash() {
    let world = World::new();
    let site = world.site();
    world.write("skills/a/SKILL.md", "new");
    world.write("skills/.skills-work/new-a", "a file stood in the place");
    let journal = Change {
        new: Some(snapshot(&NEW).fingerprint().to_string()),
        ..world.removal()
    };
    journal.finish(&site).expect("finished");
    assert_eq!(world.files("skills"), ["a/SKILL.md: new"]);
    let trashed = world.data().trash().list().expect("the trash");
    let text = fs::read_to_string(&trashed[0].folder).expect("a file");
    assert_eq!(text, "a file stood in the place");
}

#[test]
fn a_skill_is_put_into_an_empty_place_and_over_a_folder_made_meanwhile() {
    for is_made_again in [false, true] {
        let world = World::new();
        let site = world.site();
        if is_made_again {
            world.write("skills/.skills-work/old-a/SKILL.md", "old");
            world.write("skills/a/SKILL.md", "again");
        }
        world.prepare(&NEW).finish(&site).expect("finished");
        assert_eq!(
            world.files("skills"),
            ["a/SKILL.md: new", "skills.lock: a new"]
        );
        let trashed: &[&str] = if is_made_again {
            &["again", "old"]
        } else {
            &[]
        };
        assert_eq!(world.trashed(), trashed);
    }
}

#[test]
fn only_the_version_that_was_seen_is_removed_without_the_trash() {
    for (present, trashed) in [("seen", &[][..]), ("other", &["other"])] {
        let world = World::new();
        let site = world.site();
        world.write("skills/a/SKILL.md", present);
        let seen = snapshot(&[("SKILL.md", "seen")]).fingerprint();
        let journal = Change {
            replaced: Some(seen.to_string()),
            ..world.prepare(&NEW)
        };
        journal.commit(&site).expect("done");
        assert_eq!(world.trashed(), trashed);
    }
}

#[test]
fn a_skill_that_was_made_again_stays() {
    let world = World::new();
    let site = world.site();
    world.write("skills/a/SKILL.md", "again");
    world.write("skills/.skills-work/old-a/SKILL.md", "old");
    world.removal().finish(&site).expect("finished");
    assert_eq!(world.files("skills"), ["a/SKILL.md: again"]);
    assert_eq!(world.trashed(), ["old"]);
    let removed = || world.removal().finish(&site);
    removed().expect("removed");
    removed().expect("nothing is there");
    assert!(world.files("skills").is_empty());
}

#[test]
fn a_change_that_fails_midway_keeps_its_journal() {
    let world = World::new();
    let site = world.site();
    world.write("skills/skills.lock", "damaged");
    let journal = world.prepare(&NEW);
    journal.clone().commit(&site).expect_err("no lock");
    assert!(site.work.is_there(JOURNAL).expect("known"));
    let error = journal.clone().finish(&site).expect_err("no lock");
    let help = error.remedy().expect("help");
    assert!(help.contains("a change of `a`"), "{help}");
    assert!(site.work.is_there(JOURNAL).expect("known"));
    fs::remove_file(world.path("skills/skills.lock")).expect("removed");
    journal.finish(&site).expect("finished");
    assert_eq!(
        world.files("skills"),
        ["a/SKILL.md: new", "skills.lock: a new"]
    );
}

#[test]
#[cfg_attr(windows, ignore = "Windows moves no open folder away")]
fn a_change_of_a_folder_that_was_moved_away_is_dropped() {
    for finishes in [false, true] {
        let world = World::new();
        let site = world.site();
        let mut journal = world.prepare(&NEW);
        journal.replaced = Some(String::new());
        fs::rename(world.target(), world.path("moved")).expect("moved");
        if finishes {
            journal.journal().write(&site).expect("written");
            journal.finish(&site).expect("ended");
        } else {
            let error = journal.commit(&site).expect_err("moved");
            assert_eq!(error.kind(), ErrorKind::Refused);
        }
        assert!(!site.work.is_there(JOURNAL).expect("known"));
        assert_eq!(world.files("moved"), [".skills-work/new-a/SKILL.md: new"]);
    }
}

#[test]
fn untouched_is_what_the_journal_found() {
    let empty = Some(String::new());
    for (case, staged, is_there, replaced, expected) in [
        ("an empty place", "new", false, &empty, true),
        ("a place that was taken since", "new", true, &empty, false),
        ("a present skill", "new", true, &None, true),
        ("a skill that has gone", "new", false, &None, false),
        ("after the exchange", "old", true, &None, false),
    ] {
        let world = World::new();
        let site = world.site();
        if is_there {
            world.write("skills/a/SKILL.md", "present");
        }
        let mut journal = world.prepare(&NEW);
        journal.replaced.clone_from(replaced);
        world.write("skills/.skills-work/new-a/SKILL.md", staged);
        let looks = |journal: &Change| journal.looks_untouched(&site).expect("known");
        assert_eq!(looks(&journal), expected, "{case}");
        journal.files = Some(Vec::new());
        assert!(!looks(&journal), "files are exchanged");
        journal.files = None;
        world.write("skills/.skills-work/old-a/SKILL.md", "old");
        assert!(!looks(&journal), "the old version is displaced");
        assert!(!looks(&world.removal()), "the old version is displaced");
        site.work.remove("old-a").expect("removed");
        assert_eq!(looks(&world.removal()), is_there, "a removal: {case}");
    }
}

#[cfg(unix)]
#[test]
fn another_folder_in_the_place_is_refused() {
    let world = World::new();
    let site = world.site();
    world.write("skills/a/SKILL.md", "other");
    let journal = world.prepare(&NEW);
    let staged = site.work.child("new-a").expect("a folder");
    let refused = journal.check_placed(&site, &staged);
    assert_eq!(refused.expect_err("another").kind(), ErrorKind::Refused);
    let placed = site.skills.child("a").expect("a folder");
    journal.check_placed(&site, &placed).expect("the same");
}

/// The folder of a skill that cannot be renamed: its files are exchanged one by one.
#[test]
fn files_are_exchanged_one_by_one() {
    let world = World::new();
    let site = world.site();
    let old = [
        ("SKILL.md", "old"),
        ("gone.md", "old"),
        ("gone/deep/x", "old"),
        ("file/was-a-folder", "old"),
        ("kept/gone", "old"),
        ("folder", "was a file"),
    ];
    for (path, text) in old {
        world.write(&format!("skills/a/{path}"), text);
    }
    let change = world.prepare(&[
        ("SKILL.md", "new"),
        ("file", "new"),
        ("folder/x", "new"),
        ("kept/new", "new"),
    ]);
    change.copy_first(&site).expect("copied");
    let files = world.path("skills/.skills-work/new-a");
    let files = Snapshot::read(&files).expect("files").entries.into_keys();
    let change = Change {
        files: Some(files.collect()),
        ..change
    };
    change.journal().write(&site).expect("written");
    change.put_files(&site).expect("exchanged");
    assert_eq!(
        world.files("skills/a"),
        [
            "SKILL.md: new",
            "file: new",
            "folder/x: new",
            "kept/new: new"
        ]
    );
    assert!(!world.path("skills/a/gone").exists());
    assert!(!site.work.is_there("new-a").expect("known"));
    // After a kill the same journal is carried out again.
    let journal = read(&site).expect("read").expect("a journal");
    journal.finish(&site).expect("finished");
    assert_eq!(world.trashed(), ["old"]);
    assert!(world.files("skills/.skills-work").is_empty());
    assert_eq!(world.files("skills").len(), 5, "and the lock");
}

#[test]
fn an_exchange_of_files_goes_on_after_a_kill() {
    let world = World::new();
    let site = world.site();
    world.write("skills/a/deep/x", "new");
    world.write("skills/a/SKILL.md", "old");
    world.write("skills/.skills-work/copy-a/SKILL.md", "old");
    let mut journal = world.prepare(&NEW);
    let path = |path: &str| RelativePath::new(path).expect("a path");
    journal.files = Some(vec![path("SKILL.md"), path("deep/x")]);
    journal.finish(&site).expect("finished");
    assert_eq!(world.files("skills/a"), ["SKILL.md: new", "deep/x: new"]);
    assert_eq!(world.trashed(), ["old"]);

    world.write("skills/.skills-work/copy-a/SKILL.md", "a removed skill");
    let journal = Change {
        files: Some(Vec::new()),
        ..world.removal()
    };
    journal.finish(&site).expect("finished");
    assert!(!world.path("skills/a").exists());
    assert_eq!(world.trashed(), ["a removed skill", "old"]);
}

#[cfg(unix)]
#[test]
fn a_file_is_not_moved_through_a_link() {
    let world = World::new();
    world.write("outside/x", "kept");
    fs::create_dir(world.path("from")).expect("a folder");
    let link = world.path("from/deep");
    std::os::unix::fs::symlink(world.path("outside"), link).expect("a link");
    let open = |path: &str| OpenFolder::open(&world.path(path)).expect("a folder");
    move_file(&open("from"), &open("skills"), "deep/x").expect_err("a link");
    assert_eq!(world.files("outside"), ["x: kept"]);
    let moved = move_file(&open("from"), &open("skills"), "missing/x");
    assert!(!moved.expect("moved before"));
}
