//! Conflicts of a merge: answered, and edited in a copy.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_format::command;
use skills_host::ErrorKind;
use skills_host::install::{
    Action, Answer, Answers, InstallOptions, OnConflict, Plan, plan_continue, write_merge_copy,
};
use std::fs;
use std::path::{Path, PathBuf};

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Installs `a`, and changes files on both sides. An empty text removes the file.
fn world(changes: &[(&str, &[u8], &[u8])]) -> World {
    let world = World::new();
    let files = changes.iter().filter(|(path, ..)| *path != "SKILL.md");
    for (path, ..) in files {
        write(&world.path("remote/skills/a").join(path), b"base\n");
    }
    world.run(&["add", "-A"]);
    world.run(&["commit", "-q", "--allow-empty", "-m", "base"]);
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let set = |path: PathBuf, bytes: &[u8]| {
        if bytes.is_empty() {
            fs::remove_file(path).unwrap();
        } else {
            write(&path, bytes);
        }
    };
    for (path, ours, theirs) in changes {
        set(world.target().join("a").join(path), ours);
        set(world.path("remote/skills/a").join(path), theirs);
    }
    world.run(&["add", "-A"]);
    world.run(&["commit", "-q", "--allow-empty", "-m", "new"]);
    world
}

fn conflicts(plan: &Plan) -> Vec<(&str, bool)> {
    let conflicts = plan.skills[0].conflicts.iter();
    conflicts
        .map(|conflict| (conflict.path.as_str(), conflict.text))
        .collect()
}

fn answers(all: &[(&str, Answer)]) -> Answers {
    let all = all.iter().cloned();
    all.map(|(path, answer)| (path.to_owned(), answer))
        .collect()
}

fn resume(world: &World) -> Plan {
    plan_continue(&world.target(), "a", &command("update a"), world.host()).unwrap()
}

#[test]
fn each_answer_takes_its_version() {
    let world = world(&[
        ("data.bin", b"\0ours", b"\0theirs"),
        ("gone.md", b"", b"theirs\n"),
        ("odd.md", b"\xff\n", b"\xfe\n"),
        ("text.md", b"ours\n", b"theirs\n"),
    ]);
    let mut plan = world.update(OnConflict::Merge);
    assert_eq!(
        conflicts(&plan),
        [
            ("data.bin", false),
            ("gone.md", false),
            ("odd.md", true),
            ("text.md", true)
        ]
    );
    let id = plan.id.clone();
    // An answer to a part leaves the rest in conflict.
    let some = answers(&[("data.bin", Answer::Theirs)]);
    plan.answer("a", &some).unwrap();
    assert_eq!(conflicts(&plan).len(), 3);
    assert_ne!(plan.id, id);
    // A source that moves meanwhile changes nothing of what was seen.
    write(&world.path("remote/skills/a/text.md"), b"later\n");
    world.commit("later");
    let all = answers(&[
        ("data.bin", Answer::Theirs),
        ("gone.md", Answer::Ours),
        ("odd.md", Answer::Text(b"both\xff\n".to_vec())),
        ("text.md", Answer::Theirs),
    ]);
    plan.answer("a", &all).unwrap();
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    world.apply(&plan);
    let bytes = |path: &str| fs::read(world.target().join("a").join(path)).ok();
    assert_eq!(bytes("data.bin").unwrap(), b"\0theirs");
    assert_eq!(bytes("gone.md"), None);
    assert_eq!(bytes("odd.md").unwrap(), b"both\xff\n");
    assert_eq!(bytes("text.md").unwrap(), b"theirs\n");
}

#[test]
fn an_answer_that_breaks_the_skill_is_refused() {
    let world = world(&[(
        "SKILL.md",
        b"ours\n",
        b"---\nname: a\ndescription: Does a. Use when asked for a.\n---\n",
    )]);
    let mut plan = world.update(OnConflict::Merge);
    plan.answer("a", &answers(&[("SKILL.md", Answer::Ours)]))
        .unwrap();
    assert_eq!(actions(&plan), [("a", Action::Refuse)]);
    assert!(reason(&plan, 0).contains("the merged SKILL.md"));
    plan.answer("a", &answers(&[("SKILL.md", Answer::Theirs)]))
        .unwrap();
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
}

#[cfg(unix)]
#[test]
fn a_file_in_the_place_of_a_folder_takes_one_of_both() {
    for (answer, is_link) in [(Answer::Ours, true), (Answer::Theirs, false)] {
        let world = world(&[]);
        let folder = world.target().join("a/scripts");
        fs::remove_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink("elsewhere", &folder).unwrap();
        write(&world.path("remote/skills/a/scripts/new.sh"), b"echo new\n");
        write(
            &world.path("remote/skills/a/scripts/run.sh"),
            b"echo more\n",
        );
        world.commit("new");
        let mut plan = world.update(OnConflict::Merge);
        let paths = ["scripts/new.sh", "scripts/run.sh"];
        let all: Answers = paths
            .iter()
            .map(|path| ((*path).to_owned(), answer.clone()))
            .collect();
        plan.answer("a", &all).unwrap();
        assert_eq!(
            actions(&plan),
            [("a", Action::Merge)],
            "{:?}",
            plan.skills[0].reason
        );
        world.apply(&plan);
        assert_eq!(folder.is_symlink(), is_link);
        assert_eq!(folder.join("new.sh").exists(), !is_link);
    }
}

#[test]
fn an_edited_copy_is_taken_when_nothing_is_left_to_decide() {
    let world = world(&[
        ("data.bin", b"\0ours", b"\0theirs"),
        ("text.md", b"ours\n", b"theirs\n"),
    ]);
    let plan = world.update(OnConflict::Merge);
    let copy = write_merge_copy(&plan, "a", &Answers::new(), world.host()).unwrap();
    // Written again, since nobody has edited it.
    let copy_again = write_merge_copy(&plan, "a", &Answers::new(), world.host()).unwrap();
    assert_eq!(copy.folder, copy_again.folder);
    assert!(reason(&resume(&world), 0).starts_with("text.md:1 holds a conflict marker"));
    fs::write(copy.folder.join("text.md"), "both\n").unwrap();
    let error = write_merge_copy(&plan, "a", &Answers::new(), world.host()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(reason(&resume(&world), 0).starts_with("data.bin.theirs is the new version"));
    fs::rename(
        copy.folder.join("data.bin.theirs"),
        copy.folder.join("data.bin"),
    )
    .unwrap();
    // The source moves, and the store is all that is needed.
    write(&world.path("remote/skills/a/text.md"), b"later\n");
    world.commit("later");
    let plan = resume(&world);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    world.apply(&plan);
    assert_eq!(world.text("a/text.md"), "both\n");
    assert!(!copy.folder.exists());
    let error = plan_continue(&world.target(), "a", &command("update a"), world.host());
    assert_eq!(error.unwrap_err().kind(), ErrorKind::NotFound);
    // The next update merges what the source has since.
    let next = world.update(OnConflict::Merge);
    assert_eq!(conflicts(&next), [("text.md", true)]);
}

#[test]
fn a_copy_of_a_skill_that_was_changed_meanwhile_is_not_taken() {
    let world = world(&[("text.md", b"ours\n", b"theirs\n")]);
    let plan = world.update(OnConflict::Merge);
    let copy = write_merge_copy(&plan, "a", &Answers::new(), world.host()).unwrap();
    fs::write(copy.folder.join("text.md"), "both\n").unwrap();
    write(&world.target().join("a/text.md"), b"changed\n");
    assert!(reason(&resume(&world), 0).contains("changed since the merge began"));
    write(&world.target().join("a/text.md"), b"ours\n");
    assert_eq!(actions(&resume(&world)), [("a", Action::Merge)]);
    for name in ["../a", "b", ""] {
        let error = plan_continue(&world.target(), name, &command("update"), world.host());
        assert_eq!(error.unwrap_err().kind(), ErrorKind::NotFound, "{name}");
    }
    fs::remove_dir_all(&copy.folder).unwrap();
    assert!(reason(&resume(&world), 0).contains("is not there any more"));
}
