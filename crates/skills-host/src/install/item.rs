//! The items of a source, before their contents are read.

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

/// Joins the path of a file to a folder of a source. The root is `""`.
pub(crate) fn joined(folder: &str, file: &str) -> Vec<u8> {
    if folder.is_empty() {
        file.as_bytes().to_vec()
    } else {
        format!("{folder}/{file}").into_bytes()
    }
}
