//! Tests the history of a folder of skills that is a git repository of its own.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use crate::world::{World, git, log};
use skills_host::git::Git;
use skills_host::install::{InstallOptions, OnConflict, plan_uninstall};
use std::fs;
use std::process::Command;

#[test]
fn every_change_is_committed() {
    let world = World::new();
    let target = world.target();
    fs::create_dir_all(target.join("mine")).unwrap();
    fs::write(target.join("mine/SKILL.md"), "mine").unwrap();
    fs::write(target.join("staged.txt"), "staged").unwrap();
    fs::write(target.join(".gitignore"), "*.log\n").unwrap();
    git(&target, &["init", "-q", "-b", "main"]);
    git(&target, &["add", "staged.txt", ".gitignore"]);
    // The file that a hook would make.
    let shown = world.path("shown");
    let touch = format!("touch {}", shown.display().to_string().replace('\\', "/"));
    for hook in ["pre-commit", "post-commit", "reference-transaction"] {
        let hook = target.join(".git/hooks").join(hook);
        fs::write(&hook, format!("#!/bin/sh\n{touch}\n")).unwrap();
        git(&target, &["update-index", "--refresh"]);
        Command::new("chmod").arg("+x").arg(&hook).status().unwrap();
    }
    let options = InstallOptions::default();
    world.apply(&world.plan(&world.url(), &["a", "b"], &options));
    assert_eq!(log(&target), ["install: a, b"]);
    assert_eq!(git(&target, &["status", "--short", "a", "b"]), "");
    let committed = git(&target, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(committed.contains("a/scripts/run.sh") && committed.contains("skills.lock"));
    assert!(!committed.contains("mine") && !committed.contains("staged"));

    // Local changes get a commit of their own, and ignored files are left out.
    world.skill("a", "One, upstream.\nTwo.\nThree.\nFour.\nFive.\n");
    world.commit("second");
    let edited = world.text("a/SKILL.md").replace("Five.", "Five, by hand.");
    fs::write(target.join("a/SKILL.md"), edited).unwrap();
    fs::write(target.join("a/debug.log"), "x").unwrap();
    world.apply(&world.update(OnConflict::Merge));
    let expected = ["install: a, b", "by hand: a", "update: a"];
    assert_eq!(log(&target)[..3], expected);
    let of_a = git(&target, &["log", "--format=%s", "--", "a/debug.log"]);
    assert_eq!(of_a, "");
    assert_eq!(fs::read_to_string(target.join("a/debug.log")).unwrap(), "x");

    world.apply(&plan_uninstall(&target, &["a".into()], OnConflict::Refuse, world.host()).unwrap());
    world.apply(&world.restore(&target, None));
    let all = log(&target);
    assert!(
        all.ends_with(&["uninstall: a".into(), "restore: a".into()]),
        "{all:?}"
    );
    // The rest of the folder is as the user left it, and no hook ran.
    assert_eq!(
        git(&target, &["status", "--short"]),
        "A  .gitignore\nA  staged.txt\n?? mine/"
    );
}

#[test]
fn a_repository_that_the_folder_lies_in_is_left_alone() {
    let world = World::new();
    let home = world.path("home");
    fs::create_dir_all(&home).unwrap();
    git(&home, &["init", "-q", "-b", "main"]);
    git(&home, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    assert_eq!(log(&home), ["mine"]);
    assert_eq!(git(&home, &["status", "--short"]), "?? .agents/");
}

#[test]
fn without_an_identity_and_on_no_branch() {
    let world = World::new();
    let target = world.target();
    fs::create_dir_all(&target).unwrap();
    git(&target, &["init", "-q", "-b", "main"]);
    git(&target, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    git(&target, &["checkout", "-q", "--detach"]);
    git(&target, &["config", "user.useConfigOnly", "true"]);
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    assert_eq!(log(&target), ["mine", "install: a"]);
    // Nothing changed: nothing is committed.
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    assert_eq!(log(&target).len(), 2);
}

#[test]
fn a_repository_in_a_foreign_folder_is_left_alone() {
    let mut world = World::new();
    world.git = Git::default();
    let target = world.target();
    fs::create_dir_all(&target).unwrap();
    git(&target, &["init", "-q", "-b", "main"]);
    git(&target, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    assert_eq!(log(&target), ["mine"]);
}
