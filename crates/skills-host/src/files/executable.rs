//! The executable bit of a file.

use skills_store::Error;
use std::fs::{self, File};
use std::path::Path;

/// Returns whether a file is executable by anyone. Only Unix has executable bits.
#[cfg(unix)]
pub fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o111 != 0
}

/// Returns whether a file is executable by anyone. Only Unix has executable bits.
#[cfg(not(unix))]
pub fn is_executable(_: &fs::Metadata) -> bool {
    false
}

/// Makes a file executable for everyone with the right to read it.
#[cfg(unix)]
pub(crate) fn set_executable(file: &File, path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let set = file.metadata().and_then(|metadata| {
        let mut permissions = metadata.permissions();
        // Everyone with the right to read gets the right to execute.
        let mode = permissions.mode();
        permissions.set_mode(mode | (mode & 0o444) >> 2);
        file.set_permissions(permissions)
    });
    set.map_err(|error| Error::io(path, "cannot be made executable", error))
}

/// Does nothing: the system has no executable bits.
#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the same signature on every system"
)]
pub(crate) fn set_executable(_: &File, _: &Path) -> Result<(), Error> {
    Ok(())
}
