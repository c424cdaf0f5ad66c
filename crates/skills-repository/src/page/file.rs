//! Writes a page to a file.

use skills_format::disk::{Folder, read_regular};
use std::io;
use std::path::Path;

/// The beginning of every page, by which an earlier page is recognized.
pub(crate) const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                                    <meta name=\"generator\" content=\"skills page\">\n";

/// Maximum size of an existing page that is compared with the new page. A larger file is an error.
const MOST: u64 = 64 * 1024 * 1024;

/// Writes a page to a file in an existing folder. Replaces an earlier page and an empty file. Leaves a page with
/// the same bytes as it is.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] if the file exists and is not a page. Errors of the file system.
pub fn write_page(path: &Path, html: &str) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    // Windows refuses to open a folder as a file, so a folder is recognized first.
    if Folder::open(path).is_ok() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a file",
        ));
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let folder = Folder::open(parent.unwrap_or(Path::new(".")))?;
    let old = match folder.child_file(name).map_err(io::Error::from) {
        Ok(file) => Some(read_regular(&file, MOST)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match old {
        Some(old) if old == html.as_bytes() => return Ok(()),
        Some(old) if !old.is_empty() && !old.starts_with(BEGINNING.as_bytes()) => {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "it exists and is not a page of skills",
            ));
        }
        _ => {}
    }
    folder.replace(name, html.as_bytes(), None)
}
