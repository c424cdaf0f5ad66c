//! `cargo package` includes the skills, and the package builds.

use super::skill;
use skills_baking::Scratch;

const PACKAGE: &str = r#"
[workspace]

[package]
name = "packaged"
version = "0.1.0"
edition = "2024"
license = "MIT"
description = "A test."

[dependencies]
skills-runtime = { version = "0.1", path = "$ROOT/skills-runtime", features = ["include-dir"] }
skills-format = { version = "0.1", path = "$ROOT/crates/skills-format" }
"#;

const LIB: &str = r#"
//! A crate with skills.

/// Its skills.
pub static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!("skills");
"#;

#[test]
fn the_package_builds_with_its_skills() {
    let scratch = Scratch::new(super::TMP, "packaged");
    scratch
        .write("Cargo.toml", PACKAGE)
        .write(
            "build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\") }",
        )
        .write("src/lib.rs", LIB)
        .write("skills/skills.toml", "locked = false\n")
        .write("skills/one/SKILL.md", &skill("one"))
        .write("skills/one/assets/template.toml", "x")
        .write("skills/one/assets/pro ject/ö.md", "x");
    let listed = String::from_utf8(scratch.cargo(["package", "--list", "--allow-dirty"]).stdout);
    let listed = listed.expect("paths").replace('\\', "/");
    for file in [
        "skills/skills.toml",
        "skills/one/SKILL.md",
        "skills/one/assets/template.toml",
        "skills/one/assets/pro ject/ö.md",
    ] {
        assert!(listed.lines().any(|line| line == file), "{listed}");
    }
    let (success, stderr) = package(&scratch);
    assert!(success, "{stderr}");
    assert!(stderr.contains("Verifying packaged"), "{stderr}");
}

/// `cargo publish` builds what it packed: a lock names the skill that the package lost.
#[test]
fn a_package_that_lost_a_skill_does_not_build() {
    let scratch = Scratch::new(super::TMP, "lossy");
    let manifest = PACKAGE.replace(
        "name = \"packaged\"",
        "name = \"lossy\"\nexclude = [\"skills/two\"]",
    );
    scratch
        .write("Cargo.toml", &manifest)
        .write(
            "build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\") }",
        )
        .write("src/lib.rs", LIB)
        .write("skills/skills.lock", include_str!("lost-skill.lock"))
        .write("skills/one/SKILL.md", &skill("one"))
        .write("skills/two/SKILL.md", &skill("two"));
    let built = scratch.build(&[]);
    assert!(built.success, "{}", built.stderr);
    let (success, stderr) = package(&scratch);
    assert!(!success, "{stderr}");
    assert!(
        stderr.contains("`two` is in `skills.lock`, and the folder does not have it"),
        "{stderr}"
    );
}

/// Runs `cargo package` with its verification. The dependencies are in no registry: it takes them from their folders.
fn package(scratch: &Scratch) -> (bool, String) {
    let mut arguments = ["package", "--allow-dirty"].map(str::to_owned).to_vec();
    for folder in [
        "crates/skills-format",
        "crates/skills-compiler",
        "skills-macros",
        "skills-runtime",
    ] {
        let path = scratch.workspace().join(folder);
        let package = folder.trim_start_matches("crates/");
        let path = path.display().to_string();
        arguments.extend([
            "--config".to_owned(),
            format!("patch.crates-io.{package}.path={path:?}"),
        ]);
    }
    let output = scratch.cargo(&arguments);
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}
