//! Files that `cargo package` would leave out.

pub(crate) mod losses;
pub(crate) mod manifest;
