//! What `include_skills!` and build scripts bake, in packages that cargo builds.

mod bundled;
mod forms;
mod packaging;
mod rebuild;
mod told;
mod ui;

/// The folder in which the packages are written.
const TMP: &str = env!("CARGO_TARGET_TMPDIR");

/// A `SKILL.md` in which nothing is wrong.
fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Use when a test asks for it.\n---\n\n# A skill\n")
}
