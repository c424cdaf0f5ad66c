//! A package is compiled again when a file of its skills changes, and at no other time.

use skills_baking::Scratch;
use std::fs;

const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["by-macro", "by-script"]
"#;

const BY_MACRO: &str = r#"
[package]
name = "by-macro"
edition = "2024"
publish = false

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["include-dir"] }
skills-format = { path = "$ROOT/crates/skills-format" }
"#;

const BY_SCRIPT: &str = r#"
[package]
name = "by-script"
edition = "2024"
publish = false

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["include-dir"] }
skills-format = { path = "$ROOT/crates/skills-format" }

[build-dependencies]
skills-compiler = { path = "$ROOT/crates/skills-compiler" }
"#;

const LIB: &str =
    "pub static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!(FORM);";

const SCRIPT: &str = r#"
fn main() -> Result<(), skills_compiler::Error> {
    skills_compiler::Build::new("skills").compile()
}
"#;

#[test]
fn after_each_change_and_no_other_time() {
    let scratch = Scratch::new(super::TMP, "rebuild");
    scratch
        .write("Cargo.toml", WORKSPACE)
        .write("by-macro/Cargo.toml", BY_MACRO)
        .write(
            "by-macro/build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\") }",
        )
        .write("by-macro/src/lib.rs", &LIB.replace("FORM", "\"skills\""))
        .write("by-script/Cargo.toml", BY_SCRIPT)
        .write("by-script/build.rs", SCRIPT)
        .write(
            "by-script/src/lib.rs",
            &LIB.replace("FORM", "OUT_DIR, \"skills\""),
        );
    both(&scratch, |scratch, package| {
        skill(scratch, package, "one", "first");
        scratch.write(&format!("{package}/skills/one/references/a.md"), "a");
    });
    scratch.build(&["--workspace"]);
    expect(&scratch, true, "nothing was done");

    both(&scratch, |scratch, package| {
        skill(scratch, package, "one", "second");
    });
    expect(&scratch, false, "a SKILL.md was edited");
    both(&scratch, |scratch, package| {
        scratch.write(&format!("{package}/skills/one/references/a.md"), "b");
    });
    expect(&scratch, false, "a resource was edited");
    both(&scratch, |scratch, package| {
        skill(scratch, package, "two", "first");
    });
    expect(&scratch, false, "a skill was added");
    both(&scratch, |scratch, package| {
        let folder = scratch.dir().join(package).join("skills/one/references");
        fs::rename(folder.join("a.md"), folder.join("b.md")).expect("renamed");
    });
    expect(&scratch, false, "a resource was renamed");
    both(&scratch, |scratch, package| {
        let folder = scratch.dir().join(package).join("skills/two");
        fs::remove_dir_all(folder).expect("removed");
    });
    expect(&scratch, false, "a skill was removed");
    both(&scratch, |scratch, package| {
        scratch.write(&format!("{package}/skills/skills.toml"), "budget = 10\n");
    });
    expect(&scratch, false, "skills.toml was added");
    both(&scratch, |scratch, package| {
        scratch.write(&format!("{package}/skills/skills.toml"), "budget = 20\n");
    });
    expect(&scratch, false, "skills.toml was edited");

    // The restored skills are older than the error.
    both(&scratch, |scratch, package| {
        move_away(scratch, package, "skills", "away");
    });
    let built = scratch.build(&["--workspace", "--keep-going"]);
    assert!(!built.success);
    both(&scratch, |_, package| {
        let said = built.said(&package.replace('-', "_"));
        assert!(
            said.contains("there is no folder `skills`"),
            "{package}: {said}"
        );
    });
    both(&scratch, |scratch, package| {
        move_away(scratch, package, "away", "skills");
    });
    expect(&scratch, false, "the skills were put back");
}

fn move_away(scratch: &Scratch, package: &str, from: &str, to: &str) {
    let package = scratch.dir().join(package);
    fs::rename(package.join(from), package.join(to)).expect("renamed");
}

/// Builds twice, and checks whether the first build compiled anything.
fn expect(scratch: &Scratch, fresh: bool, why: &str) {
    for (fresh, when) in [(fresh, "after"), (true, "long after")] {
        let built = scratch.build(&["--workspace"]);
        both(scratch, |_, package| {
            let name = package.replace('-', "_");
            assert_eq!(built.is_fresh(&name), fresh, "{package}, {when} {why}");
        });
    }
}

fn both(scratch: &Scratch, change: impl Fn(&Scratch, &str)) {
    change(scratch, "by-macro");
    change(scratch, "by-script");
}

fn skill(scratch: &Scratch, package: &str, name: &str, body: &str) {
    let text = format!("---\nname: {name}\ndescription: Use when {body}.\n---\n\n# {body}\n");
    scratch.write(&format!("{package}/skills/{name}/SKILL.md"), &text);
}
