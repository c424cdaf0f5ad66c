//! Files and folders of the folder of data, by paths that nobody else makes, each with an error that names it.

use crate::error::Error;
use crate::files::folder::{Durable, OpenFolder, write_all};
use skills_format::disk::{self, patient};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Whether something stands at a path, be it a link that leads nowhere.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::io(path, "cannot be created", error))
}

/// Renames.
///
/// # Errors
///
/// [`ErrorKind::CrossesDevices`](crate::ErrorKind::CrossesDevices) when the two places are not on one file
/// system, or a lower layer of overlayfs holds the folder: then nothing was changed.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    disk::rename(from, to).map_err(|error| Error::io(from, "cannot be renamed", error))
}

/// Removes a file, a link or a folder with everything in it. That nothing is there is fine.
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

/// Replaces a file: a new one is written beside it and renamed.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let new = path.with_extension("new");
    remove(&new)?;
    let replaced = write_file(&new, bytes, Durable::Yes).and_then(|_| rename(&new, path));
    if replaced.is_err() {
        // A full disk gets back what was written. The first error is reported.
        let _ = remove(&new);
    }
    replaced
}

/// What is in a folder, in the order of names. A folder that is missing holds nothing.
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
