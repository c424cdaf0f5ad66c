//! A lock that one process has at a time, in a file that goes away with its folder.

use crate::disk::{self, LockFile};
use crate::error::Error;
#[cfg(feature = "schedule")]
use crate::files::copy::remove;
use std::fs::{self, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Called when another process holds a lock, with what it says of itself, before waiting for it.
pub(crate) type Waiting<'w> = &'w dyn Fn(&Path, &str);

/// The lock of a folder. It is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    file: LockFile,
    path: PathBuf,
}

impl Guard {
    /// Locks the file, which is created where it is missing, and waits for another process.
    pub(crate) fn wait(path: &Path, waiting: Waiting<'_>) -> Result<Self, Error> {
        loop {
            let guard = Self::open(path)?;
            match guard.file.0.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    waiting(path, &guard.holder());
                    guard.file.0.lock().map_err(|error| failed(path, error))?;
                }
                Err(TryLockError::Error(error)) => return Err(failed(path, error)),
            }
            // The process that held it may have removed the file.
            if guard.is_current() {
                guard.sign();
                return Ok(guard);
            }
        }
    }

    /// Locks the file if no process holds it.
    pub(crate) fn try_once(path: &Path) -> Result<Option<Self>, Error> {
        let guard = Self::open(path)?;
        match guard.file.0.try_lock() {
            Ok(()) if guard.is_current() => Ok(Some(guard)),
            Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(path, error)),
        }
    }

    /// Locks the file if no process holds it. Otherwise gives what the holder says of itself.
    #[cfg(feature = "schedule")]
    pub(crate) fn try_or_holder(path: &Path) -> Result<Result<Self, String>, Error> {
        loop {
            let guard = Self::open(path)?;
            match guard.file.0.try_lock() {
                Ok(()) if guard.is_current() => {
                    guard.sign();
                    return Ok(Ok(guard));
                }
                // The process that held it has removed the file.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(Err(guard.holder())),
                Err(TryLockError::Error(error)) => return Err(failed(path, error)),
            }
        }
    }

    fn open(path: &Path) -> Result<Self, Error> {
        let folder = path.parent().unwrap_or(Path::new("."));
        // The folder goes away when another process is done; then it is made again.
        for last in [false, false, true] {
            fs::create_dir_all(folder)
                .map_err(|error| Error::io(folder, "cannot be created", error))?;
            match disk::lock_file(path) {
                Ok(file) => {
                    let path = path.to_owned();
                    return Ok(Self { file, path });
                }
                Err(error) if last || error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(failed(path, error));
                }
                Err(_) => {}
            }
        }
        unreachable_folder(folder)
    }

    /// Whether the path still names the file that was locked.
    #[cfg(unix)]
    fn is_current(&self) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let id = |file: fs::Metadata| (file.dev(), file.ino());
        let (Ok(held), Ok(named)) = (self.file.0.metadata(), fs::metadata(&self.path)) else {
            return false;
        };
        id(held) == id(named)
    }

    /// Elsewhere the file of a lock is not removed while it is open (`disk::lock_file`).
    #[cfg(not(unix))]
    fn is_current(&self) -> bool {
        self.path.exists()
    }

    /// Writes down who holds it. Nothing depends on it.
    fn sign(&self) {
        let mut file = &self.file.0;
        let _ = file.set_len(0);
        let _ = file.seek(SeekFrom::Start(0));
        let _ = write!(file, "process {}", std::process::id());
    }

    fn holder(&self) -> String {
        let mut text = String::new();
        let _ = (&self.file.0).take(100).read_to_string(&mut text);
        if text.is_empty() {
            "another process".to_owned()
        } else {
            text
        }
    }

    /// Removes everything in the folder of the file, then the file and the folder, and gives the lock back.
    #[cfg(feature = "schedule")]
    pub(crate) fn remove_all(self) -> Result<(), Error> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
            let path = entry.map_err(|error| failed(folder, error))?.path();
            if path != self.path {
                remove(&path)?;
            }
        }
        self.remove();
        Ok(())
    }

    /// Removes the file, and its folder where nothing else is in it, and gives the lock back.
    pub(crate) fn remove(self) {
        let Self { file, path } = self;
        // While a file is open it is removed on Unix only. Elsewhere another process that waits for the lock
        // has the file open too, and keeps it.
        let file = cfg!(unix).then_some(file);
        let _ = fs::remove_file(&path);
        if let Some(folder) = path.parent() {
            let _ = fs::remove_dir(folder);
        }
        drop(file);
    }
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::io(path, "cannot be locked", error)
}

fn unreachable_folder(folder: &Path) -> Result<Guard, Error> {
    let error = std::io::Error::from(std::io::ErrorKind::NotFound);
    Err(Error::io(folder, "goes away again and again", error))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a process is started")]
    fn a_process_that_is_started_meanwhile_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join("lock");
        let is_over = AtomicBool::new(false);
        let kept = thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let _ = std::process::Command::new("true").status();
                }
            });
            let is_kept = |_: &i32| matches!(Guard::try_once(&lock), Ok(None) | Err(_));
            let kept = (0..20_000).filter(is_kept).count();
            is_over.store(true, Ordering::Relaxed);
            kept
        });
        assert_eq!(kept, 0, "times of 20,000");
    }
}
