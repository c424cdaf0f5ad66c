//! Files in a folder in which untrusted programs may have left links and pipes: the lock, and the new file that
//! replaces the old file.

use crate::error::Error;
#[cfg(unix)]
use rustix::fs::{FlockOperation, flock};
#[cfg(unix)]
use rustix::io::Errno;
use skills_format::disk::{Folder, patient, read_regular};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a regular file. Links are followed. A pipe is not waited for.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    // Without NONBLOCK, opening a pipe waits for its other end.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        let what = "it is not a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    Ok(file)
}

/// Reads a regular file of at most `max` bytes. Links are followed. A pipe is not waited for.
///
/// Every file in a folder of the person is read so: another program may have put something else in its place.
///
/// # Errors
///
/// The file is missing, is not a regular file, is larger, or cannot be read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    patient(|| read_regular(&open(path)?, max))
}

/// Reads a regular text file of at most `max` bytes, as [`read`].
///
/// # Errors
///
/// As [`read`], or the file is not UTF-8.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let invalid = |_| io::Error::new(io::ErrorKind::InvalidInput, "it is not UTF-8");
    String::from_utf8(read(path, max)?).map_err(invalid)
}

/// Locks a file, and waits while another program holds the lock. A link in the place of the lock file is an error.
pub fn lock(path: &Path) -> Result<LockFile, Error> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".lock");
    let lock = path.with_file_name(&name);
    let failed = |error| Error::io(&lock, "cannot be locked", error);
    let file = Folder::open(folder(path)).and_then(|folder| folder.lock_file(&name));
    let file = LockFile(file.map_err(failed)?);
    file.wait().map_err(failed)?;
    Ok(file)
}

/// An open file that can be locked. Dropping it releases the lock. Closing the file is not enough: a process that
/// another thread has just started holds the file open too, until its program begins.
#[derive(Debug)]
pub struct LockFile(pub File);

// `flock` and not the standard library, which locks no file on Android.
#[cfg(unix)]
impl LockFile {
    /// Locks the file, and waits while another program holds the lock.
    pub fn wait(&self) -> io::Result<()> {
        loop {
            match flock(&self.0, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                taken => return Ok(taken?),
            }
        }
    }

    /// Locks the file, or returns false if another program holds the lock.
    pub fn try_hold(&self) -> io::Result<bool> {
        match flock(&self.0, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => Ok(false),
            taken => Ok(taken.map(|()| true)?),
        }
    }

    fn give_back(&self) -> io::Result<()> {
        Ok(flock(&self.0, FlockOperation::Unlock)?)
    }
}

#[cfg(not(unix))]
#[expect(
    clippy::disallowed_methods,
    reason = "the standard library locks files on these systems"
)]
impl LockFile {
    /// Locks the file, and waits while another program holds the lock.
    pub fn wait(&self) -> io::Result<()> {
        self.0.lock()
    }

    /// Locks the file, or returns false if another program holds the lock.
    pub fn try_hold(&self) -> io::Result<bool> {
        match self.0.try_lock() {
            Ok(()) => Ok(true),
            Err(std::fs::TryLockError::WouldBlock) => Ok(false),
            Err(std::fs::TryLockError::Error(error)) => Err(error),
        }
    }

    fn give_back(&self) -> io::Result<()> {
        self.0.unlock()
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Closing the file, which follows, releases the lock too, so an error has no effect.
        let _ = self.give_back();
    }
}

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::fs;

    #[test]
    fn only_a_regular_file_of_a_bounded_size_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let refused = |path: &Path| read_text(path, 4).unwrap_err().to_string();
        fs::write(path("file"), "text").unwrap();
        assert_eq!(read_text(&path("file"), 4).unwrap(), "text");
        assert_eq!(read(&path("file"), 4).unwrap(), b"text");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        for other in [&path("pipe"), dir.path(), Path::new("/dev/zero")] {
            assert_eq!(refused(other), "it is not a file");
        }
        fs::write(path("bytes"), [0xff]).unwrap();
        assert_eq!(refused(&path("bytes")), "it is not UTF-8");
        fs::write(path("large"), "texts").unwrap();
        assert_eq!(refused(&path("large")), "it is larger than 4 bytes");
    }
}
