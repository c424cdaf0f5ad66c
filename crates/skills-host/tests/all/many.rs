//! Thousands of skills: the lock is written for many skills at once, and misses none of them.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::World;
use skills_host::install::{Chosen, InstallOptions, Offer, Plan, Source, apply};
use skills_host::lock::read_lock;
use std::fs;

/// Makes a plan for 150 skills, more than one writing of the lock covers.
fn plan(world: &World) -> Plan {
    for n in 0..150 {
        let folder = world.path("many").join(format!("skill-{n:03}"));
        fs::create_dir_all(&folder).unwrap();
        let text = format!(
            "---\nname: skill-{n:03}\ndescription: Does {n} with care. Use when asked for {n}.\n---\n\nDo it.\n"
        );
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    let source = Source::parse("many", world.folder.path()).unwrap();
    let offer = Offer::fetch(source, world.host()).unwrap();
    let options = InstallOptions::default();
    offer.plan(&Chosen::All, &world.target(), &options).unwrap()
}

#[test]
fn every_skill_is_in_the_lock() {
    let world = World::new();
    world.apply(&plan(&world));
    let lock = read_lock(&world.target(), &world.data).unwrap();
    assert_eq!(lock.skills.len(), 150);
    let text = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert_eq!(text, lock.to_string());
}

#[test]
fn a_skill_that_fails_takes_no_other_from_the_lock() {
    let world = World::new();
    let plan = plan(&world);
    // In the middle of a batch, at its beginning, at its end, and last.
    let failing = ["skill-030", "skill-064", "skill-065", "skill-149"];
    for name in failing {
        fs::create_dir_all(world.target().join(name)).unwrap();
        fs::write(world.target().join(name).join("mine.md"), "mine").unwrap();
    }
    let applied = apply(&plan, world.host()).unwrap();
    for applied in &applied {
        let fails = failing.contains(&applied.name.as_str());
        assert_eq!(applied.error.is_some(), fails, "{applied:?}");
    }
    assert!(!world.target().join(".skills-work").exists());
    let lock = read_lock(&world.target(), &world.data).unwrap();
    assert_eq!(lock.skills.len(), 146);
    assert!(failing.iter().all(|name| !lock.skills.contains_key(*name)));
    // Another run installs the rest.
    for name in failing {
        fs::remove_dir_all(world.target().join(name)).unwrap();
    }
    for applied in apply(&plan, world.host()).unwrap() {
        assert!(applied.error.is_none(), "{applied:?}");
    }
    let lock = read_lock(&world.target(), &world.data).unwrap();
    assert_eq!(lock.skills.len(), 150);
}

#[test]
fn nothing_is_changed_while_the_lock_cannot_be_read() {
    let world = World::new();
    let plan = plan(&world);
    // A folder in the place of the lock: no file can be renamed over it.
    fs::create_dir_all(world.target()).unwrap();
    let lock = world.target().join("skills.lock");
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let text = fs::read_to_string(&lock).unwrap();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    fs::write(lock.join("x"), "x").unwrap();
    assert!(apply(&plan, world.host()).is_err());
    fs::remove_dir_all(&lock).unwrap();
    fs::write(&lock, text).unwrap();
    for applied in apply(&plan, world.host()).unwrap() {
        assert!(applied.error.is_none(), "{applied:?}");
    }
    let lock = read_lock(&world.target(), &world.data).unwrap();
    assert_eq!(lock.skills.len(), 151);
}
