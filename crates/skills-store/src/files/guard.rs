//! An exclusive lock between processes, in a file that is removed with its folder.

use crate::disk::LockFile;
use crate::error::Error;
use crate::files::copy::make_folder;
use crate::files::folder::OpenFolder;
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// A callback for a lock that another process holds, called with the path and the holder before the wait.
pub type Waiting<'w> = &'w dyn Fn(&Path, &str);

/// The beginning of what a holder writes into the file.
const PROCESS: &str = "process ";
/// Maximum number of attempts when other processes keep removing the file.
const TRIES: usize = 1000;

/// The lock of a folder. Dropping the guard releases the lock.
#[derive(Debug)]
pub struct Guard {
    file: LockFile,
    /// The folder of the lock file.
    folder: OpenFolder,
    name: OsString,
    /// The parent of the folder; `None` if the folder is known by its path.
    above: Option<OpenFolder>,
}

/// The place of a lock file.
#[derive(Clone, Copy)]
enum LockPlace<'p> {
    /// A path that only this user can write. Missing parents are made.
    At(&'p Path),
    /// A file in a subfolder of an open folder, in which untrusted programs may have left links.
    In(&'p OpenFolder, &'p str, &'p str),
}

impl Guard {
    /// Locks a file, which is created if it is missing. Waits while another process holds the lock.
    pub fn wait(path: &Path, waiting: Waiting<'_>) -> Result<Self, Error> {
        Self::wait_at(LockPlace::At(path), waiting)
    }

    /// Locks a file in a subfolder of an open folder. Both are created if missing; a link is an error.
    pub fn wait_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        Self::wait_at(LockPlace::In(above, folder, name), waiting)
    }

    /// Locks a file, or returns `None` if a process holds the lock.
    pub fn try_once(path: &Path) -> Result<Option<Self>, Error> {
        Ok(Self::take(LockPlace::At(path), None)?.ok())
    }

    /// Locks a file in a subfolder of an open folder, or returns `None` if a process holds the lock.
    pub fn try_once_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
    ) -> Result<Option<Self>, Error> {
        Ok(Self::take(LockPlace::In(above, folder, name), None)?.ok())
    }

    /// Locks a file, or returns the description of the process that holds the lock.
    pub fn try_or_holder(path: &Path) -> Result<Result<Self, String>, Error> {
        Self::take(LockPlace::At(path), None)
    }

    fn wait_at(place: LockPlace<'_>, waiting: Waiting<'_>) -> Result<Self, Error> {
        Self::take(place, Some(waiting))?.map_err(|_| place.goes_away())
    }

    /// Locks a file. While another process holds the lock, waits if there is a callback, and returns the holder otherwise.
    fn take(
        place: LockPlace<'_>,
        waiting: Option<Waiting<'_>>,
    ) -> Result<Result<Self, String>, Error> {
        for _ in 0..TRIES {
            let guard = Self::open(place)?;
            let path = guard.path();
            let failed = |error| failed(&path, error);
            if !guard.file.try_hold().map_err(failed)? {
                let Some(waiting) = waiting else {
                    return Ok(Err(guard.holder()));
                };
                waiting(&path, &guard.holder());
                guard.file.wait().map_err(failed)?;
            }
            if guard.is_current()? {
                guard.sign();
                return Ok(Ok(guard));
            }
        }
        Err(place.goes_away())
    }

    fn open(place: LockPlace<'_>) -> Result<Self, Error> {
        let mut last = None;
        // The holder removes the folder when it is done. The next attempt makes the folder again.
        for _ in 0..TRIES {
            match place.open() {
                Err(error) if error.is_not_found() => last = Some(error),
                opened => return opened,
            }
        }
        Err(last.unwrap_or_else(|| place.goes_away()))
    }

    /// Returns whether the path still leads to the locked file: the previous holder may have removed the file. A
    /// failed check is an error. If a failure counted as false, the caller would try again without end.
    fn is_current(&self) -> Result<bool, Error> {
        let current = self.folder.folder().holds(&self.name, &self.file.0);
        current.map_err(|error| failed(&self.path(), error))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Returns the folder of the lock file.
    pub fn folder(&self) -> &OpenFolder {
        &self.folder
    }

    /// Writes the holder into the file, for messages only: without it, another process reports a lock of
    /// "another process".
    fn sign(&self) {
        let mut file = &self.file.0;
        let _ = file.set_len(0);
        let _ = file.seek(SeekFrom::Start(0));
        let _ = write!(file, "{PROCESS}{}", std::process::id());
    }

    fn holder(&self) -> String {
        let mut text = String::new();
        // Only as much as a message shows: any program can have written the file.
        let _ = (&self.file.0).take(100).read_to_string(&mut text);
        if text.is_empty() {
            "another process".to_owned()
        } else {
            text
        }
    }

    /// Removes everything in the folder, then the lock file and the folder, and releases the lock.
    pub fn remove_all(self) -> Result<(), Error> {
        // The lock file is last: without it, another process would lock a new file, and use the folder meanwhile.
        for name in self.folder.names()? {
            if self.name != *name {
                self.folder.remove(name)?;
            }
        }
        self.remove();
        Ok(())
    }

    /// Removes the lock file, and its folder if it is empty, and releases the lock.
    pub fn remove(self) {
        let Self {
            file,
            folder,
            name,
            above,
        } = self;
        // Unix removes the file while it is open and locked. Other systems cannot remove an open file, so it is
        // closed first; a process that waits for the lock has the file open too, and keeps it.
        let file = cfg!(unix).then_some(file);
        // Errors have no effect: an empty folder stays, and the next process uses it.
        let _ = folder.folder().remove(&name);
        let _ = match (above, folder.path().file_name()) {
            (Some(above), Some(name)) => above.folder().remove_folder(name),
            _ => fs::remove_dir(folder.path()),
        };
        drop(file);
    }
}

impl LockPlace<'_> {
    fn open(self) -> Result<Guard, Error> {
        let (above, folder, name) = match self {
            Self::At(path) => {
                let folder = path.parent().unwrap_or(Path::new("."));
                make_folder(folder)?;
                let name = path.file_name().unwrap_or_default();
                (None, OpenFolder::open(folder)?, name.to_owned())
            }
            Self::In(above, folder, name) => {
                let folder = above.make_child(folder)?;
                (Some(above.again()?), folder, OsString::from(name))
            }
        };
        match folder.folder().lock_file(&name) {
            Ok(file) => Ok(Guard {
                file: LockFile(file),
                folder,
                name,
                above,
            }),
            Err(error) => Err(failed(&folder.path().join(name), error)),
        }
    }

    fn goes_away(self) -> Error {
        let error = std::io::Error::from(std::io::ErrorKind::NotFound);
        let path = match self {
            Self::At(path) => path.to_owned(),
            Self::In(above, folder, name) => above.path().join(folder).join(name),
        };
        Error::io(&path, "goes away again and again", error)
    }
}

fn failed(path: &Path, error: std::io::Error) -> Error {
    Error::io(path, "cannot be locked", error)
}

#[cfg(test)]
mod tests;
