//! Hostile locks and stores: every part of them is checked before it is used.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_host::install::{
    Action, InstallOptions, OnConflict, Plan, UpdateOptions, locked_sources, plan_locked,
    plan_update,
};
use skills_host::lock::collect;
use std::fs;
#[cfg(unix)]
use std::path::Path;

/// Replaces a text in the lock.
fn edit(world: &World, from: &str, to: &str) {
    let path = world.target().join("skills.lock");
    let lock = fs::read_to_string(&path).unwrap();
    assert!(lock.contains(from), "{lock}");
    fs::write(&path, lock.replace(from, to)).unwrap();
}

/// Makes a machine with the skill `a`, and another text as its commit in the lock.
fn with_commit(commit: &str) -> World {
    let world = World::new();
    let plan = world.plan(
        &format!("{}#v1", world.url()),
        &["a"],
        &InstallOptions::default(),
    );
    world.apply(&plan);
    let was = plan.skills[0].commit.clone().unwrap();
    edit(&world, &was, commit);
    world
}

fn put_back(world: &World) -> Plan {
    let _ = fs::remove_dir_all(world.path("data/store"));
    let _ = fs::remove_dir_all(world.target().join("a"));
    plan_locked(&world.target(), &[], world.host()).unwrap()
}

#[test]
#[cfg_attr(
    windows,
    ignore = "the folders of Windows would need escapes in the lock"
)]
fn a_commit_is_no_option() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let program = format!("--upload-pack=touch {}; git-upload-pack", ran.display());
    for commit in [program.as_str(), "HEAD", "main", "--all", ""] {
        let world = with_commit(commit);
        let plan = put_back(&world);
        assert!(!ran.exists(), "{commit}");
        assert_eq!(actions(&plan), [("a", Action::Refuse)], "{commit}");
        assert!(
            reason(&plan, 0).contains("is not a commit"),
            "{}",
            reason(&plan, 0)
        );
        for on_conflict in [OnConflict::Refuse, OnConflict::Merge, OnConflict::Force] {
            let plan = world.update(on_conflict);
            assert!(!ran.exists(), "{commit}");
            assert_eq!(actions(&plan), [("a", Action::Refuse)], "{commit}");
        }
    }
}

#[test]
fn a_cloned_lock_does_not_choose_what_is_read() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    world.skill("a", "A secret of this machine.\n");
    world.commit("second");
    let url = world.url();
    let folder = world.path("remote").display().to_string();
    for source in [url.as_str(), folder.as_str(), "../../../remote"] {
        if source != url {
            edit(&world, &url, source);
        }
        let mut options = UpdateOptions {
            repository: Some(world.path("home")),
            ..UpdateOptions::default()
        };
        let plan = plan_update(&world.target(), &options, world.host()).unwrap();
        assert_eq!(actions(&plan), [("a", Action::Refuse)], "{source}");
        assert!(
            reason(&plan, 0).contains("on your disk"),
            "{}",
            reason(&plan, 0)
        );
        let text = serde_json::to_string(&plan).unwrap();
        assert!(!text.contains("A secret"), "{text}");
        // The user has looked at the source.
        options.allows_local = true;
        let plan = plan_update(&world.target(), &options, world.host()).unwrap();
        assert_eq!(actions(&plan), [("a", Action::Update)], "{source}");
        if source != url {
            edit(&world, source, &url);
        }
    }
    // A source inside the repository is followed.
    let options = UpdateOptions {
        repository: Some(world.folder.path().to_owned()),
        ..UpdateOptions::default()
    };
    edit(&world, &url, "../../../remote");
    let plan = plan_update(&world.target(), &options, world.host()).unwrap();
    assert_eq!(actions(&plan), [("a", Action::Update)]);
}

#[test]
#[cfg(unix)]
fn a_hostile_store() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    world.apply(&plan);
    let digest = plan.skills[0].digest.clone().unwrap();
    let version = world
        .path("data/store")
        .join(digest.trim_start_matches("sha256:"));
    let skill = world.target().join("a");
    let victim = world.path("victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("file"), "precious").unwrap();
    let spoil: [(&str, &dyn Fn()); 8] = [
        ("litter", &|| {
            fs::write(version.join("scripts/run.sh~"), "x").unwrap();
        }),
        ("triggers", &|| {
            fs::write(version.join("triggers.yaml"), "x").unwrap();
        }),
        ("link", &|| symlink(&victim, version.join("link")).unwrap()),
        ("repository", &|| {
            fs::create_dir(version.join(".git")).unwrap();
        }),
        ("more", &|| fs::write(version.join("more.md"), "x").unwrap()),
        ("bytes", &|| {
            fs::write(version.join("SKILL.md"), "other").unwrap();
        }),
        ("a link to a copy", &|| {
            fs::rename(&version, world.path("copy")).unwrap();
            symlink(world.path("copy"), &version).unwrap();
            fs::write(world.path("copy/.x.swp"), "x").unwrap();
        }),
        ("a link elsewhere", &|| {
            fs::remove_dir_all(&version).unwrap();
            symlink(&victim, &version).unwrap();
        }),
    ];
    for (what, spoil) in spoil {
        fs::remove_dir_all(&skill).unwrap();
        spoil();
        let plan = plan_locked(&world.target(), &[], world.host()).unwrap();
        assert_eq!(actions(&plan), [("a", Action::Install)], "{what}");
        world.apply(&plan);
        let mut names: Vec<_> = fs::read_dir(&skill)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["SKILL.md", "scripts"], "{what}");
        assert_eq!(
            fs::read_dir(skill.join("scripts")).unwrap().count(),
            1,
            "{what}"
        );
        assert_eq!(
            fs::read_to_string(victim.join("file")).unwrap(),
            "precious",
            "{what}"
        );
        assert!(version.is_dir() && !version.is_symlink(), "{what}");
        let _ = fs::remove_dir_all(world.path("copy"));
        // Despite the damaged version, an install stores a complete one.
        spoil_again(&version);
        fs::remove_dir_all(&skill).unwrap();
        world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
        assert!(
            fs::read_to_string(version.join("SKILL.md"))
                .unwrap()
                .contains("One."),
            "{what}"
        );
    }
}

#[cfg(unix)]
fn spoil_again(version: &Path) {
    fs::remove_dir_all(version).unwrap();
    fs::create_dir(version).unwrap();
    fs::write(version.join("SKILL.md"), "other").unwrap();
}

#[test]
fn a_list_of_locks_that_cannot_be_read_is_not_empty() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let list = world.path("data/locks.txt");
    let text = fs::read(&list).unwrap();
    fs::write(&list, [&text[..], b"\xff\n"].concat()).unwrap();
    let collected = collect(&world.data);
    assert!(collected.is_err(), "{collected:?}");
    fs::write(&list, text).unwrap();
    let collected = collect(&world.data).unwrap();
    assert_eq!(collected, 0);
}

#[test]
#[cfg(unix)]
fn a_lock_that_is_a_pipe_is_not_waited_for() {
    let world = World::new();
    fs::create_dir_all(world.target()).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a pipe of the test")]
    let made = std::process::Command::new("mkfifo")
        .arg(world.path("home/.agents/skills/skills.lock"))
        .status();
    assert!(made.unwrap().success());
    let plan = plan_locked(&world.target(), &[], world.host());
    assert!(plan.is_err());
}

#[test]
fn a_hostile_lock() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a", "b"], &InstallOptions::default()));
    let text = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    let url = world.url();
    // An invalid path of one entry does not affect the other entry, which has the same source.
    for path in [
        "../../x",
        "a/../..",
        ".git",
        "x\\u001b[2J",
        "x\\\\y",
        &"a/".repeat(1 << 16),
    ] {
        fs::write(
            world.target().join("skills.lock"),
            text.replace("skills/a", path),
        )
        .unwrap();
        let plan = world.update(OnConflict::Refuse);
        assert_eq!(
            actions(&plan),
            [("a", Action::Refuse), ("b", Action::Current)],
            "{path:.100}"
        );
        let _ = fs::remove_dir_all(world.path("data/store"));
        fs::rename(world.target().join("a"), world.path("a")).unwrap();
        let plan = plan_locked(&world.target(), &[], world.host()).unwrap();
        assert_eq!(
            actions(&plan),
            [("a", Action::Refuse), ("b", Action::Current)],
            "{path:.100}"
        );
        fs::rename(world.path("a"), world.target().join("a")).unwrap();
    }
    // No plan contains the secret of a source.
    let secret = "https://me:secret@a.example/b?token=secret";
    fs::write(
        world.target().join("skills.lock"),
        text.replace(&url, secret),
    )
    .unwrap();
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        actions(&plan),
        [("a", Action::Refuse), ("b", Action::Refuse)]
    );
    assert!(!serde_json::to_string(&plan).unwrap().contains("secret"));
    let sources = locked_sources(&world.target(), None, &[], true, world.host()).unwrap();
    assert!(
        sources
            .iter()
            .all(|source| !source.source.contains("secret"))
    );
    let options = InstallOptions::default();
    let plan = world.plan(&url, &["a"], &options);
    assert_eq!(actions(&plan), [("a", Action::Refuse)]);
    assert!(!serde_json::to_string(&plan).unwrap().contains("secret"));
    // A file that is not a lock does not count as an empty lock.
    for lock in [
        text.replace("name = \"a\"", "name = \"../a\""),
        text.replace("size = ", "size = -"),
        text.replace("size = ", "size = 9999999999999999999999"),
        text.replace("digest = \"sha256:", "digest = \"sha256:x"),
        text.replace("version = 4", "version = \"4\""),
        text.replace("version = 4", "version = 5"),
        text.replace("name = \"a\"", "name = [\"a\"]"),
        text.replace("[[skill]]", "[skill]"),
        text.clone() + &"#".repeat(17 << 20),
        format!("x = {}", "[".repeat(100_000)),
    ] {
        fs::write(world.target().join("skills.lock"), lock).unwrap();
        let update = UpdateOptions {
            names: vec!["a".to_owned()],
            ..UpdateOptions::default()
        };
        assert!(plan_update(&world.target(), &update, world.host()).is_err());
        assert!(plan_locked(&world.target(), &[], world.host()).is_err());
    }
    assert!(world.text("a/SKILL.md").contains("One."));
}
