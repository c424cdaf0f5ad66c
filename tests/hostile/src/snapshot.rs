//! A snapshot of a folder.

use crate::attack::Outcome;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every entry below a folder, by relative path. Links are not followed.
pub(crate) type Snapshot = BTreeMap<PathBuf, Entry>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Folder,
    File(Vec<u8>),
    Link(PathBuf),
    Other,
}

pub(crate) fn snapshot(root: &Path) -> Outcome<Snapshot> {
    let mut found = Snapshot::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let what = if kind.is_dir() {
                folders.push(path.clone());
                Entry::Folder
            } else if kind.is_file() {
                Entry::File(fs::read(&path)?)
            } else if kind.is_symlink() {
                Entry::Link(fs::read_link(&path)?)
            } else {
                Entry::Other
            };
            found.insert(path.strip_prefix(root)?.to_owned(), what);
        }
    }
    Ok(found)
}
