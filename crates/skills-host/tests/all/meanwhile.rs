//! What another process does between a plan and its changes.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_host::Error;
use skills_host::git::Observer;
use skills_host::install::{
    Host, InstallOptions, OnConflict, Pins, Plan, apply, plan_locked, plan_uninstall,
};
use skills_host::lock::read_lock;
use std::fs;
use std::path::Path;

/// Applies a plan, and returns the error of each skill.
fn errors(plan: &Plan, host: Host<'_>) -> Vec<(String, Option<Error>)> {
    let applied = apply(plan, host).unwrap().into_iter();
    applied.map(|done| (done.name, done.error)).collect()
}

/// Copies the files of a skill of the remote into the folder of skills, as another program would.
fn copied(world: &World, name: &str) {
    for file in ["SKILL.md", "scripts/run.sh"] {
        let to = world.target().join(name).join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(world.path("remote/skills").join(name).join(file), to).unwrap();
    }
}

#[test]
fn the_same_change_of_another_process_is_no_error() {
    let world = World::new();
    let options = InstallOptions::default();
    let (first, second) = (
        world.plan(&world.url(), &["a"], &options),
        world.plan(&world.url(), &["a"], &options),
    );
    world.apply(&first);
    world.apply(&second);
    assert!(world.data.trash().list().unwrap().is_empty());
}

#[test]
fn equal_files_without_an_entry_in_the_lock_are_not_the_same_change() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    copied(&world, "a");
    let [(_, Some(error))] = &errors(&plan, world.host())[..] else {
        panic!("the files of another program were taken for this install");
    };
    assert!(error.to_string().contains("meanwhile"), "{error}");
    assert!(
        !read_lock(&world.target(), &world.data)
            .unwrap()
            .skills
            .contains_key("a")
    );
}

#[test]
fn equal_files_in_place_of_an_older_version_are_not_the_same_change() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let before = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    world.skill("a", "One, changed.\n");
    world.commit("second");
    let plan = world.update(OnConflict::Refuse);
    copied(&world, "a");
    let [(_, Some(error))] = &errors(&plan, world.host())[..] else {
        panic!("the lock would name the older version");
    };
    assert!(error.to_string().contains("meanwhile"), "{error}");
    let after = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert_eq!(after, before);
}

/// The plan of an update of `a`, which is installed, and whose source has moved on.
fn update_of_a(world: &World, text: &str) -> Plan {
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    world.skill("a", text);
    world.commit("second");
    world.update(OnConflict::Merge)
}

/// Returns whether the only skill of a plan was refused because of what another process did.
fn is_refused(plan: &Plan, host: Host<'_>, word: &str) -> bool {
    let errors = errors(plan, host);
    matches!(&errors[..], [(_, Some(error))] if error.to_string().contains(word))
}

#[test]
fn a_skill_that_was_uninstalled_meanwhile_stays_away() {
    let world = World::new();
    let plan = update_of_a(&world, "Two.\n");
    let names = ["a".to_owned()];
    let gone = plan_uninstall(&world.target(), &names, OnConflict::Refuse, world.host()).unwrap();
    world.apply(&gone);
    assert!(is_refused(&plan, world.host(), "uninstalled"));
    assert!(!world.target().join("a").exists());
    assert!(!names_of(&world).contains(&"a".to_owned()));
    // The same of a plan that found the folder missing, and would put the skill back.
    let plan = update_of_a(&world, "Three.\n");
    fs::remove_dir_all(world.target().join("a")).unwrap();
    let back = plan_locked(&world.target(), &names, world.host()).unwrap();
    let gone = plan_uninstall(&world.target(), &names, OnConflict::Refuse, world.host()).unwrap();
    world.apply(&gone);
    assert!(is_refused(&back, world.host(), "uninstalled"));
    assert!(is_refused(&plan, world.host(), "uninstalled"));
    assert!(!world.target().join("a").exists());
}

fn names_of(world: &World) -> Vec<String> {
    let lock = read_lock(&world.target(), &world.data).unwrap();
    lock.skills.into_keys().collect()
}

#[test]
fn a_skill_that_was_pinned_meanwhile_is_not_updated() {
    let world = World::new();
    let plan = update_of_a(&world, "Two.\n");
    let before = world.text("a/SKILL.md");
    let pins = Pins::of(&world.data);
    pins.set(&world.target(), &["a".to_owned()], true).unwrap();
    assert!(is_refused(&plan, world.host(), "pinned"));
    assert_eq!(world.text("a/SKILL.md"), before);
}

#[test]
fn the_same_update_of_another_process_is_no_error_and_another_one_is() {
    let world = World::new();
    let first = update_of_a(&world, "Two.\n");
    let second = world.update(OnConflict::Merge);
    world.skill("a", "One, changed again.\n");
    world.commit("third");
    let third = world.update(OnConflict::Merge);
    world.apply(&first);
    assert!(
        errors(&second, world.host())
            .iter()
            .all(|(_, error)| error.is_none())
    );
    assert!(is_refused(&third, world.host(), "updated meanwhile"));
    // An entry that another process wrote is not removed or replaced.
    let names = ["a".to_owned()];
    let gone = plan_uninstall(&world.target(), &names, OnConflict::Refuse, world.host()).unwrap();
    world.apply(&gone);
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    world.apply(&world.plan(
        &format!("{}#v1", world.url()),
        &["a"],
        &InstallOptions::default(),
    ));
    assert!(is_refused(&plan, world.host(), "installed meanwhile"));
}

/// Puts a folder in the place of the lock while the skill `b` is installed.
struct LockTaken<'p>(&'p Path);

impl Observer for LockTaken<'_> {
    fn progress(&self, line: &str) {
        if line == "b" {
            let _ = fs::remove_file(self.0);
            fs::create_dir_all(self.0.join("in the way")).unwrap();
        }
    }
}

#[test]
fn a_lock_that_cannot_be_written_is_the_error_of_the_skills_without_an_entry() {
    let world = World::new();
    let options = InstallOptions::default();
    let plan = world.plan(&world.url(), &["a", "b"], &options);
    world.apply(&world.plan(&world.url(), &["a"], &options));
    let lock = world.target().join("skills.lock");
    let host = Host {
        observer: &LockTaken(&lock),
        ..world.host()
    };
    // Another process has installed `a`: only the entry of `b` is missing.
    let errors = errors(&plan, host);
    let failed: Vec<(&str, bool)> = errors
        .iter()
        .map(|(name, error)| (name.as_str(), error.is_some()))
        .collect();
    assert_eq!(failed, [("a", false), ("b", true)], "{errors:?}");
}

#[test]
fn errors_that_are_installed_already_refuse_no_update() {
    let world = World::new();
    let options = InstallOptions {
        is_lenient: true,
        ..InstallOptions::default()
    };
    let faulty = |body: &str| {
        let text =
            format!("---\nname: a\ndescription: Does a: with care. Use when asked.\n---\n{body}\n");
        fs::write(world.path("remote/skills/a/SKILL.md"), text).unwrap();
    };
    faulty("One.");
    world.commit("an unquoted colon");
    world.apply(&world.plan(&world.url(), &["a"], &options));
    // The same files at another commit.
    world.skill("b", "Other.\n");
    world.commit("another skill");
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        plan.skills[0].reason.as_deref(),
        None,
        "{:?}",
        actions(&plan)
    );
    // New files with the same error.
    faulty("Two.");
    world.commit("still with the colon");
    let plan = world.update(OnConflict::Refuse);
    assert!(
        reason(&plan, 0).starts_with("`skills check` finds"),
        "{:?}",
        plan.skills[0].reason
    );
}
