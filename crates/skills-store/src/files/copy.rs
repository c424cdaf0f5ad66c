//! Operations on files and folders in the data folder, at paths that no other program uses. Each error names its
//! path.

use crate::error::Error;
use crate::files::folder::{Durable, OpenFolder, write_all};
use skills_format::disk::{self, patient};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Returns whether a path exists, also as a dangling link.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Makes a folder, with its missing parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::io(path, "cannot be created", error))
}

/// Renames a file or a folder.
///
/// # Errors
///
/// [`ErrorKind::CrossesDevices`](crate::ErrorKind::CrossesDevices) if the two paths are on different file systems, or
/// the folder is in a lower layer of overlayfs. Then nothing was changed.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    disk::rename(from, to).map_err(|error| Error::io(from, "cannot be renamed", error))
}

/// Removes a file, a link, or a folder with everything in it. A missing path is not an error.
pub fn remove(path: &Path) -> Result<(), Error> {
    if !is_there(path) {
        return Ok(());
    }
    let (above, name) = OpenFolder::above(path)?;
    above.remove(name)
}

/// Writes a new file.
pub fn write_file(path: &Path, bytes: &[u8], durable: Durable) -> Result<File, Error> {
    let written = File::create_new(path).and_then(|file| write_all(file, bytes, durable));
    written.map_err(|error| Error::io(path, "cannot be written", error))
}

/// Replaces a file: writes a new file beside it, and renames the new file.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let new = path.with_extension("new");
    remove(&new)?;
    let replaced = write_file(&new, bytes, Durable::Yes).and_then(|_| rename(&new, path));
    if replaced.is_err() {
        // On a full disk this frees the space of the new file. The first error is reported.
        let _ = remove(&new);
    }
    replaced
}

/// Lists the entries of a folder, sorted by name. A missing folder has no entries.
pub fn list(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let failed = |error| Error::io(folder, "cannot be read", error);
    let entries = match patient(|| fs::read_dir(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        found.push((name, entry.path()));
    }
    found.sort();
    Ok(found)
}
