//! Folders of the folder of data that are removed so that others see them whole or not at all.
//!
//! A folder is renamed, then removed. A folder of a lower layer of overlayfs, as in an image of a container,
//! cannot be renamed: a file of that name, which is there until all is removed, says that it is gone.

use crate::error::{Error, ErrorKind};
use crate::files::copy::{is_there, list, remove, rename, write_file};
use crate::files::folder::Durable;
use std::path::Path;

/// Before the name of what is being removed.
const GONE: &str = ".gone-";

/// Removes a folder. The caller has the lock of the folder that it is in.
pub fn remove_whole(root: &Path, name: &str) -> Result<(), Error> {
    let (place, gone) = (root.join(name), root.join(format!("{GONE}{name}")));
    if !is_gone(root, name) {
        remove(&gone)?;
        match rename(&place, &gone) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                write_file(&gone, b"", Durable::Yes)?;
            }
            renamed => return renamed.and_then(|()| remove(&gone)),
        }
    }
    // The mark goes last: without it, what is left would count as whole.
    remove(&place)?;
    remove(&gone)
}

/// Whether a folder is being removed, though it is there.
pub fn is_gone(root: &Path, name: &str) -> bool {
    root.join(format!("{GONE}{name}"))
        .symlink_metadata()
        .is_ok_and(|gone| gone.is_file())
}

/// Finishes the removals that killed processes began. The caller has the lock of the folder.
pub fn finish_removals(root: &Path) -> Result<(), Error> {
    if !is_there(root) {
        return Ok(());
    }
    for (name, path) in list(root)? {
        match name.strip_prefix(GONE) {
            Some(gone) if is_gone(root, gone) => remove_whole(root, gone)?,
            Some(_) => remove(&path)?,
            None => {}
        }
    }
    Ok(())
}
