//! What a source holds, before anything of it is read.

/// Most files of a source.
pub(crate) const MAX_ITEMS: usize = 100_000;
/// Something in a source that is not a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// From the source's root, with `/`; as the source has it, UTF-8 or not.
    pub(crate) path: Vec<u8>,
    pub(crate) kind: ItemKind,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    File {
        executable: bool,
    },
    Link,
    /// A submodule, a pipe, a device.
    Other,
}

/// The path of a file in a folder of a source. The root is `""`.
pub(crate) fn joined(folder: &str, file: &str) -> Vec<u8> {
    if folder.is_empty() {
        file.as_bytes().to_vec()
    } else {
        format!("{folder}/{file}").into_bytes()
    }
}
