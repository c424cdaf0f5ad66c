//! What a source offers, what it leaves out, and the faults of its manifests.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::World;
use skills_host::install::{Chosen, InstallOptions, Offer, Source};
use std::fs;

fn write(world: &World, path: &str, text: &[u8]) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a skill that is named after its folder. `more` is further front matter.
fn skill(world: &World, folder: &str, more: &str) {
    let name = folder.rsplit('/').next().unwrap();
    let text = format!(
        "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n{more}---\nDo it.\n"
    );
    write(world, &format!("{folder}/SKILL.md"), text.as_bytes());
}

/// Returns the names of the offered skills, and the folders that are left out.
fn offered(world: &World, source: &str) -> (String, String) {
    let source = Source::parse(source, world.folder.path()).unwrap();
    let offer = Offer::fetch(source, world.host()).unwrap();
    let skills = offer.skills().unwrap();
    let names: Vec<&str> = skills.iter().map(|skill| &*skill.name).collect();
    let left_out = offer.left_out().unwrap();
    for folder in &left_out {
        let chosen = Chosen::Named(vec![(*folder).to_owned()]);
        let plan = offer.plan(&chosen, &world.target(), &InstallOptions::default());
        assert_eq!(plan.unwrap().skills[0].path.as_deref(), Some(*folder));
    }
    (names.join(" "), left_out.join(" "))
}

#[test]
fn what_is_left_out_is_found_by_its_folder() {
    let world = World::new();
    skill(&world, "all/skills/x", "");
    skill(&world, "all/skills/x/examples/inner", "");
    skill(&world, "all/.hidden/y", "");
    skill(&world, "all/z", "metadata:\n  internal: true\n");
    let told = ("x".to_owned(), ".hidden/y z".to_owned());
    assert_eq!(offered(&world, "all"), told);
    // The source itself is a skill: a skill inside of it is one of its examples.
    let told = ("x".to_owned(), "examples/inner".to_owned());
    assert_eq!(offered(&world, "all/skills/x"), told);
    // A source with nothing but internal skills offers none of them by itself.
    skill(&world, "own/z", "metadata:\n  internal: true\n");
    skill(&world, "own/dist/built", "");
    skill(&world, "own/tests/fixtures/y", "");
    let source = Source::parse("own", world.folder.path()).unwrap();
    let offer = Offer::fetch(source, world.host()).unwrap();
    let error = offer.skills().unwrap_err().report().to_string();
    assert!(error.contains("dist/built, tests/fixtures/y, z"), "{error}");
}

/// What cannot be installed from where it lies is told with its reason, also if the source has nothing else.
#[cfg(unix)]
#[test]
fn what_no_name_chooses_is_told() {
    use std::os::unix::ffi::OsStrExt as _;
    let world = World::new();
    skill(&world, "set/new\nline", "");
    let odd = world
        .path("set")
        .join(std::ffi::OsStr::from_bytes(b"b\xff"));
    fs::create_dir_all(&odd).unwrap();
    fs::write(odd.join("SKILL.md"), "x").unwrap();
    let fetched = |source: &str| {
        let source = Source::parse(source, world.folder.path()).unwrap();
        let offer = Offer::fetch(source, world.host()).map(|offer| {
            let named = Chosen::Named(vec!["new\nline".to_owned()]);
            let plan = offer.plan(&named, &world.target(), &InstallOptions::default());
            (
                offer.not_offered(),
                plan.map(drop).map_err(|error| error.to_string()),
            )
        });
        offer.map_err(|error| error.to_string())
    };
    let error = fetched("./set").unwrap_err();
    assert!(
        error.contains("offers no skill: b\u{fffd}: the path"),
        "{error}"
    );
    skill(&world, "set/good", "");
    let (not_offered, plan) = fetched("./set").unwrap();
    let paths: Vec<&str> = not_offered.iter().map(|it| &*it.path).collect();
    assert_eq!(paths, ["b\u{fffd}", "new\nline"]);
    assert!(not_offered[0].reason.contains("UTF-8"), "{not_offered:?}");
    assert!(plan.unwrap_err().contains("is not offered"));
}
