//! The file of a page.

use skills_format::disk::{Folder, read_regular};
use std::io;
use std::path::Path;

/// What every page begins with.
pub(crate) const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                                    <meta name=\"generator\" content=\"skills page\">\n";

/// The largest page that is compared with a new page. A larger page is written again.
const MOST: u64 = 64 * 1024 * 1024;

/// Writes a page to a file whose folder exists. An earlier page and an empty file are replaced; a page with the
/// same bytes stays as it is.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`]: there is a file that is not a page. The errors of the file system.
pub fn write_page(path: &Path, html: &str) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    // Windows denies to open a folder as a file.
    if Folder::open(path).is_ok() {
        return Err(io::Error::other("it is not a file"));
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
