//! Operations on files and folders in the data folder, at paths that no other program uses. Each error names its
//! path.

use crate::disk::read;
use crate::error::{Error, ErrorKind};
use crate::files::folder::{Durable, OpenFolder, write_all};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skills_format::disk::patient;
use skills_format::prose;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum length of a record, in bytes.
const MAX_RECORD: u64 = 256 << 20;

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

/// Creates a folder, with its missing parents.
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

/// Replaces a file: a new one of a random name is written beside it and renamed. It gets the permissions of the old
/// one. New files that killed programs left are removed.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::io(path, "cannot be written", error);
    let old = match fs::metadata(path) {
        Ok(old) => Some(old.permissions()),
        // A file that only its owner may read must not become one that all may read.
        Err(error) if !is_absent(&error) => return Err(failed(error)),
        Err(_) => None,
    };
    let (above, name) = OpenFolder::above(path)?;
    let replaced = above.folder().replace(name, bytes, old);
    replaced.map_err(failed)
}

/// Reads a file that this program wrote as JSON; `None` when it is missing.
///
/// # Errors
///
/// [`ErrorKind::Damaged`] for anything else than that JSON. A record that was left out in silence would take what it
/// names with it: the store keeps only what is named.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let text = read_record(path)?;
    text.map(|text| parse_json(path, &text)).transpose()
}

/// Reads the bytes of a file that this program wrote as JSON; `None` when it is missing.
pub(crate) fn read_record(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match read(path, MAX_RECORD) {
        Err(error) if is_absent(&error) => Ok(None),
        text => text
            .map(Some)
            .map_err(|error| Error::io(path, "cannot be read", error)),
    }
}

/// Parses the bytes of a file that this program wrote, with the errors of [`read_json`].
pub(crate) fn parse_json<T: DeserializeOwned>(path: &Path, text: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(text).map_err(|error| {
        let message = prose!("{} is damaged: {error}", path);
        Error::new(ErrorKind::Damaged, message).help("look at the file, then remove the file")
    })
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

    #[test]
    fn a_replaced_file_keeps_who_may_read_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        replace_file(&file, b"1").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            replace_file(&file, b"2").unwrap();
            let mode = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(list(dir.path()).unwrap().len(), 1);
    }

    #[test]
    fn a_record_that_is_damaged_is_not_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        assert_eq!(read_json::<u8>(&file).unwrap(), None);
        fs::write(&file, "1").unwrap();
        assert_eq!(read_json::<u8>(&file).unwrap(), Some(1));
        fs::write(&file, "{").unwrap();
        let error = read_json::<u8>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_record_that_is_a_pipe_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        let error = read_json::<u8>(&pipe).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("it is not a file"));
    }
}
