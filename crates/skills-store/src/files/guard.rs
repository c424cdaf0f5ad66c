//! A lock that one process has at a time, in a file that goes away with its folder.

use crate::disk::LockFile;
use crate::error::Error;
use crate::files::copy::make_folder;
use crate::files::folder::OpenFolder;
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Called when another process holds a lock, with what it says of itself, before waiting for it.
pub type Waiting<'w> = &'w dyn Fn(&Path, &str);

/// How often a file is tried that another process takes away meanwhile.
const TRIES: usize = 1000;

/// The lock of a folder. It is given back when this is dropped.
#[derive(Debug)]
pub struct Guard {
    file: LockFile,
    /// The folder that the file is in.
    folder: OpenFolder,
    name: OsString,
    /// The folder that the folder was made in; `None`: it is known by its path.
    above: Option<OpenFolder>,
}

/// Where the file of a lock is.
#[derive(Clone, Copy)]
enum Place<'p> {
    /// At a path that only this person writes. The folders above it are made.
    At(&'p Path),
    /// In a folder of an open folder, where a stranger may have left links.
    In(&'p OpenFolder, &'p str, &'p str),
}

impl Guard {
    /// Locks the file, which is created where it is missing, and waits for another process.
    pub fn wait(path: &Path, waiting: Waiting<'_>) -> Result<Self, Error> {
        Self::take(Place::At(path), waiting)
    }

    /// The same for a file in a folder of an open folder. Both are made; neither may be a link.
    pub fn wait_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        Self::take(Place::In(above, folder, name), waiting)
    }

    fn take(place: Place<'_>, waiting: Waiting<'_>) -> Result<Self, Error> {
        for _ in 0..TRIES {
            let guard = Self::open(place)?;
            let path = guard.path();
            let failed = |error| failed(&path, error);
            if !guard.file.try_hold().map_err(failed)? {
                waiting(&path, &guard.holder());
                guard.file.wait().map_err(failed)?;
            }
            if guard.is_current()? {
                guard.sign();
                return Ok(guard);
            }
        }
        Err(place.goes_away())
    }

    /// Locks the file if no process holds it.
    pub fn try_once(path: &Path) -> Result<Option<Self>, Error> {
        Self::open(Place::At(path))?.held()
    }

    /// The same for a file in a folder of an open folder.
    pub fn try_once_in(
        above: &OpenFolder,
        folder: &str,
        name: &str,
    ) -> Result<Option<Self>, Error> {
        Self::open(Place::In(above, folder, name))?.held()
    }

    fn held(self) -> Result<Option<Self>, Error> {
        let held = self.file.try_hold();
        let held = held.map_err(|error| failed(&self.path(), error))? && self.is_current()?;
        Ok(held.then_some(self))
    }

    /// Locks the file if no process holds it. Otherwise gives what the holder says of itself.
    pub fn try_or_holder(path: &Path) -> Result<Result<Self, String>, Error> {
        for _ in 0..TRIES {
            let guard = Self::open(Place::At(path))?;
            if !guard.file.try_hold().map_err(|error| failed(path, error))? {
                return Ok(Err(guard.holder()));
            }
            if guard.is_current()? {
                guard.sign();
                return Ok(Ok(guard));
            }
        }
        Err(Place::At(path).goes_away())
    }

    fn open(place: Place<'_>) -> Result<Self, Error> {
        let mut last = None;
        // The folder goes away when another process is done; then it is made again.
        for _ in 0..TRIES {
            match place.open() {
                Err(error) if error.is_not_found() => last = Some(error),
                opened => return opened,
            }
        }
        Err(last.unwrap_or_else(|| place.goes_away()))
    }

    /// Whether the path still names the file that was locked: the process that held it may have removed it.
    /// What cannot be asked is an error. Taken for "no", it would be asked for ever.
    fn is_current(&self) -> Result<bool, Error> {
        let current = self.folder.folder().holds(&self.name, &self.file.0);
        current.map_err(|error| failed(&self.path(), error))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// The folder that the file is in.
    pub fn folder(&self) -> &OpenFolder {
        &self.folder
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
    pub fn remove_all(self) -> Result<(), Error> {
        for name in self.folder.names()? {
            if self.name != *name {
                self.folder.remove(name)?;
            }
        }
        self.remove();
        Ok(())
    }

    /// Removes the file, and its folder where nothing else is in it, and gives the lock back.
    pub fn remove(self) {
        let Self {
            file,
            folder,
            name,
            above,
        } = self;
        // While a file is open it is removed on Unix only. Elsewhere another process that waits for the lock
        // has the file open too, and keeps it.
        let file = cfg!(unix).then_some(file);
        // What stays is an empty folder: the next process uses it.
        let _ = folder.folder().remove(&name);
        let _ = match (above, folder.path().file_name()) {
            (Some(above), Some(name)) => above.folder().remove_folder(name),
            _ => fs::remove_dir(folder.path()),
        };
        drop(file);
    }
}

impl Place<'_> {
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
