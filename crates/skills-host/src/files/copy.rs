//! Operations on files and folders in the data folder, at paths that no other program uses. Each error names its
//! path.

use crate::files::folder::{Durable, OpenFolder, write_all};
use serde::Serialize;
use skills_format::disk::patient;
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Returns whether an item exists at a path. A link that leads nowhere is an item too.
///
/// # Errors
///
/// The system cannot tell. An error, and not `false`: a caller would then write over the existing item.
pub fn is_there(path: &Path) -> Result<bool, Error> {
    match patient(|| fs::symlink_metadata(path)) {
        Ok(_) => Ok(true),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(Error::io(path, "cannot be read", error)),
    }
}

pub use skills_format::disk::is_absent;
pub use skills_store::disk::{make_folder, read_json, replace_file};

/// Renames a file or a folder.
///
/// # Errors
///
/// [`ErrorKind::CrossesDevices`] if the two paths are on different file systems, or
/// the folder is in a lower layer of overlayfs. Then nothing was changed.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    patient(|| fs::rename(from, to)).map_err(|error| Error::io(from, "cannot be renamed", error))
}

/// Removes a file, a link, or a folder with everything in it. A missing path is not an error.
pub fn remove(path: &Path) -> Result<(), Error> {
    if !is_there(path)? {
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

/// Replaces a file by a value as JSON, which [`read_json`] reads.
///
/// # Errors
///
/// [`ErrorKind::NotUtf8`] for a path in the value that is not UTF-8, or as [`replace_file`].
pub fn replace_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let text = serde_json::to_vec_pretty(value)
        .map_err(|error| Error::new(ErrorKind::NotUtf8, prose!("{}: {error}", path)))?;
    replace_file(path, &text)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_does_not_say_is_not_taken_for_no() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(is_there(&file).unwrap());
        assert!(!is_there(&dir.path().join("missing")).unwrap());
        assert!(!is_there(&file.join("below")).unwrap());
        // No name of a file system is so long.
        #[cfg(unix)]
        assert!(is_there(&dir.path().join("a".repeat(1000))).is_err());
    }
}
