//! The items of a source, before their contents are read.

use std::borrow::Cow;
use std::path::Path;

/// Maximum number of files in a source.
pub(crate) const MAX_ITEMS: usize = 100_000;
/// An item of a source that is not a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The path from the source's root, with `/`, in the source's encoding.
    pub(crate) path: Vec<u8>,
    pub(crate) kind: ItemKind,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    File {
        executable: bool,
    },
    Link,
    /// A submodule, a pipe or a device.
    Other,
}

/// Returns the path of an item on this system. Where paths cannot hold every byte, bytes that are not UTF-8 are replaced:
/// no file is found there then, which is an error and not a missing skill.
pub(crate) fn path_of(path: &[u8]) -> Cow<'_, Path> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(path)))
    }
    #[cfg(not(unix))]
    match String::from_utf8_lossy(path) {
        Cow::Borrowed(path) => Cow::Borrowed(Path::new(path)),
        Cow::Owned(path) => Cow::Owned(path.into()),
    }
}
