//! Files that `cargo package` would leave out by the manifest and by git.

pub(crate) mod losses;
