//! The tests of what the package offers, in one program.

mod files;

/// A new folder.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
