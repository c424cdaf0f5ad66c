//! Changes of a folder that only this package makes: exchanges, links, removals of whole folders.

use skills_format::disk::{Folder, Kind};
use std::ffi::OsStr;
use std::io;

#[cfg(not(unix))]
pub use portable::{create_link, exchange, remove_all, sync_system};
#[cfg(unix)]
pub use posix::{create_link, exchange, remove_all, sync_system};

/// A removal, which also succeeds if another program removed the item first.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(unix)]
mod posix {
    use super::{Folder, Kind, OsStr, gone, io};
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    use rustix::fs::{RenameFlags, renameat_with};
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    use rustix::io::Errno;
    use skills_format::disk::{Identity, Refused};
    use std::ffi::OsString;
    use std::path::Path;

    /// Exchanges an item of a folder with an item of another folder, in one step.
    ///
    /// # Errors
    ///
    /// `Unsupported`: the system or the file system cannot exchange items. `CrossesDevices`: an item cannot
    /// be renamed, such as a folder in a lower layer of overlayfs. Nothing was changed in either case.
    pub fn exchange(folder: &Folder, name: &OsStr, other: &Folder, new: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        return match renameat_with(folder, name, other, new, RenameFlags::EXCHANGE) {
            // Linux gives PERM for a file system without exchanges. It gives PERM also to a user who may not rename the
            // item: the renames that the caller tries instead then fail with PERM, so the reason is not lost.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => {
                Err(io::ErrorKind::Unsupported.into())
            }
            exchanged => Ok(exchanged?),
        };
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (folder, name, other, new);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Creates a symbolic link in a folder. The name must be free.
    pub fn create_link(folder: &Folder, target: &Path, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, folder, name)?)
    }

    /// Waits until all data written to the file system of a folder is on the disk. Does nothing on
    /// systems other than Linux and Android.
    pub fn sync_system(folder: &Folder) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        rustix::fs::syncfs(folder)?;
        let _ = folder;
        Ok(())
    }

    /// Removes an item of a folder with everything in it. A link is removed, not followed. A missing
    /// item is not an error.
    pub fn remove_all(folder: &Folder, name: &OsStr) -> io::Result<()> {
        match folder.kind(name)? {
            None => Ok(()),
            Some(Kind::Folder) => match folder.child(name) {
                Ok(inner) => {
                    remove_items(&inner)?;
                    gone(folder.remove_folder(name))
                }
                Err(Refused::Io(error)) => gone(Err(error)),
                Err(refused) => Err(refused.into()),
            },
            Some(_) => gone(folder.remove(name)),
        }
    }

    /// A folder on the way down to the folder that is being emptied.
    struct Level {
        /// The name of the next folder on the way.
        name: OsString,
        identity: Identity,
        /// The other folders in it, which are removed later.
        folders: Vec<OsString>,
    }

    /// Removes everything in a folder, in any depth, with two open folders below it and without recursion. An agent
    /// can nest more folders than a process can open, and than its stack holds.
    ///
    /// The way up is `..`. It is taken only if it leads to the folder that the way down came from: another program can
    /// move a folder meanwhile, and nothing beside the moved folder may be removed.
    fn remove_items(folder: &Folder) -> io::Result<()> {
        let mut here = folder.again()?;
        let mut above: Vec<Level> = Vec::new();
        let mut folders = remove_files(&here)?;
        loop {
            if let Some(name) = folders.pop() {
                let child = match here.child(&name) {
                    Ok(child) => child,
                    Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(refused) => return Err(refused.into()),
                };
                let inner = remove_files(&child)?;
                if inner.is_empty() {
                    gone(here.remove_folder(&name))?;
                    continue;
                }
                let identity = here.identity()?;
                let folders = std::mem::replace(&mut folders, inner);
                above.push(Level {
                    name,
                    identity,
                    folders,
                });
                here = child;
                continue;
            }
            let Some(level) = above.pop() else {
                return Ok(());
            };
            let up = here.folder(Path::new(".."))?;
            if up.identity()? != level.identity {
                return Err(io::Error::other("a folder in it was moved meanwhile"));
            }
            gone(up.remove_folder(&level.name))?;
            (here, folders) = (up, level.folders);
        }
    }

    /// Removes all items but the folders, and returns the names of the folders.
    fn remove_files(folder: &Folder) -> io::Result<Vec<OsString>> {
        let mut folders = Vec::new();
        for item in folder.items(usize::MAX)? {
            if item.kind == Kind::Folder {
                folders.push(item.name);
            } else {
                gone(folder.remove(&item.name))?;
            }
        }
        Ok(folders)
    }
}

#[cfg(not(unix))]
mod portable {
    use super::{Folder, Kind, OsStr, gone, io};
    use skills_format::disk::patient;
    use std::fs;
    use std::path::Path;

    /// Fails: no system without `openat` exchanges two items in one step.
    ///
    /// # Errors
    ///
    /// `Unsupported`.
    pub fn exchange(_: &Folder, _: &OsStr, _: &Folder, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Fails: Windows lets only privileged programs create links.
    ///
    /// # Errors
    ///
    /// `Unsupported`.
    pub fn create_link(_: &Folder, _: &Path, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Does nothing: these systems have no call that writes one file system to the disk.
    pub fn sync_system(_: &Folder) -> io::Result<()> {
        Ok(())
    }

    /// Removes an item of a folder with everything in it. A link is removed, not followed. A missing
    /// item is not an error.
    pub fn remove_all(folder: &Folder, name: &OsStr) -> io::Result<()> {
        let path = folder.path().join(name);
        let Some(kind) = folder.kind(name)? else {
            return Ok(());
        };
        allow_removal(&path);
        gone(match kind {
            Kind::Folder => patient(|| fs::remove_dir_all(&path)),
            _ => patient(|| fs::remove_file(&path)),
        })
    }

    /// Makes the files at and below a path writable, since Windows does not remove read-only files. git makes
    /// its objects read-only.
    ///
    /// Without recursion: folders can be nested deeper than the stack allows.
    fn allow_removal(path: &Path) {
        let mut pending = vec![path.to_owned()];
        while let Some(path) = pending.pop() {
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                pending.extend(entries.map(|entry| entry.path()));
            } else if metadata.is_file() {
                let mut permissions = metadata.permissions();
                #[expect(
                    clippy::permissions_set_readonly_false,
                    reason = "it opens a file to all on Unix only"
                )]
                permissions.set_readonly(false);
                // The removal that follows reports the error.
                let _ = fs::set_permissions(&path, permissions);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> io::Result<(tempfile::TempDir, Folder)> {
        let dir = tempfile::tempdir()?;
        let folder = Folder::open(dir.path())?;
        Ok((dir, folder))
    }

    #[test]
    fn items_change_places() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let (a, b) = ("a".as_ref(), "b".as_ref());
        folder.make_child(a)?.create_new(a)?;
        folder.make_child(b)?;
        match exchange(&folder, a, &folder, b) {
            Ok(()) => assert!(dir.path().join("b/a").exists() && !dir.path().join("a/a").exists()),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::Unsupported),
        }
        assert!(exchange(&folder, a, &folder, "missing".as_ref()).is_err());
        Ok(())
    }

    #[test]
    fn everything_is_removed_and_no_link_is_followed() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let path = dir.path();
        fs::create_dir_all(path.join("a/b/c"))?;
        fs::write(path.join("a/b/file"), "")?;
        fs::create_dir(path.join("kept"))?;
        fs::write(path.join("kept/file"), "")?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(path.join("kept"), path.join("a/b/link"))?;
        remove_all(&folder, "a".as_ref())?;
        remove_all(&folder, "a".as_ref())?;
        assert!(!path.join("a").exists() && path.join("kept/file").exists());
        assert_eq!(folder.kind("a".as_ref())?, None);
        assert_eq!(folder.kind("kept".as_ref())?, Some(Kind::Folder));
        Ok(())
    }

    #[test]
    #[cfg(unix)]
    fn a_removal_needs_no_stack_and_no_files_for_depth() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let name = "a".as_ref();
        let mut deep = folder.make_child(name)?;
        for _ in 0..3_000 {
            deep.create_new("file".as_ref())?;
            deep.make_child("beside".as_ref())?;
            deep = deep.make_child(name)?;
        }
        drop(deep);
        // A small stack: a call for each level would not fit.
        let removal = std::thread::Builder::new().stack_size(64 * 1024);
        let removal = removal.spawn(move || remove_all(&folder, "a".as_ref()))?;
        removal
            .join()
            .map_err(|_| io::Error::other("it panicked"))??;
        assert_eq!(fs::read_dir(dir.path())?.count(), 0);
        Ok(())
    }
}
