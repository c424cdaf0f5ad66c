//! Files in a folder where a stranger may have left links and pipes: the lock, and the new file that
//! replaces the old file.

use crate::error::Error;
#[cfg(unix)]
use rustix::fs::{FlockOperation, flock};
#[cfg(unix)]
use rustix::io::Errno;
use skills_format::disk::Folder;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a regular file. Links are followed; a pipe is not waited for.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    // Without this flag, opening a pipe waits for its other end.
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

/// Takes the lock of a file. Waits until no other program has the lock. A link in the place of the lock
/// is an error.
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

/// An open file that can be locked. Its lock is given back when this is dropped. Closing the file would not do:
/// a process that another thread has just started has it open too, until its program begins.
#[derive(Debug)]
pub struct LockFile(pub File);

/// The standard library locks no file on Android.
#[cfg(unix)]
impl LockFile {
    /// Waits until no other program has the lock, and takes it.
    pub fn wait(&self) -> io::Result<()> {
        loop {
            match flock(&self.0, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                taken => return Ok(taken?),
            }
        }
    }

    /// Takes the lock, unless another program has it: then this gives `false`.
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
impl LockFile {
    /// Waits until no other program has the lock, and takes it.
    pub fn wait(&self) -> io::Result<()> {
        self.0.lock()
    }

    /// Takes the lock, unless another program has it: then this gives `false`.
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
        // The file is closed next, which gives the lock back too.
        let _ = self.give_back();
    }
}

/// Writes a new file of a random name in the open folder, and renames it over the old file. New files that
/// killed programs left are removed.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::io(path, "cannot be written", error);
    let old = fs::metadata(path).ok().map(|old| old.permissions());
    let folder = Folder::open(folder(path)).map_err(failed)?;
    let name = path.file_name().unwrap_or_default();
    folder.replace(name, bytes, old).map_err(failed)
}

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
