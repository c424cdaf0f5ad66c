//! Paths as clients write them.

use std::path::Path;

/// Formats a path with `/`. A backslash is a letter of a name where paths have slashes.
pub(crate) fn written(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.into_owned()
    }
}
