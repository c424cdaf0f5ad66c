use super::*;
use crate::files::world::{World, set, snapshot};
use skills_format::text::path::PathText as _;
use std::fs;

impl World {
    fn open(&self) -> Work {
        Work::open(&self.target(), &self.data(), &|_, _| {}).expect("a folder of skills")
    }

    fn finish(&self) -> Result<(), Error> {
        finish(&self.target(), &self.data())
    }

    fn change<'c>(&self, name: &'c str, lock: LockChange) -> SkillChange<'c> {
        SkillChange {
            name,
            before: None,
            keep: Keep::No,
            trash: self.trash(name),
            lock,
            consumed: None,
        }
    }

    /// Puts a skill with this text in `SKILL.md` and in the lock over the present version.
    fn put(&self, work: &Work, name: &str, text: &str, keep: Keep) -> Result<(), Error> {
        let is_there = self.target().join(name).exists();
        let change = SkillChange {
            before: is_there.then(|| self.snapshot(name).seen()),
            keep,
            ..self.change(name, set(text))
        };
        work.put(&snapshot(&[("SKILL.md", text)]), change)
    }
}

#[test]
fn skills_are_put_replaced_and_taken() {
    let world = World::new();
    let work = world.open();
    assert_eq!(work.target(), world.target());
    for (text, keep) in [("1", Keep::No), ("2", Keep::No), ("3", Keep::InTrash)] {
        world.put(&work, "a", text, keep).expect("put");
        let files = world.files("skills");
        let expected = [
            format!("a/SKILL.md: {text}"),
            format!("skills.lock: a {text}"),
        ];
        assert_eq!(files[1..], expected, "{files:?}");
    }
    assert_eq!(world.trashed(), ["2"], "1 is in the store");
    let take = SkillChange {
        keep: Keep::InTrash,
        ..world.change("a", LockChange::Remove)
    };
    work.make(vec![(New::Nothing, take)])
        .remove(0)
        .expect("taken");
    assert_eq!(world.trashed(), ["2", "3"]);
    drop(work);
    assert!(world.files("skills").is_empty());
    assert!(!world.target().join(WORK_FOLDER).exists());
    assert!(world.files("data/journals").is_empty());
}

#[test]
fn many_skills_are_put_with_one_journal() {
    let world = World::new();
    let work = world.open();
    world.put(&work, "b", "old", Keep::No).expect("put");
    let new = snapshot(&[("SKILL.md", "1")]);
    // `b` is there, and the plan saw nothing.
    let all = ["a", "b", "c"].map(|name| (New::Files(&new), world.change(name, set("1"))));
    let done = work.make(all.into());
    let done: Vec<bool> = done.iter().map(Result::is_ok).collect();
    assert_eq!(done, [true, false, true]);
    let seen = |name: &str| Some(world.snapshot(name).seen());
    let newer = snapshot(&[("SKILL.md", "2")]);
    let all = ["a", "b"].map(|name| {
        let change = SkillChange {
            before: seen(name),
            keep: Keep::InTrash,
            ..world.change(name, set("2"))
        };
        (New::Files(&newer), change)
    });
    assert!(work.make(all.into()).iter().all(Result::is_ok));
    drop(work);
    assert_eq!(
        world.files("skills"),
        [
            "a/SKILL.md: 2",
            "b/SKILL.md: 2",
            "c/SKILL.md: 1",
            "skills.lock: a 2\nb 2\nc 1"
        ]
    );
    assert_eq!(world.trashed(), ["1", "old"]);
    assert!(world.files("data/journals").is_empty());
}

#[test]
fn a_folder_is_put_and_its_entry_of_the_trash_is_consumed() {
    let world = World::new();
    world.write("entry/skill/SKILL.md", "kept");
    let change = SkillChange {
        keep: Keep::InTrash,
        consumed: Some(world.path("entry")),
        ..world.change("a", set("kept"))
    };
    let from = world.path("entry/skill");
    let done = world.open().make(vec![(New::Copy(&from), change)]);
    assert!(done.iter().all(Result::is_ok));
    assert_eq!(
        world.files("skills"),
        ["a/SKILL.md: kept", "skills.lock: a kept"]
    );
    assert!(!world.path("entry").exists());
}

#[test]
fn a_skill_that_was_changed_meanwhile_is_refused() {
    let world = World::new();
    world.write("new/SKILL.md", "new");
    world.write("skills/a/SKILL.md", "seen");
    let seen = world.snapshot("a").seen();
    world.write("skills/a/SKILL.md", "other");
    let work = world.open();
    let before = world.files("skills");
    for before in [None, Some(seen)] {
        let change = || SkillChange {
            before,
            ..world.change("a", set("new"))
        };
        let new = snapshot(&[("SKILL.md", "new")]);
        for refused in [
            work.put(&new, change()),
            work.make(vec![(New::Copy(&world.path("new")), change())])
                .remove(0),
        ] {
            let error = refused.expect_err("refused");
            assert_eq!(error.kind(), ErrorKind::Refused);
            let told = format!("{} was changed meanwhile", world.path("skills/a").shown());
            assert_eq!(error.to_string(), told);
        }
    }
    assert_eq!(world.files("skills"), before);
    let kept = SkillChange {
        keep: Keep::InTrash,
        ..world.change("a", set("new"))
    };
    let new = snapshot(&[("SKILL.md", "new")]);
    work.put(&new, kept).expect("the trash keeps any version");
    assert_eq!(world.trashed(), ["other"]);
}

#[test]
fn a_repository_goes_to_the_trash() {
    let world = World::new();
    world.write("skills/a/SKILL.md", "mine");
    world.write("skills/a/.git/HEAD", "main");
    let work = world.open();
    world.put(&work, "a", "new", Keep::No).expect("put");
    let trashed = world.data().trash().list().expect("the trash");
    let head = fs::read_to_string(trashed[0].folder.join(".git/HEAD"));
    assert_eq!(head.expect("the repository"), "main");
}

#[test]
fn the_next_change_finishes_a_change_that_failed_midway() {
    let world = World::new();
    let work = world.open();
    world.write("skills/skills.lock", "damaged");
    let error = world.put(&work, "a", "1", Keep::No).expect_err("no lock");
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(work.site.work.is_there(JOURNAL).expect("known"));
    fs::remove_file(world.path("skills/skills.lock")).expect("removed");
    world.put(&work, "b", "2", Keep::No).expect("put");
    let files = world.files("skills");
    assert_eq!(files.last().expect("a lock"), "skills.lock: a 1\nb 2");
}

#[test]
fn a_failure_before_the_change_leaves_nothing() {
    let world = World::new();
    let work = world.open();
    let nested = snapshot(&[("SKILL.md", "1"), ("x", ""), ("x/y", "")]);
    let refused = work.put(&nested, world.change("a", set("1")));
    assert_eq!(refused.expect_err("refused").kind(), ErrorKind::Refused);
    assert_eq!(work.site.work.names().expect("names"), [LOCK]);
    assert_eq!(
        world.files("skills").len(),
        1,
        "the lock of the work folder"
    );
}

#[test]
fn what_a_killed_process_left_is_removed() {
    for opens in [true, false] {
        let world = World::new();
        world.write("skills/.skills-work/new-a/SKILL.md", "1");
        for name in [".skills.lock.x~", ".skills.lock.x", "x~"] {
            world.write(&format!("skills/{name}"), "");
        }
        if opens {
            drop(world.open());
        } else {
            world.finish().expect("finished");
        }
        assert_eq!(world.files("skills"), [".skills.lock.x: ", "x~: "]);
        assert!(!world.target().join(WORK_FOLDER).exists());
    }
}

#[test]
fn finishing_waits_for_no_running_process() {
    let world = World::new();
    world.finish().expect("no work folder");
    let work = world.open();
    world.write("skills/.skills-work/new-a/SKILL.md", "1");
    world.finish().expect("it is held");
    assert!(work.site.work.is_there("new-a").expect("known"));
}

#[test]
#[cfg_attr(windows, ignore = "Windows says that a folder below a file is missing")]
fn finishing_fails_where_the_folder_cannot_be_read() {
    let world = World::new();
    world.write("file", "");
    let below = world.path("file/skills");
    let finished = finish(&below, &world.data());
    assert_eq!(finished.expect_err("a file").kind(), ErrorKind::Io);
    let missing = world.path("missing");
    finish(&missing, &world.data()).expect("nothing to finish");
    assert!(!missing.exists());
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let world = World::new();
    world.write("outside/new-a/SKILL.md", "kept");
    let link = world.target().join(WORK_FOLDER);
    std::os::unix::fs::symlink(world.path("outside"), &link).expect("a link");
    let opened = Work::open(&world.target(), &world.data(), &|_, _| {});
    for refused in [opened.map(drop), world.finish()] {
        assert_eq!(refused.expect_err("a link").kind(), ErrorKind::Refused);
    }
    assert_eq!(world.files("outside"), ["new-a/SKILL.md: kept"]);

    // A folder of skills outside of its repository is read and never finished.
    let project = world.path("project");
    fs::create_dir_all(project.join(".git")).expect("a folder");
    let link = project.join("skills");
    std::os::unix::fs::symlink(world.path("outside"), &link).expect("a link");
    finish(&link, &world.data()).expect("only read");
}
