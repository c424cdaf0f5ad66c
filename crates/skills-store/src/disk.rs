//! Files in a folder in which untrusted programs may have left links and pipes: the lock, and the new file that
//! replaces the old file.

use crate::error::{Error, ErrorKind};
#[cfg(unix)]
use rustix::fs::{FlockOperation, flock};
#[cfg(unix)]
use rustix::io::Errno;
use serde::de::DeserializeOwned;
use skills_format::disk::{Folder, is_absent, patient, read_regular};
use skills_format::prose;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
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

/// The maximum length of a record, in bytes.
const MAX_RECORD: u64 = 256 << 20;

/// Creates a folder, with its missing parents.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::io(path, "cannot be created", error))
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
    let above = Folder::open(folder(path)).map_err(failed)?;
    let name = path.file_name().unwrap_or_default();
    above.replace(name, bytes, old).map_err(failed)
}

/// Reads a file that this program wrote as JSON; `None` when it is missing.
///
/// # Errors
///
/// [`ErrorKind::Damaged`] for anything else than that JSON. A record that was left out in silence would take what it
/// names with it: the store keeps only what is named.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let text = match read(path, MAX_RECORD) {
        Err(error) if is_absent(&error) => return Ok(None),
        text => text.map_err(|error| Error::io(path, "cannot be read", error))?,
    };
    serde_json::from_slice(&text).map(Some).map_err(|error| {
        let message = prose!("{} is damaged: {error}", path);
        Error::new(ErrorKind::Damaged, message).help("look at the file, then remove the file")
    })
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

impl LockFile {
    /// Writes the holder into the file, for messages only: without it, another process reports a lock of
    /// "another process".
    pub fn sign(&self) {
        let mut file = &self.0;
        let _ = file.set_len(0);
        let _ = file.seek(SeekFrom::Start(0));
        let _ = write!(file, "process {}", std::process::id());
    }

    /// Returns the process that signed the file.
    pub fn holder(&self) -> String {
        let mut text = String::new();
        // Only as much as a message shows: any program can have written the file.
        let _ = (&self.0).take(100).read_to_string(&mut text);
        if text.is_empty() {
            "another process".to_owned()
        } else {
            text
        }
    }
}

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

    #[test]
    fn a_replaced_file_keeps_who_may_read_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        replace_file(&file, b"1").unwrap();
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            replace_file(&file, b"2").unwrap();
            let mode = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
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

    #[test]
    fn a_record_that_is_a_pipe_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        let error = read_json::<u8>(&pipe).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        assert_eq!(cause.as_deref(), Some("it is not a file"));
    }
}
