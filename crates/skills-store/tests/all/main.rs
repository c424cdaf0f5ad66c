//! The tests of the public items, in one program.

mod conversation;
mod files;

/// Makes a folder.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
