//! Tests the layout of the code: packages, chapters and files depend on each other in one direction.

mod chapters;
mod circles;
#[cfg(target_os = "linux")]
mod features;
mod guide;
mod imports;
mod json;
mod lines;
mod links;
mod names;
mod packages;
mod programs;
mod promises;
mod release;
mod sentences;
mod sources;
mod systems;
#[cfg(unix)]
mod units;

use std::path::{Path, PathBuf};

/// Returns the root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
