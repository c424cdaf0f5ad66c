//! Files in a folder where a stranger may have left links and pipes: the lock, and the new file that
//! replaces the old file.

use crate::error::Error;
use skills_format::disk::Folder;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file. Links are followed; a pipe is not waited for.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    regular(&options, path, Links::Followed)
}

/// Takes the lock of a file. Waits until no other program has the lock. A link in the place of the lock
/// is an error.
pub(crate) fn lock(path: &Path) -> Result<LockFile, Error> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".lock");
    let lock = path.with_file_name(name);
    let failed = |error| Error::io(&lock, "cannot be locked", error);
    let file = lock_file(&lock).map_err(failed)?;
    file.0.lock().map_err(failed)?;
    Ok(file)
}

/// An open file that can be locked. Its lock is given back when this is dropped. Closing the file would not do:
/// a process that another thread has just started has it open too, until its program begins.
#[derive(Debug)]
pub(crate) struct LockFile(pub(crate) File);

impl Drop for LockFile {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Opens the file of a lock, which is created where it is missing. A link in its place is an error: what
/// it leads to would be written.
pub(crate) fn lock_file(path: &Path) -> io::Result<LockFile> {
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true);
    regular(&options, path, Links::Refused).map(LockFile)
}

/// Writes a new file of a random name in the open folder, and renames it over the old file. New files that
/// killed programs left are removed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::io(path, "cannot be written", error);
    let old = fs::metadata(path).ok().map(|old| old.permissions());
    let folder = Folder::open(folder(path)).map_err(failed)?;
    let name = path.file_name().unwrap_or_default();
    folder.replace(name, bytes, old).map_err(failed)
}

/// Returns the folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a link is followed to the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

/// Opens a file, and checks after opening that it is a regular file.
fn regular(options: &OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    let mut options = options.clone();
    set_flags(&mut options, links);
    let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
    let file = options.open(path).map_err(|error| {
        if links == Links::Refused && path.is_symlink() {
            invalid("it is a link")
        } else {
            error
        }
    })?;
    if !file.metadata()?.is_file() {
        return Err(invalid("it is not a file"));
    }
    Ok(file)
}

#[cfg(unix)]
fn set_flags(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without this flag, opening a pipe waits for its other end.
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, links == Links::Refused);
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(windows)]
fn set_flags(options: &mut OpenOptions, links: Links) {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// Opens a link itself, which is not a regular file.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    /// Others may read and write. Without the third right, to delete, a lock that is open is not removed.
    const SHARE_READ_WRITE: u32 = 0x0000_0003;
    if links == Links::Refused {
        options.custom_flags(OPEN_REPARSE_POINT);
        options.share_mode(SHARE_READ_WRITE);
    }
}

#[cfg(not(any(unix, windows)))]
fn set_flags(_: &mut OpenOptions, _: Links) {}
