//! The bytes of an open file.

use crate::disk::Folder;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum length of a file that [`read_text`] reads, in bytes.
const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// Reads a small text file, such as `Cargo.toml`. A link is followed if its target is in the file's
/// folder or below.
///
/// # Errors
///
/// See [`Folder::text`].
pub fn read_text(path: &Path) -> io::Result<String> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    Folder::open(folder)?.text(Path::new(name))
}

impl Folder {
    /// Reads a small text file below this folder: `skills.toml`, `skills.lock`. A link is followed if
    /// its target is below this folder. Pipes and devices are refused.
    ///
    /// # Errors
    ///
    /// The file cannot be opened or read, is not a file, is larger than 16 MiB, or is not UTF-8.
    pub fn text(&self, path: &Path) -> io::Result<String> {
        let bytes = read_regular(&self.file_within(path)?, MAX_TEXT)?;
        let invalid = |_| io::Error::new(io::ErrorKind::InvalidInput, "it is not UTF-8");
        String::from_utf8(bytes).map_err(invalid)
    }
}

/// Reads an open regular file.
///
/// # Errors
///
/// The file is a pipe, a device or a folder, is larger than `max` bytes, or cannot be read.
///
/// # Cost
///
/// The length is known before a byte is read. A file that grows meanwhile is read up to one byte more
/// than `max`, and refused.
pub fn read_regular(file: &File, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_into(file, max, &mut bytes)?;
    Ok(bytes)
}

/// Reads an open regular file as [`read_regular`] does, in place of what a buffer holds.
///
/// # Errors
///
/// As those of [`read_regular`].
pub fn read_into(file: &File, max: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(invalid("it is not a file".to_owned()));
    }
    let length = metadata.len();
    let too_large = || invalid(format!("it is larger than {max} bytes"));
    if length > max {
        return Err(too_large());
    }
    let space = usize::try_from(length).map_or(0, |length| length.saturating_add(1));
    loop {
        match read_once(file, space, bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    }
    // A read that gives the whole file and leaves space has met the end. A second read would only confirm it, and
    // cost a system call for each file.
    if as_length(bytes) != length {
        let rest = max.saturating_add(1).saturating_sub(as_length(bytes));
        file.take(rest).read_to_end(bytes)?;
    }
    if as_length(bytes) > max {
        return Err(too_large());
    }
    Ok(())
}

/// Reads once, into a buffer of this many bytes that is not filled with zeros first.
#[cfg(unix)]
fn read_once(file: &File, space: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.reserve(space);
    rustix::io::read(file, rustix::buffer::spare_capacity(bytes))?;
    Ok(())
}

/// Reads once, into a buffer of this many bytes.
#[cfg(not(unix))]
fn read_once(mut file: &File, space: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.resize(space, 0);
    let read = file.read(bytes)?;
    bytes.truncate(read);
    Ok(())
}

fn as_length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}
