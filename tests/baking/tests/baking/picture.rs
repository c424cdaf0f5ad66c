//! Draws the picture of README.md: a build that stops at a fault of a skill, as a terminal shows it.

use anstyle_svg::{Term, WIN10_CONSOLE};
use skills_baking::Scratch;
use std::fs;

const MANIFEST: &str = r#"
[package]
name = "agent"
edition = "2024"

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["include-dir"] }

[workspace]
"#;

const PROGRAM: &str = r#"use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("skills");

fn main() {
    println!("{} skills", SKILLS.iter().count());
}
"#;

const SKILL: &str = "---
name: code-review
description: Reviews a change: reads it, runs it, says what breaks.
---
Read the tests first, then the code.
";

const PICTURE: &str = "docs/compile-error.svg";

#[test]
fn the_picture_shows_what_the_compiler_prints() {
    let scratch = Scratch::new(super::TMP, "agent");
    scratch
        .write("Cargo.toml", MANIFEST)
        .write(
            "build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\") }",
        )
        .write("src/main.rs", PROGRAM)
        .write("skills/code-review/SKILL.md", SKILL);
    let built = scratch.build(&["--message-format=json-diagnostic-rendered-ansi"]);
    let said = built.said("agent");
    assert!(said.contains("\x1b["), "{said}{}", built.stderr);
    let expected = Term::new()
        .palette(WIN10_CONSOLE)
        .render_svg(&format!("$ cargo build\n{}", said.trim_end()));

    let file = scratch.workspace().join(PICTURE);
    if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
        fs::write(&file, &expected).expect("the picture");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == expected,
        "{PICTURE} differs: `UPDATE_DOCS=1 cargo test -p skills-baking picture` draws it"
    );
}
