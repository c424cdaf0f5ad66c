//! Checks that a reload returns the catalog of a fresh load, and the differences.
#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{BUNDLED, Disk, dump, link, skill};
use proptest::prelude::*;
use proptest::sample::select;
use skills_format::{ARGUMENTS_FILE, OPENAI_FILE};
use skills_runtime::source::Changes;
use skills_runtime::{Catalog, CatalogBuilder};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[derive(Clone, Debug)]
enum Edit {
    Write(&'static str, &'static str),
    Save(&'static str, &'static str),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    Link(&'static str, &'static str),
    /// Writes the `agents/openai.yaml` of a folder; the empty text removes the file.
    Policy(&'static str, &'static str),
    /// Writes the `arguments.schema.json` of a folder; the empty text removes the file.
    Schema(&'static str, &'static str),
    Reload,
}

/// The folders, which can be skills, categories or both.
const PLACES: &[&str] = &[
    "user/a",
    "user/b",
    "user/group",
    "user/group/a",
    "far/a",
    "project/skills/a",
    "project/skills/group/c",
    "plugins/one/skills/a",
    "plugins/Two/skills/b",
    "plugins/one",
    "user",
    "elsewhere/d",
];

/// The texts of files. Some have equal length; some are not a skill.
const TEXTS: &[&str] = &[
    "---\nname: a\ndescription: one\n---\nbody 1",
    "---\nname: a\ndescription: two\n---\nbody 1",
    "---\nname: a\ndescription: two\n---\nbody 2",
    "---\nname: b\ndescription: one\n---\nbody 1",
    "---\nname: B b\n---\nA paragraph.\n",
    "---\nname: a\n",
    "no skill",
    "",
];

/// The texts of `agents/openai.yaml`. Two have equal length.
const POLICIES: &[&str] = &[
    "policy: {allow_implicit_invocation: false}",
    "policy: {allow_implicit_invocation: true }",
    "policy: {allow_implicit_invocation: 0}",
    "",
];

/// The texts of `arguments.schema.json`. Two have equal length, and one of these has a fault.
const SCHEMAS: &[&str] = &[
    r#"{"type": "object", "properties": {"x": {"type": "string"}}}"#,
    r#"{"type": "object", "properties": {"x": {"type": "strong"}}}"#,
    "{",
    "",
];

fn edit() -> impl Strategy<Value = Edit> {
    let place = || select(PLACES);
    let text = || select(TEXTS);
    prop_oneof![
        6 => (place(), text()).prop_map(|(p, t)| Edit::Write(p, t)),
        2 => (place(), text()).prop_map(|(p, t)| Edit::Save(p, t)),
        2 => place().prop_map(Edit::Remove),
        2 => (place(), place()).prop_map(|(a, b)| Edit::Rename(a, b)),
        1 => (place(), place()).prop_map(|(a, b)| Edit::Link(a, b)),
        2 => (place(), select(POLICIES)).prop_map(|(p, t)| Edit::Policy(p, t)),
        2 => (place(), select(SCHEMAS)).prop_map(|(p, t)| Edit::Schema(p, t)),
        3 => Just(Edit::Reload),
    ]
}

/// Makes an edit, as far as the disk allows it.
fn apply(disk: &Disk, edit: &Edit) {
    match edit {
        Edit::Write(place, text) => {
            if fs::create_dir_all(disk.path(place)).is_ok() {
                let name = if text.is_empty() {
                    "skill.md"
                } else {
                    "SKILL.md"
                };
                let text = if text.is_empty() { TEXTS[0] } else { text };
                let _ = fs::write(disk.path(place).join(name), text);
            }
        }
        Edit::Save(place, text) => {
            let new = disk.path(place).join("SKILL.md.new");
            if fs::write(&new, text).is_ok() {
                let _ = fs::rename(new, disk.path(place).join("SKILL.md"));
            }
        }
        Edit::Remove(place) => {
            let path = disk.path(place);
            if path.is_symlink() {
                let _ = fs::remove_file(path);
            } else {
                let _ = fs::remove_dir_all(path);
            }
        }
        Edit::Rename(from, to) => {
            let _ = fs::rename(disk.path(from), disk.path(to));
        }
        Edit::Link(target, place) => {
            let path = disk.path(place);
            if !path.exists() && path.parent().is_some_and(Path::is_dir) && !path.is_symlink() {
                link(disk.path(target), path);
            }
        }
        Edit::Policy(place, "") => {
            let _ = fs::remove_file(disk.path(place).join(OPENAI_FILE));
        }
        Edit::Policy(place, text) => {
            if fs::create_dir_all(disk.path(place).join("agents")).is_ok() {
                let _ = fs::write(disk.path(place).join(OPENAI_FILE), text);
            }
        }
        Edit::Schema(place, "") => {
            let _ = fs::remove_file(disk.path(place).join(ARGUMENTS_FILE));
        }
        Edit::Schema(place, text) => {
            if fs::create_dir_all(disk.path(place)).is_ok() {
                let _ = fs::write(disk.path(place).join(ARGUMENTS_FILE), text);
            }
        }
        Edit::Reload => {}
    }
}

fn builder(disk: &Disk) -> CatalogBuilder {
    Catalog::builder()
        .untrusted("project", disk.path("project/skills"))
        .directory("user", disk.path("user"))
        .directory("user", disk.path("far"))
        .plugins(disk.path("plugins"))
        .bundle("bundled", &BUNDLED)
}

/// Returns the qualified ids with their locations.
fn versions(catalog: &Catalog) -> BTreeSet<(String, String)> {
    catalog
        .iter()
        .map(|entry| {
            let location = format!("{:?}", entry.folder());
            (entry.to_string(), location)
        })
        .collect()
}

fn check(disk: &Disk, before: &Catalog) -> Catalog {
    let reloaded = before.reload();
    let changes = reloaded.changes_since(before);
    let fresh = builder(disk).reloadable().load();
    assert_eq!(
        dump(&reloaded, reloaded.diagnostics()),
        dump(&fresh, fresh.diagnostics())
    );
    let (old, new) = (versions(before), versions(&fresh));
    let ids = |of: BTreeSet<&(String, String)>| -> Vec<String> {
        let ids: BTreeSet<String> = of.into_iter().map(|(id, _)| id.clone()).collect();
        ids.into_iter().collect()
    };
    assert_eq!(changes.added, ids(new.difference(&old).collect()));
    assert_eq!(changes.removed, ids(old.difference(&new).collect()));
    reloaded
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_reload_is_a_fresh_load(edits in prop::collection::vec(edit(), 1..40)) {
        let disk = Disk::new();
        disk.skill("user/always");
        let mut catalog = builder(&disk).reloadable().load();
        for edit in &edits {
            apply(&disk, edit);
            if matches!(edit, Edit::Reload) {
                catalog = check(&disk, &catalog);
            }
        }
        check(&disk, &catalog);
    }
}

#[test]
fn what_is_different_is_said() {
    let disk = Disk::new();
    for name in ["a", "b", "c", "d"] {
        disk.skill(&format!("user/{name}"));
    }
    let catalog = builder(&disk).reloadable().load();
    let catalog = catalog.with(|builder| builder.disabled(["c"]));
    assert!(catalog.reload().changes_since(&catalog) == Changes::default());
    fs::remove_dir_all(disk.path("user/a")).expect("gone");
    disk.write("user/b/SKILL.md", skill("b", "another"));
    disk.write(
        "user/c/SKILL.md",
        skill("c", "user/c").replace("The body", "Another body"),
    );
    disk.write("user/d/arguments.schema.json", SCHEMAS[0]);
    disk.write("user/d/notes.md", "Read when the model asks for it.");
    disk.skill("user/e");
    let reloaded = catalog.reload();
    assert_eq!(reloaded.changes_since(&catalog).added, ["user:e"]);
    assert_eq!(
        reloaded.changes_since(&catalog).changed,
        ["user:b", "user:c", "user:d"]
    );
    assert_eq!(reloaded.changes_since(&catalog).removed, ["user:a"]);
    assert!(!reloaded.get("c").expect("a skill").is_enabled());
    assert!(
        catalog.get("a").is_some(),
        "a turn keeps the catalog that it began with"
    );
    assert!(reloaded.reload().changes_since(&reloaded) == Changes::default());
}

#[test]
fn the_first_reload_of_a_catalog_that_was_not_made_for_it_reads_all() {
    let disk = Disk::new();
    disk.skill("user/a");
    let catalog = builder(&disk).load();
    disk.write("user/a/SKILL.md", skill("a", "another"));
    let reloaded = catalog.reload();
    assert_eq!(reloaded.changes_since(&catalog).changed, ["user:a"]);
    assert!(reloaded.reload().changes_since(&reloaded) == Changes::default());
}

#[test]
fn trust_that_ends_is_a_change() {
    let disk = Disk::new();
    disk.skill("project/skills/a");
    let record = builder(&disk)
        .load()
        .get("project:a")
        .expect("listed")
        .trust_record()
        .expect("a record");
    let catalog = builder(&disk).trusted([record]).reloadable().load();
    assert!(catalog.get("a").expect("trusted").is_trusted());
    disk.write("project/skills/a/more.sh", "x");
    let reloaded = catalog.reload();
    assert_eq!(reloaded.changes_since(&catalog).changed, ["project:a"]);
    assert!(!reloaded.get("a").expect("listed").is_trusted());
}
