//! Every form, in a workspace whose folders have spaces and letters of other scripts in their names.

use super::skill;
use skills_baking::{Random, Scratch};
use std::fs;
use std::process::Command;

const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["an äpp", "façade", "user"]
"#;

const APP: &str = r#"
[package]
name = "app"
edition = "2024"
publish = false

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["arguments", "include-dir"] }
skills-arguments = { path = "$ROOT/crates/skills-arguments" }
skills-format = { path = "$ROOT/crates/skills-format" }
include_dir = { version = "0.7", default-features = false }

[build-dependencies]
skills-compiler = { path = "$ROOT/crates/skills-compiler", features = ["arguments"] }
"#;

const APP_BUILD: &str = r#"
fn main() -> Result<(), skills_compiler::Error> {
    println!("cargo::rerun-if-changed=random skills");
    println!("cargo::rerun-if-changed=../large");
    skills_compiler::Build::new("random skills").compile()
}
"#;

const APP_MAIN: &str = r#"
use skills_runtime::{Bundle, include_skills};
use std::path::Path;

#[path = "$ROOT/tests/baking/src/same.rs"]
mod same;

static VALUE: Bundle = include_skills!("random skills");
static AGAIN: Bundle = include_skills!("./random skills/");
static BUILT: Bundle = include_skills!(OUT_DIR, "random skills");
static LARGE: Bundle = include_skills!("../large");
static ONE: Bundle = include_skills!("../large/alone");

include_skills! {
    /// Skills by constants.
    #[allow(dead_code)]
    pub(crate) mod skill in "random skills"
}

const NAME: &str = skill::PLAIN_NAME.name();

fn main() {
    let random = Path::new("random skills");
    for bundle in [&VALUE, &AGAIN, &BUILT, skill::bundle()] {
        same::assert_same(bundle, random);
    }
    assert_eq!(NAME, "plain-name");
    assert_eq!(skill::_3D_MODEL, skill::bundle().get("3d-model").unwrap());
    assert_eq!(skill::ÜBERSICHT.name(), "übersicht");

    same::assert_same(&LARGE, Path::new("../large"));
    let many = LARGE.get("many-files").unwrap();
    assert_eq!(many.files().unwrap().len(), 601);
    assert_eq!(*many.read("references/599.md").unwrap(), *b"599");
    assert_eq!(ONE.get("alone").unwrap().dir(), "");
    let large = LARGE.get("large-file").unwrap();
    assert_eq!(large.read("assets/model.bin").unwrap().len(), 20 << 20);
    println!("{} skills", VALUE.iter().count());
}
"#;

const FACADE: &str = r#"
[package]
name = "facade"
edition = "2024"
publish = false

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime" }
"#;

const FACADE_LIB: &str = r"
pub use skills_runtime as agent_skills;

#[macro_export]
macro_rules! agent_skills_of {
    ($($input:tt)*) => {
        $crate::agent_skills::include_skills! { crate = $crate::agent_skills, $($input)* }
    };
}
";

const USER: &str = r#"
[package]
name = "user"
edition = "2024"
publish = false
build = "build.rs"

[dependencies]
facade = { path = "../façade" }
"#;

const USER_MAIN: &str = r#"
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
//! A user of a framework that has the macro under its own name.

static SKILLS: facade::agent_skills::Bundle = facade::agent_skills_of!("skills");
facade::agent_skills_of! {
    /// By constants.
    pub mod skill in "skills"
}

fn main() {
    assert_eq!(SKILLS.get("skill-0").map(|skill| skill.name()), Some(skill::SKILL_0.name()));
    assert_eq!(SKILLS.iter().count(), skill::bundle().iter().count());
    println!("{}", skill::SKILL_0.name());
}
"#;

#[test]
fn every_form_bakes_what_is_in_the_folder() {
    let scratch = Scratch::new(super::TMP, "förms with spaces");
    scratch
        .write("Cargo.toml", WORKSPACE)
        .write("an äpp/Cargo.toml", APP)
        .write("an äpp/build.rs", APP_BUILD)
        .write("an äpp/src/main.rs", APP_MAIN)
        .write("façade/Cargo.toml", FACADE)
        .write("façade/src/lib.rs", FACADE_LIB)
        .write("user/Cargo.toml", USER)
        .write(
            "user/build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\") }",
        )
        .write("user/src/main.rs", USER_MAIN)
        .write("user/skills/skill-0/SKILL.md", &skill("skill-0"))
        .write("large/large-file/SKILL.md", &skill("large-file"))
        .write("large/large-file/assets/model.bin", "")
        .write("large/many-files/SKILL.md", &skill("many-files"))
        .write("large/alone/SKILL.md", &skill("alone"))
        .write(
            "large/skills.toml",
            "allow = [\"file-too-large\", \"file-unused\"]\n\n\
             [limits]\nskill-files = 1_000\nskill-bytes = 33_554_432\n",
        );
    for i in 0..600 {
        scratch.write(
            &format!("large/many-files/references/{i}.md"),
            &i.to_string(),
        );
    }
    let model = scratch.dir().join("large/large-file/assets/model.bin");
    fs::write(model, vec![0; 20 << 20]).expect("a large file");
    // The findings that the random skills below may have.
    scratch.write(
        "an äpp/random skills/skills.toml",
        "allow = [\"text-form\", \"description-markup\", \"allowed-tools-form\"]\n\
         budget = 100_000\n",
    );
    let random = scratch.dir().join("an äpp/random skills");
    for name in ["plain-name", "3d-model", "übersicht"] {
        let path = format!("an äpp/random skills/{name}/SKILL.md");
        scratch.write(&path, &skill(name));
    }
    let seed = std::env::var("SKILLS_SEED").map_or(1, |seed| seed.parse().unwrap_or(1));
    Random::new(seed)
        .skills(&random, 200)
        .expect("random skills");

    let built = scratch.build(&["--workspace"]);
    for package in ["app", "facade", "user"] {
        assert_eq!(built.said(package), "", "seed {seed}");
    }
    assert!(built.success, "seed {seed}: {}", built.stderr);
    for (program, folder, said) in [
        ("app", "an äpp", "203 skills\n"),
        ("user", "user", "skill-0\n"),
    ] {
        let output = Command::new(scratch.program(program))
            .current_dir(scratch.dir().join(folder))
            .output()
            .expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "seed {seed}: {stderr}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), said);
    }
}
