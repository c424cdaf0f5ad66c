//! What `include_skills!` and build scripts bake, in packages that cargo builds.

mod forms;
mod rebuild;

/// The folder in which the packages are written.
const TMP: &str = env!("CARGO_TARGET_TMPDIR");
