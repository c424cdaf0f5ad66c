//! Checks bundles that are read from their folders while the program runs.
#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{BUNDLED, Disk};
use skills_runtime::source::Changes;
use skills_runtime::{Bundle, Catalog};
use std::fs;

/// A package whose skills were baked when there was none.
struct Package {
    disk: Disk,
    bundle: &'static Bundle,
}

impl Package {
    fn new() -> Self {
        let disk = Disk::new();
        let manifest = disk.path("app").into_os_string().into_string();
        let manifest = String::leak(manifest.expect("UTF-8"));
        let bundle = Box::leak(Box::new(skills_runtime::__private::of(
            skills_runtime::__private::empty(),
            manifest,
            "skills",
        )));
        Self { disk, bundle }
    }

    fn write(&self, name: &str, text: &str) {
        let path = format!("app/skills/{name}/SKILL.md");
        self.disk.write(&path, text);
    }

    fn load(&self) -> Catalog {
        let builder = Catalog::builder().bundle("bundled", self.bundle);
        builder.reloadable().load()
    }
}

fn skill(name: &str, more: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does it. Use when asked to.\n{more}---\n\n{body}\n")
}

fn body(catalog: &Catalog, name: &str) -> String {
    let entry = catalog.get(name).expect("a skill");
    entry.body().expect("a body").trim().to_owned()
}

#[test]
fn an_edit_is_met_at_the_next_reload() {
    let package = Package::new();
    package.write("greet", &skill("greet", "", "Say hello."));
    let catalog = package.load();
    assert!(catalog.diagnostics().is_empty());
    let folder = package.disk.path("app/skills");
    assert_eq!(catalog.folders().next(), Some(("bundled", &*folder)));
    assert_eq!(body(&catalog, "greet"), "Say hello.");
    package.write("greet", &skill("greet", "", "Say good day."));
    package.write("leave", &skill("leave", "", "Say good bye."));
    let edited = catalog.reload();
    assert_eq!(edited.changes_since(&catalog).added, ["bundled:leave"]);
    assert_eq!(edited.changes_since(&catalog).changed, ["bundled:greet"]);
    assert!(edited.changes_since(&catalog).removed.is_empty());
    assert_eq!(body(&edited, "greet"), "Say good day.");
    assert!(edited.reload().changes_since(&edited) == Changes::default());
    fs::remove_dir_all(folder.join("greet")).expect("removed");
    let gone = edited.reload();
    assert_eq!(gone.changes_since(&edited).removed, ["bundled:greet"]);
    assert!(gone.get("greet").is_none());
}

#[test]
fn a_broken_edit_keeps_the_skill_and_is_reported() {
    let package = Package::new();
    package.write("greet", &skill("greet", "", "Say hello."));
    let catalog = package.load();
    package.write("greet", "no front matter");
    package.write("other", &skill("other", "", "Is met."));
    let broken = catalog.reload();
    assert_eq!(broken.changes_since(&catalog).added, ["bundled:other"]);
    assert!(broken.changes_since(&catalog).changed.is_empty());
    assert_eq!(body(&broken, "greet"), "Say hello.");
    assert!(
        broken
            .diagnostics()
            .iter()
            .any(|found| found.path.ends_with("greet/SKILL.md")),
        "{:?}",
        broken.diagnostics()
    );
    assert!(broken.reload().changes_since(&broken) == Changes::default());
    package.write("greet", &skill("greet", "", "Say good day."));
    let fixed = broken.reload();
    assert_eq!(fixed.changes_since(&broken).changed, ["bundled:greet"]);
    assert_eq!(body(&fixed, "greet"), "Say good day.");
}

#[test]
fn a_skill_that_is_broken_at_the_start_is_as_it_was_compiled() {
    let disk = Disk::new();
    let manifest = disk.path("app").into_os_string().into_string();
    let manifest: &str = String::leak(manifest.expect("UTF-8"));
    let noted: &'static Bundle = Box::leak(Box::new(skills_runtime::__private::of(
        skills_runtime::include_skills!("tests/bundled"),
        manifest,
        "skills",
    )));
    disk.write("app/skills/code-review/SKILL.md", "broken");
    let loaded = Catalog::builder()
        .bundle("bundled", noted)
        .reloadable()
        .load();
    let baked = BUNDLED.get("code-review").expect("a skill").body();
    assert_eq!(body(&loaded, "code-review"), baked.expect("a body").trim());
    assert_eq!(loaded.iter().count(), 1, "the other is not in the folder");
}

#[test]
fn only_a_reloadable_catalog_reads_the_folder() {
    let package = Package::new();
    package.write(
        "greet",
        &skill("greet", "allowed-tools: Bash\n", "Say hello."),
    );
    let catalog = Catalog::builder().bundle("bundled", package.bundle).load();
    assert!(catalog.iter().chain(&catalog.reload()).next().is_none());
    // The folder can be gone, as on another machine.
    fs::remove_dir_all(package.disk.path("app")).expect("removed");
    assert!(package.load().iter().next().is_none());
}

#[test]
fn what_the_folder_holds_is_not_the_program() {
    let package = Package::new();
    package.write("look", &skill("look", "", "Look."));
    let catalog = package.load();
    let look = catalog.get("look").expect("a skill");
    assert!(!look.is_bundled() && !look.fields().sealed);
    let place = look.place();
    assert!(place.ends_with("app/skills/look/SKILL.md"), "{place}");
}
