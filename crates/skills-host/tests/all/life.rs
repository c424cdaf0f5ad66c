//! The life of a skill on a machine, with local git remotes.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_host::ErrorKind;
use skills_host::install::{
    Action, ByHandState, InstallOptions, Offer, OnConflict, Operation, Source, apply_as,
    lock_differences, plan_locked, plan_restore, plan_uninstall,
};
use skills_host::lock::read_lock;
use std::fs;

#[test]
fn a_life() {
    let world = World::new();
    let options = InstallOptions::default();
    let plan = world.plan(&format!("{}#v1", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Install), ("b", Action::Install)]
    );
    assert_eq!(plan.skills[0].scripts, ["scripts/run.sh"]);
    world.apply(&plan);
    let lock = read_lock(&world.target(), &world.data).unwrap();
    let from = lock.skills["a"].provenance.clone().unwrap();
    assert_eq!(from.path.as_deref(), Some("skills/a"));
    assert_eq!(from.requested.as_deref(), Some("v1"));
    assert_eq!(world.state("a"), ByHandState::Unchanged);

    // The tag stays, and a newer tag is noted.
    world.skill("a", "One, changed.\nTwo.\nThree.\nFour.\nFive.\n");
    world.skill("b", "One, changed.\nTwo.\nThree.\nFour.\nFive.\n");
    world.commit("second");
    world.run(&["tag", "-a", "v2", "-m", "v2"]);
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        actions(&plan),
        [("a", Action::Current), ("b", Action::Current)]
    );
    assert_eq!(
        plan.skills[0].note.as_deref(),
        Some("a newer tag exists; --rev v2 updates to it")
    );

    // From the tag to the branch, with a local change in one skill and an added file in the other.
    let plan = world.plan(&format!("{}#v1", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Current), ("b", Action::Current)]
    );
    let edited = world.text("a/SKILL.md").replace("Five.", "Five, by hand.");
    fs::write(world.target().join("a/SKILL.md"), edited).unwrap();
    fs::write(world.target().join("b/notes.md"), "mine").unwrap();
    assert_eq!(world.state("a"), ByHandState::Changed);
    assert_eq!(world.state("b"), ByHandState::Added);
    let plan = world.plan(&format!("{}#main", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Refuse), ("b", Action::Update)]
    );
    assert_eq!(reason(&plan, 0), "it has local changes: SKILL.md");
    assert!(
        plan.skills[0].by_hand[0]
            .unified
            .as_ref()
            .unwrap()
            .contains("+Five, by hand.")
    );
    assert_eq!(plan.skills[1].kept, ["notes.md"]);
    world.apply(&plan);
    assert_eq!(world.text("b/notes.md"), "mine");
    assert!(world.text("b/SKILL.md").contains("One, changed."));

    // Merged: the result has both changes.
    let merging = InstallOptions {
        on_conflict: OnConflict::Merge,
        ..InstallOptions::default()
    };
    let plan = world.plan(&format!("{}#main", world.url()), &["a"], &merging);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    world.apply(&plan);
    assert!(world.text("a/SKILL.md").contains("One, changed."));
    assert!(world.text("a/SKILL.md").contains("Five, by hand."));
    assert_eq!(world.state("a"), ByHandState::Changed);

    // A conflict refuses the whole skill, a merge would write markers, and force keeps the old one in the trash.
    world.skill("a", "One, changed.\nTwo.\nThree.\nFour.\nFive, upstream.\n");
    fs::write(world.path("remote/skills/b/notes.md"), "theirs").unwrap();
    world.commit("third");
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        actions(&plan),
        [("a", Action::Refuse), ("b", Action::Refuse)]
    );
    assert!(reason(&plan, 0).contains("it has local changes: SKILL.md"));
    assert!(reason(&plan, 1).contains("notes.md: both sides changed the same lines"));
    let plan = world.update(OnConflict::Merge);
    assert_eq!(actions(&plan), [("a", Action::Merge), ("b", Action::Merge)]);
    let before = world.text("a/SKILL.md");
    let plan = world.update(OnConflict::Force);
    assert_eq!(
        actions(&plan),
        [("a", Action::Replace), ("b", Action::Replace)]
    );
    world.apply(&plan);
    assert!(world.text("a/SKILL.md").contains("Five, upstream."));
    assert_eq!(world.text("b/notes.md"), "theirs");
    let plan = world.restore(&world.target(), Some("a"));
    world.apply(&plan);
    assert_eq!(world.text("a/SKILL.md"), before);
    assert_eq!(world.state("a"), ByHandState::Changed);
}

#[test]
fn uninstalled_and_restored() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let before = world.text("a/SKILL.md") + "By hand.\n";
    fs::write(world.target().join("a/SKILL.md"), &before).unwrap();
    let plan = plan_uninstall(
        &world.target(),
        &["a".into()],
        OnConflict::Refuse,
        world.host(),
    )
    .unwrap();
    world.apply(&plan);
    assert!(!world.target().join("a").exists());
    assert!(
        !read_lock(&world.target(), &world.data)
            .unwrap()
            .skills
            .contains_key("a")
    );
    let plan = world.restore(&world.target(), None);
    assert_eq!(actions(&plan), [("a", Action::Restore)]);
    world.apply(&plan);
    assert_eq!(world.text("a/SKILL.md"), before);
    assert!(
        read_lock(&world.target(), &world.data)
            .unwrap()
            .skills
            .contains_key("a")
    );
}

#[test]
fn put_back_from_the_lock() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a", "b"], &InstallOptions::default());
    world.apply(&plan);
    let lock = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert_eq!(lock_differences(&world.target(), world.host()).unwrap(), []);
    let gone = || {
        for name in ["a", "b"] {
            fs::remove_dir_all(world.target().join(name)).unwrap();
        }
    };
    let back = || {
        let plan = plan_locked(&world.target(), &[], world.host()).unwrap();
        assert_eq!(
            actions(&plan),
            [("a", Action::Install), ("b", Action::Install)],
            "{:?}",
            plan.skills[0].reason
        );
        world.apply(&plan);
        assert_eq!(lock_differences(&world.target(), world.host()).unwrap(), []);
        assert_eq!(
            fs::read_to_string(world.target().join("skills.lock")).unwrap(),
            lock
        );
    };
    // First with the remote gone, then with the store gone and a remote that has changed.
    gone();
    assert_eq!(
        lock_differences(&world.target(), world.host())
            .unwrap()
            .len(),
        2
    );
    fs::rename(world.path("remote"), world.path("away")).unwrap();
    back();
    fs::rename(world.path("away"), world.path("remote")).unwrap();
    world.skill("a", "Other.\n");
    world.commit("second");
    gone();
    fs::rename(world.path("data/store"), world.path("away")).unwrap();
    back();
}

#[test]
fn what_a_source_may_not_do() {
    let world = World::new();
    let source = |text: &str| {
        let source = Source::parse(text, world.folder.path()).unwrap();
        let offer = Offer::fetch(source, world.host());
        offer.map(|offer| offer.skills().unwrap().len())
    };
    assert_eq!(source(&world.url()).unwrap(), 5);
    let no_revision = source(&format!("{}#v9", world.url())).unwrap_err();
    assert_eq!(no_revision.kind(), ErrorKind::NotFound);
    let missing = source("file:///no/such/repository").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Program);
    assert!(
        missing
            .to_string()
            .contains("does not appear to be a git repository"),
        "{missing}"
    );
    fs::create_dir(world.path("empty")).unwrap();
    assert_eq!(source("empty").unwrap_err().kind(), ErrorKind::NotFound);
}

#[cfg(unix)]
fn set_run_bit(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).unwrap().permissions().mode() & 0o111 != 0
}

/// A digest covers no run bits, and an update brings them all the same.
#[cfg(unix)]
#[test]
fn an_update_brings_the_run_bits_of_the_source() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a", "b"], &InstallOptions::default()));
    let (at_source, here) = (
        world.path("remote/skills/a/scripts/run.sh"),
        world.target().join("a/scripts/run.sh"),
    );
    // A bit that a person set stays, since the source did not change it.
    let of_person = world.target().join("b/scripts/run.sh");
    set_run_bit(&of_person, 0o755);
    set_run_bit(&at_source, 0o755);
    world.commit("the run bit");
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        actions(&plan),
        [("a", Action::Update), ("b", Action::Current)]
    );
    assert_eq!(plan.skills[0].difference[0].executable, Some(true));
    world.apply(&plan);
    // A bit is never taken away.
    set_run_bit(&at_source, 0o644);
    world.commit("no run bit");
    let again = world.update(OnConflict::Refuse);
    assert_eq!(again.changes().count(), 0, "{:?}", actions(&again));
    assert!(is_executable(&here));
    assert!(is_executable(&of_person));
}

#[test]
fn what_a_restore_displaces_comes_back_with_the_next_one() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a", "b"], &InstallOptions::default()));
    fs::write(world.target().join("a/mine.md"), "mine").unwrap();
    let old = world.text("a/SKILL.md");
    for name in ["a", "b"] {
        world.skill(name, "Other.\n");
    }
    world.commit("second");
    world.apply(&world.update(OnConflict::Refuse));
    let new = world.text("a/SKILL.md");
    for text in [&old, &new, &old] {
        let plan = world.restore(&world.target(), None);
        assert_eq!(
            actions(&plan),
            [("a", Action::Restore), ("b", Action::Restore)]
        );
        world.apply(&plan);
        assert_eq!(world.text("a/SKILL.md"), *text);
        assert_eq!(world.text("a/mine.md"), "mine");
        assert_eq!(world.state("b"), ByHandState::Unchanged);
    }
}

#[test]
fn a_command_over_two_folders_is_restored_in_both_or_in_one() {
    let world = World::new();
    let targets = [world.target(), world.path("other")];
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    for target in &targets {
        let mut plan = plan.clone();
        plan.target.clone_from(target);
        world.apply(&plan);
    }
    let operation = Operation::new(world.host().clock);
    for target in &targets {
        let names = ["a".to_owned()];
        let plan = plan_uninstall(target, &names, OnConflict::Refuse, world.host()).unwrap();
        apply_as(&plan, &operation, world.host()).unwrap();
    }
    let plans = plan_restore(&targets, Some("a"), world.host()).unwrap();
    assert_eq!(plans.len(), 2);
    world.apply(&plans[1]);
    assert!(!targets[0].join("a").exists());
    assert!(targets[1].join("a").exists());
    let error = plan_restore(&targets, Some("b"), world.host()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}
