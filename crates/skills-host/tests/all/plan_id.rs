//! The id by which the user approves a plan identifies only that plan, whatever the name of the folder.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::World;
use skills_host::ErrorKind;
use skills_host::install::{
    Chosen, InstallOptions, Offer, OnConflict, Source, apply, plan_uninstall, temporary_folder,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

#[test]
fn a_folder_that_is_not_utf_8() {
    let world = World::new();
    let id = |name: &str, folder: PathBuf| {
        let source = Source::parse(&world.url(), world.folder.path()).unwrap();
        let temporary = temporary_folder(&world.data);
        let offer = Offer::fetch(source, &temporary, world.host()).unwrap();
        let chosen = Chosen::Named(vec![name.to_owned()]);
        let plan = offer.plan(&chosen, &folder, &InstallOptions::default());
        let plan = plan.unwrap();
        assert_eq!(plan.id.len(), 32);
        assert!(serde_json::to_string(&plan).unwrap().contains(&plan.id));
        plan.id
    };
    let folders: [&[u8]; 3] = [b"s\xff", b"s\xfe", "s\u{fffd}".as_bytes()];
    let folders = folders.map(|name| world.folder.path().join(OsStr::from_bytes(name)));
    let mut ids = BTreeSet::new();
    for folder in &folders {
        for name in ["a", "b"] {
            ids.insert(id(name, folder.clone()));
            assert_eq!(id(name, folder.clone()), id(name, folder.clone()));
        }
    }
    assert_eq!(ids.len(), 6);
}

#[test]
fn what_cannot_be_written_down_there_says_what_helps() {
    let world = World::new();
    let source = Source::parse(&world.url(), world.folder.path()).unwrap();
    let temporary = temporary_folder(&world.data);
    let offer = Offer::fetch(source, &temporary, world.host()).unwrap();
    let folder = world.folder.path().join(OsStr::from_bytes(b"s\xff"));
    let plan = offer.plan(&Chosen::All, &folder, &InstallOptions::default());
    for applied in apply(&plan.unwrap(), world.host()).unwrap() {
        let error = applied.error.unwrap();
        assert_eq!(error.kind(), ErrorKind::NotUtf8);
        assert!(
            error
                .remedy()
                .unwrap()
                .contains("so that its path is UTF-8")
        );
        assert!(!folder.join(applied.name).exists());
    }
}

/// The person approved the removal of what was there when they looked.
#[test]
fn a_removal_is_of_the_folder_that_was_seen() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    fs::create_dir_all(world.target().join("mine")).unwrap();
    let id = |name: &str| {
        let names = [name.to_owned()];
        plan_uninstall(&world.target(), &names, OnConflict::Force, world.host())
            .unwrap()
            .id
    };
    for name in ["a", "mine"] {
        let mut ids = BTreeSet::from([id(name)]);
        assert_eq!(id(name), id(name));
        for change in ["file", "other", "link", ".git"] {
            let path = world.target().join(name).join(change);
            match change {
                ".git" => fs::create_dir(path).unwrap(),
                "link" => std::os::unix::fs::symlink("SKILL.md", path).unwrap(),
                _ => fs::write(path, change).unwrap(),
            }
            ids.insert(id(name));
        }
        assert_eq!(ids.len(), 5, "{name}");
    }
}
