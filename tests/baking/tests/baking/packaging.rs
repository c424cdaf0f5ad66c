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
    // The dependencies are in no registry: the verification takes them from their folders.
    let patch = |folder: &str| {
        let path = scratch.workspace().join(folder);
        let package = folder.trim_start_matches("crates/");
        format!(
            "patch.crates-io.{package}.path={:?}",
            path.display().to_string()
        )
    };
    let mut arguments = ["package", "--allow-dirty"].map(str::to_owned).to_vec();
    for package in [
        "crates/skills-format",
        "crates/skills-lint",
        "crates/skills-compiler",
        "skills-macros",
        "skills-runtime",
    ] {
        arguments.extend(["--config".to_owned(), patch(package)]);
    }
    let output = scratch.cargo(&arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("Verifying packaged"), "{stderr}");
    assert!(!stderr.contains("package-loss"), "{stderr}");
}
