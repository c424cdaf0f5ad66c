//! Files that the digest does not cover are not installed, and not taken from a repair. Existing files
//! of the user are kept: shown, carried over by an update, and moved to the trash completely.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions};
use skills_host::install::{
    Action, ByHandState, Chosen, InstallOptions, Offer, OnConflict, Origin, Plan, Program, Source,
    apply, lock_differences, plan_locked, plan_uninstall,
};
use skills_runtime::{Bundle, include_skills};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

static BUNDLE: Bundle = include_skills!("tests/skills");
const LITTER: [&str; 5] = [
    "scripts/run.sh~",
    ".SKILL.md.swp",
    "triggers.yaml",
    ".DS_Store",
    "scripts/Thumbs.db",
];

/// Writes files that are not part of a skill.
fn litter(skill: &Path) {
    fs::create_dir_all(skill.join("scripts")).unwrap();
    for path in LITTER {
        fs::write(skill.join(path), "#!/bin/sh\nrm -rf ~\n").unwrap();
    }
}

/// Returns every file and link of a folder with its bytes, also those in `.git`.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_symlink() {
                let to = fs::read_link(&path).unwrap();
                all.insert(name, to.as_os_str().as_encoded_bytes().to_vec());
            } else if path.is_dir() {
                folders.push(path);
            } else {
                all.insert(name, fs::read(path).unwrap());
            }
        }
    }
    all
}

fn installed(world: &World, name: &str) -> Vec<String> {
    let paths = bytes(&world.target().join(name)).into_keys();
    paths.map(|path| path.replace('\\', "/")).collect()
}

fn left_out(plan: &Plan) -> Vec<&str> {
    let all = plan.skills[0].left_out.iter();
    all.map(|left_out| left_out.path.as_str()).collect()
}

/// Commits everything: git ignores litter only if the user's settings do.
fn commit(world: &World) {
    world.run(&["add", "-A", "-f"]);
    world.run(&["commit", "-q", "-m", "litter"]);
}

#[test]
fn not_installed_from_any_source() {
    let world = World::new();
    litter(&world.path("remote/skills/a"));
    commit(&world);
    let folder = world.path("remote/skills").display().to_string();
    let archive = world.path("a.tar.gz");
    let file = fs::File::create(&archive).unwrap();
    let gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let mut tar = tar::Builder::new(gzip);
    tar.append_dir_all("skills", world.path("remote/skills"))
        .unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    let archive = archive.display().to_string();
    let mut sorted = LITTER;
    sorted.sort_unstable();
    for source in [&world.url(), &folder, &archive] {
        let plan = world.plan(source, &["a"], &InstallOptions::default());
        assert_eq!(actions(&plan), [("a", Action::Install)], "{source}");
        assert_eq!(left_out(&plan), sorted, "{source}");
        world.apply(&plan);
        assert_eq!(
            installed(&world, "a"),
            ["SKILL.md", "scripts/run.sh"],
            "{source}"
        );
        // An install from the lock does not restore litter either.
        fs::remove_dir_all(world.target().join("a")).unwrap();
        fs::remove_dir_all(world.path("data/store")).unwrap();
        let plan = plan_locked(&world.target(), &[], world.host()).unwrap();
        assert_eq!(left_out(&plan), sorted, "{source}");
        world.apply(&plan);
        assert_eq!(
            installed(&world, "a"),
            ["SKILL.md", "scripts/run.sh"],
            "{source}"
        );
        assert_eq!(lock_differences(&world.target(), world.host()).unwrap(), []);
        fs::remove_dir_all(world.target()).unwrap();
    }
}

#[test]
fn not_taken_by_an_update() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a", "b", "c"], &InstallOptions::default()));
    // Only litter is new: there is no update.
    litter(&world.path("remote/skills/a"));
    // Litter beside a new version, with the same name as a file of the user.
    litter(&world.path("remote/skills/b"));
    world.skill("b", "Other.\n");
    litter(&world.path("remote/skills/c"));
    world.skill("c", "One.\nTwo.\nThree.\nFour.\nFive, upstream.\n");
    commit(&world);
    fs::write(world.target().join("b/triggers.yaml"), "mine").unwrap();
    fs::write(world.target().join("c/.SKILL.md.swp"), "mine").unwrap();
    let by_hand = world.text("c/SKILL.md").replace("One.", "One, by hand.");
    fs::write(world.target().join("c/SKILL.md"), by_hand).unwrap();
    assert_eq!(world.state("b"), ByHandState::Unchanged);
    let plan = world.update(OnConflict::Merge);
    assert_eq!(
        actions(&plan),
        [
            ("a", Action::Current),
            ("b", Action::Update),
            ("c", Action::Merge)
        ]
    );
    assert_eq!(plan.skills[0].left_out.len(), LITTER.len());
    assert_eq!(plan.skills[1].kept, ["triggers.yaml"]);
    assert_eq!(plan.skills[2].kept, [".SKILL.md.swp"]);
    world.apply(&plan);
    assert_eq!(installed(&world, "a"), ["SKILL.md", "scripts/run.sh"]);
    assert_eq!(
        installed(&world, "b"),
        ["SKILL.md", "scripts/run.sh", "triggers.yaml"]
    );
    assert_eq!(
        installed(&world, "c"),
        [".SKILL.md.swp", "SKILL.md", "scripts/run.sh"]
    );
    assert_eq!(world.text("b/triggers.yaml"), "mine");
    assert_eq!(world.text("c/.SKILL.md.swp"), "mine");
    assert_eq!(world.state("b"), ByHandState::Unchanged);
    assert_eq!(world.state("c"), ByHandState::Changed);
    // Nothing is outdated now, despite the litter in the source.
    let plan = world.update(OnConflict::Refuse);
    assert!(
        plan.skills
            .iter()
            .all(|skill| skill.action == Action::Current)
    );
    // With force too, the user's files are kept, and litter of the source is not taken.
    let plan = world.update(OnConflict::Force);
    assert_eq!(plan.skills[2].action, Action::Replace);
    world.apply(&plan);
    assert_eq!(
        installed(&world, "c"),
        [".SKILL.md.swp", "SKILL.md", "scripts/run.sh"]
    );
    assert_eq!(world.text("c/.SKILL.md.swp"), "mine");
}

#[test]
#[cfg(unix)]
fn a_link_in_the_place_of_a_folder_is_not_written_through() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    fs::create_dir(world.path("elsewhere")).unwrap();
    fs::remove_dir_all(world.target().join("a/scripts")).unwrap();
    std::os::unix::fs::symlink(world.path("elsewhere"), world.target().join("a/scripts")).unwrap();
    fs::write(world.path("remote/skills/a/scripts/new.sh"), "new").unwrap();
    world.commit("second");
    for on_conflict in [OnConflict::Refuse, OnConflict::Merge] {
        let plan = world.update(on_conflict);
        assert_eq!(actions(&plan), [("a", Action::Refuse)]);
    }
    let plan = world.update(OnConflict::Force);
    world.apply(&plan);
    assert_eq!(fs::read_dir(world.path("elsewhere")).unwrap().count(), 0);
    assert_eq!(plan.skills[0].kept, Vec::<String>::new());
    assert_eq!(world.text("a/scripts/new.sh"), "new");
}

/// Makes a skill with every kind of file that a user may add.
fn with_everything(world: &World) -> PathBuf {
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let skill = world.target().join("a");
    litter(&skill);
    fs::write(skill.join("mine.md"), "mine").unwrap();
    fs::create_dir(skill.join(".git")).unwrap();
    fs::write(skill.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("SKILL.md", skill.join("link")).unwrap();
    skill
}

#[test]
fn trashed_and_restored_whole() {
    let world = World::new();
    let skill = with_everything(&world);
    let before = bytes(&skill);
    assert!(before.len() >= 9);
    let target = world.target();
    let plan = plan_uninstall(&target, &["a".into()], OnConflict::Refuse, world.host()).unwrap();
    world.apply(&plan);
    assert!(!skill.exists());
    let plan = world.restore(&target, Some("a"));
    world.apply(&plan);
    assert_eq!(bytes(&skill), before);
}

#[test]
fn a_repository_is_never_lost() {
    // Equal files: only the lock would change.
    let world = World::new();
    let skill = with_everything(&world);
    let before = bytes(&skill);
    fs::remove_file(world.target().join("skills.lock")).unwrap();
    let options = InstallOptions {
        on_conflict: OnConflict::Force,
        ..InstallOptions::default()
    };
    let plan = world.plan(&world.url(), &["a"], &options);
    assert_eq!(actions(&plan), [("a", Action::Replace)]);
    for done in apply(&plan, world.host()).unwrap() {
        assert!(done.error.is_none(), "{done:?}");
    }
    let plan = world.restore(&world.target(), Some("a"));
    for done in apply(&plan, world.host()).unwrap() {
        assert!(done.error.is_none(), "{done:?}");
    }
    assert_eq!(bytes(&skill), before);
    // A new version over an unchanged skill, with force.
    let world = World::new();
    let skill = with_everything(&world);
    fs::remove_file(skill.join("mine.md")).unwrap();
    let before = bytes(&skill);
    world.skill("a", "Other.\n");
    world.commit("second");
    assert_eq!(
        actions(&world.update(OnConflict::Refuse)),
        [("a", Action::Refuse)]
    );
    let plan = world.update(OnConflict::Force);
    apply(&plan, world.host()).unwrap();
    assert!(world.text("a/SKILL.md").contains("Other."));
    let plan = world.restore(&world.target(), Some("a"));
    apply(&plan, world.host()).unwrap();
    assert_eq!(bytes(&skill), before);
}

#[test]
fn the_skills_of_a_program_are_a_source() {
    let world = World::new();
    let plan = |version, options: &InstallOptions| {
        let program = Program::new("test", version, &BUNDLE);
        let offer = Offer::fetch(Source::whole(Origin::Program(program)), world.host()).unwrap();
        offer.plan(&Chosen::All, &world.target(), options).unwrap()
    };
    let options = InstallOptions::default();
    world.apply(&plan("1", &options));
    let lock = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert!(lock.contains("source = \"program test 1\""), "{lock}");
    let name = BUNDLE.iter().next().unwrap().name();
    let skill = world.target().join(name);
    // The same skill of a later version, with what a person added beside it.
    litter(&skill);
    let before = bytes(&skill);
    world.apply(&plan("2", &options));
    assert_eq!(bytes(&skill), before);
    // What a person changed stays, where the program has nothing newer.
    fs::write(skill.join("SKILL.md"), "mine").unwrap();
    let plan = plan("2", &options);
    let planned = plan.skills.iter().find(|it| it.name == name).unwrap();
    assert_eq!(planned.action, Action::Current);
}
