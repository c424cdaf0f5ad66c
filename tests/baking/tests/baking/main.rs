//! Tests the output of `include_skills!` and of build scripts, in packages that cargo builds.

mod bundled;
mod forms;
mod packaging;
#[cfg(unix)]
mod picture;
mod rebuild;
mod scripts;
mod told;
mod typed;
mod ui;

/// The folder in which the packages are written.
const TMP: &str = env!("CARGO_TARGET_TMPDIR");

/// Returns a valid `SKILL.md`.
fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Use when a test asks for it.\n---\n\n# A skill\n")
}
