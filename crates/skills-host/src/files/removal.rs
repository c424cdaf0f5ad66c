//! Atomic removal of folders in the data folder: other processes see a folder complete or not at all.
//!
//! A folder is renamed, then removed. A folder in a lower layer of overlayfs, as in the image of a container, cannot
//! be renamed. Then a file with the new name marks the folder as removed, until everything in it is removed.

use crate::files::copy::{is_absent, is_there, list, remove, rename, write_file};
use crate::files::folder::Durable;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The prefix of the name of a folder that is being removed.
const GONE: &str = ".gone-";

/// Removes a folder. The caller must hold the lock of the folder around it.
pub fn remove_whole(root: &Path, name: &str) -> Result<(), Error> {
    let (place, gone) = (root.join(name), root.join(format!("{GONE}{name}")));
    if !is_gone(root, name)? {
        remove(&gone)?;
        match rename(&place, &gone) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                write_file(&gone, b"", Durable::Yes)?;
            }
            renamed => return renamed.and_then(|()| remove(&gone)),
        }
    }
    // The mark is removed last. Without it, the rest of the folder would count as complete.
    remove(&place)?;
    remove(&gone)
}

/// Returns whether a folder is being removed, although it still exists.
pub fn is_gone(root: &Path, name: &str) -> Result<bool, Error> {
    // A mark for one of these names would remove the folder around it.
    if matches!(name, "" | "." | "..") {
        return Ok(false);
    }
    let gone = root.join(format!("{GONE}{name}"));
    match gone.symlink_metadata() {
        Ok(gone) => Ok(gone.is_file()),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(Error::io(&gone, "cannot be read", error)),
    }
}

/// Returns whether a name is that of a removal that is not finished.
pub fn is_removal(name: &str) -> bool {
    name.starts_with(GONE)
}

/// Finishes the removals of killed processes. The caller must hold the lock of the folder.
pub fn finish_removals(root: &Path) -> Result<(), Error> {
    if !is_there(root)? {
        return Ok(());
    }
    let finish = |(name, path): (String, PathBuf)| match name.strip_prefix(GONE) {
        Some(gone) if is_gone(root, gone)? => remove_whole(root, gone),
        Some(_) => remove(&path),
        None => Ok(()),
    };
    // A folder that cannot be removed keeps no other folder. The first error is reported.
    let finished = list(root)?.into_iter().map(finish);
    finished.fold(Ok(()), Result::and)
}
