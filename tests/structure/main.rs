//! How the code is laid out: packages, chapters and files depend on each other in one direction.

mod chapters;
mod circles;
mod imports;
mod packages;
mod programs;
mod sentences;
mod sources;
mod units;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
