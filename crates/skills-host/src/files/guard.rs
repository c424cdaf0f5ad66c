//! An exclusive lock between processes, in a file that is removed with its folder.

use crate::files::copy::make_folder;
use crate::files::folder::OpenFolder;
use skills_store::disk::LockFile;
use skills_store::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A callback for a lock that another process holds, called with the path and the holder before the wait.
pub type Waiting<'w> = &'w dyn Fn(&Path, &str);

/// Maximum number of attempts when other processes keep removing the file.
const TRIES: usize = 10_000;

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

impl Guard {
    /// Locks a file, which is created if it is missing. Waits while another process holds the lock.
    pub fn wait(path: &Path, waiting: Waiting<'_>) -> Result<Self, Error> {
        Self::wait_for(&|| Self::at(path), waiting)
    }

    /// Locks a file in a subfolder of an open folder. Both are created if missing; a link is an error.
    pub fn wait_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        Self::wait_for(&|| Self::inside(above, folder, name), waiting)
    }

    /// Locks a file, or returns `None` if a process holds the lock.
    pub fn try_once(path: &Path) -> Result<Option<Self>, Error> {
        Ok(Self::take(&|| Self::at(path), None)?.ok())
    }

    /// Locks a file in a subfolder of an open folder, or returns `None` if a process holds the lock.
    pub fn try_once_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
    ) -> Result<Option<Self>, Error> {
        Ok(Self::take(&|| Self::inside(above, folder, name), None)?.ok())
    }

    /// Locks a file, or returns the description of the process that holds the lock.
    pub fn try_or_holder(path: &Path) -> Result<Result<Self, String>, Error> {
        Self::take(&|| Self::at(path), None)
    }

    fn wait_for(
        open: &dyn Fn() -> Result<Self, Error>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        // Who waits never gets the holder.
        let taken = Self::take(open, Some(waiting))?;
        taken.map_err(|holder| Error::new(ErrorKind::Refused, holder))
    }

    /// Takes the lock. Without `waiting`, returns the holder if another process holds it.
    fn take(
        open: &dyn Fn() -> Result<Self, Error>,
        waiting: Option<Waiting<'_>>,
    ) -> Result<Result<Self, String>, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            let guard = match open() {
                // The holder removes the folder when it is done. The next attempt makes the folder again.
                Err(error) if error.is_not_found() && tries < TRIES => continue,
                opened => opened?,
            };
            let path = guard.path();
            let failed = |error| failed(&path, error);
            if !guard.file.try_hold().map_err(failed)? {
                let Some(waiting) = waiting else {
                    return Ok(Err(guard.file.holder()));
                };
                waiting(&path, &guard.file.holder());
                guard.file.wait().map_err(failed)?;
            }
            if guard.is_current()? {
                guard.file.sign();
                return Ok(Ok(guard));
            }
            if tries >= TRIES {
                let error = io::ErrorKind::NotFound.into();
                return Err(Error::io(&path, "goes away again and again", error));
            }
        }
    }

    /// Opens a file at a path that only this user can write. Missing parents are made.
    fn at(path: &Path) -> Result<Self, Error> {
        let folder = path.parent().unwrap_or(Path::new("."));
        make_folder(folder)?;
        Self::of(
            None,
            OpenFolder::open(folder)?,
            path.file_name().unwrap_or_default(),
        )
    }

    /// Opens a file in a subfolder of an open folder, in which untrusted programs may have left links.
    fn inside(above: &OpenFolder, folder: &str, name: &str) -> Result<Self, Error> {
        let folder = above.make_child(folder)?;
        Self::of(Some(above.again()?), folder, name.as_ref())
    }

    fn of(above: Option<OpenFolder>, folder: OpenFolder, name: &OsStr) -> Result<Self, Error> {
        match folder.folder().lock_file(name) {
            Ok(file) => Ok(Self {
                file: LockFile(file),
                folder,
                name: name.to_owned(),
                above,
            }),
            Err(error) => Err(failed(&folder.path().join(name), error)),
        }
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

fn failed(path: &Path, error: io::Error) -> Error {
    Error::io(path, "cannot be locked", error)
}

#[cfg(test)]
mod tests;
