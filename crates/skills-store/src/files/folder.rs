//! An open folder in which a change is made. What is done in it reaches no other folder, whatever takes the
//! place of its path meanwhile.

use crate::error::{Error, ErrorKind};
use skills_format::disk::{self, Folder, Identity, Kind, patient};
use skills_format::text::path::PathText as _;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

/// An open folder, with the path that led to it.
#[derive(Debug)]
pub struct OpenFolder {
    folder: Folder,
    /// For messages, and to compare: nothing is opened by it.
    path: PathBuf,
    identity: Identity,
}

impl OpenFolder {
    /// Opens a folder by a trusted path. Links are followed.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::of(Folder::open(path), path.to_owned())
    }

    /// Takes a folder that was opened, and the path that led to it.
    pub fn of(folder: io::Result<Folder>, path: PathBuf) -> Result<Self, Error> {
        let found = folder.and_then(|folder| Ok((folder.identity()?, folder)));
        match found {
            Ok((identity, folder)) => Ok(Self {
                folder,
                path,
                identity,
            }),
            Err(error) => Err(Error::io(&path, "cannot be read", error)),
        }
    }

    /// Opens the folder above a path, and gives the name in it.
    pub fn above(path: &Path) -> Result<(Self, &OsStr), Error> {
        let name = path.file_name();
        let name = name.ok_or_else(|| {
            let error = io::Error::from(io::ErrorKind::InvalidInput);
            Error::io(path, "cannot be used", error)
        })?;
        let above = path.parent().filter(|above| *above != Path::new(""));
        Ok((Self::open(above.unwrap_or(Path::new(".")))?, name))
    }

    /// The path that led to it. It can lead elsewhere now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder itself.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Opens this folder once more.
    pub fn again(&self) -> Result<Self, Error> {
        Self::of(self.folder.again(), self.path.clone())
    }

    /// Opens a folder of this folder. A link is refused.
    pub fn child(&self, name: impl AsRef<OsStr>) -> Result<Self, Error> {
        let child = self.folder.child(name.as_ref()).map_err(Into::into);
        Self::of(child, self.path.join(name.as_ref()))
    }

    /// Makes a folder of this folder, unless it is there, and opens it. A link is refused.
    pub fn make_child(&self, name: impl AsRef<OsStr>) -> Result<Self, Error> {
        let path = self.path.join(name.as_ref());
        let child = self.folder.make_child(name.as_ref());
        let child =
            child.map_err(|refused| Error::io(&path, "cannot be created", refused.into()))?;
        Self::of(Ok(child), path)
    }

    /// Makes and opens the folder of a relative path. What stands in the way, such as a link, is removed when
    /// `obstacle` says so.
    pub fn make_below(&self, path: &Path, obstacle: Obstacle) -> Result<Self, Error> {
        let mut folder = self.again()?;
        for component in path.components() {
            let Component::Normal(name) = component else {
                let error = io::Error::other("it leads out of the folder");
                return Err(Error::io(&self.path.join(path), "cannot be written", error));
            };
            if obstacle == Obstacle::Removed && folder.kind(name)? != Some(Kind::Folder) {
                folder.remove(name)?;
            }
            folder = folder.make_child(name)?;
        }
        Ok(folder)
    }

    /// Opens the folder of a relative path. A link is refused.
    pub fn below(&self, path: &Path) -> Result<Self, Error> {
        let below = self.folder.folder_below(path).map_err(Into::into);
        Self::of(below, self.path.join(path))
    }

    /// The kind of an item; `None` when it is missing. A link is not followed.
    pub fn kind(&self, name: impl AsRef<OsStr>) -> Result<Option<Kind>, Error> {
        let kind = self.folder.kind(name.as_ref());
        kind.map_err(|error| self.failed(name.as_ref(), "cannot be read", error))
    }

    /// Whether an item is there, be it a link that leads nowhere.
    pub fn is_there(&self, name: impl AsRef<OsStr>) -> Result<bool, Error> {
        Ok(self.kind(name)?.is_some())
    }

    /// Removes an item, whatever it is, with everything in it. A missing item is fine.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let removed = self.folder.remove_all(name.as_ref());
        removed.map_err(|error| self.failed(name.as_ref(), "cannot be removed", error))
    }

    /// Renames an item to a name in a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::CrossesDevices`]: nothing was changed.
    pub fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new: impl AsRef<OsStr>,
    ) -> Result<(), Error> {
        let renamed = patient(|| self.folder.rename(name.as_ref(), &to.folder, new.as_ref()));
        renamed.map_err(|error| self.failed(name.as_ref(), "cannot be renamed", error))
    }

    /// Moves an item to a free name in a folder, by a copy where it cannot be renamed.
    pub fn move_to(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new: impl AsRef<OsStr>,
    ) -> Result<(), Error> {
        match self.rename(name.as_ref(), to, new.as_ref()) {
            Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
            done => return done,
        }
        self.copy(name.as_ref(), to, new.as_ref())?;
        // A power loss keeps no order between two file systems: what was copied must be on the disk first.
        let synced = to.folder.sync_system();
        synced.map_err(|error| to.failed(new.as_ref(), "cannot be written", error))?;
        self.remove(name)
    }

    /// Copies an item beside its new place, then renames it: the place has it whole or not at all.
    /// Everything is copied, whatever it is to a skill.
    pub fn copy(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new: impl AsRef<OsStr>,
    ) -> Result<(), Error> {
        let part = format!(".{}.part~", new.as_ref().to_string_lossy());
        to.remove(&part)?;
        let copied = self.copy_item(name.as_ref(), to, part.as_ref());
        let copied = copied.and_then(|()| to.rename(&part, to, new));
        if copied.is_err() {
            // A full disk gets back what was written. The first error is reported.
            let _ = to.remove(part);
        }
        copied
    }

    fn copy_item(&self, name: &OsStr, to: &Self, new: &OsStr) -> Result<(), Error> {
        let unread = |error| self.failed(name, "cannot be read", error);
        match self.kind(name)? {
            Some(Kind::Link) => {
                let target = self.folder.link(Path::new(name)).map_err(unread)?;
                to.link(&target, new)
            }
            Some(Kind::Folder) => {
                let (from, to) = (self.child(name)?, to.make_child(new)?);
                let items = from.folder.items(usize::MAX).map_err(unread)?;
                let mut items = items.into_iter();
                items.try_for_each(|item| from.copy_item(&item.name, &to, &item.name))
            }
            Some(Kind::File) => {
                let file = self.folder.child_file(name);
                let mut file = file.map_err(|refused| unread(refused.into()))?;
                let copied = to.folder.create_new(new).and_then(|mut copy| {
                    io::copy(&mut file, &mut copy)?;
                    // A file that is read-only is still written here: it is open.
                    copy.set_permissions(file.metadata()?.permissions())?;
                    copy.sync_all()
                });
                copied.map_err(|error| to.failed(new, "cannot be written", error))
            }
            Some(Kind::Other) => {
                let path = self.path.join(name);
                let message = format!("{} is a pipe, a socket or a device", path.shown());
                Err(Error::new(ErrorKind::Refused, message).help("remove it"))
            }
            None => Err(unread(io::ErrorKind::NotFound.into())),
        }
    }

    /// Writes a new file.
    pub fn write_file(
        &self,
        name: impl AsRef<OsStr>,
        bytes: &[u8],
        durable: Durable,
    ) -> Result<File, Error> {
        let file = self.folder.create_new(name.as_ref());
        let written = file.and_then(|file| write_all(file, bytes, durable));
        written.map_err(|error| self.failed(name.as_ref(), "cannot be written", error))
    }

    /// Replaces a file: a new one is written beside it and renamed.
    pub fn replace_file(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), Error> {
        let replaced = self.folder.replace(name.as_ref(), bytes, None);
        replaced.map_err(|error| self.failed(name.as_ref(), "cannot be written", error))
    }

    /// Makes a symbolic link.
    pub fn link(&self, target: &Path, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let made = self.folder.create_link(target, name.as_ref());
        made.map_err(|error| self.failed(name.as_ref(), "cannot be written", error))
    }

    /// The names in it, in their order.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let items = self.folder.items(usize::MAX);
        let items = items.map_err(|error| Error::io(&self.path, "cannot be read", error))?;
        let name = |item: disk::Item| item.name.to_string_lossy().into_owned();
        Ok(items.into_iter().map(name).collect())
    }

    /// Refuses when the path no longer leads here: a person would look for a change there.
    pub fn check_path(&self) -> Result<(), Error> {
        self.check_same(disk::identity(&self.path))
    }

    /// Refuses when the folder is no longer this name of a folder.
    pub fn check_in(&self, above: &Self, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let now = above.folder.child(name.as_ref());
        let now = now.map_err(Into::into).and_then(|now| now.identity());
        self.check_same(now)
    }

    fn check_same(&self, now: io::Result<Identity>) -> Result<(), Error> {
        if now.is_ok_and(|now| now == self.identity) {
            return Ok(());
        }
        let message = format!(
            "{} was replaced by something else meanwhile",
            self.path.shown()
        );
        Err(Error::new(ErrorKind::Refused, message)
            .help("look at what stands there, then run the same command again"))
    }

    /// Whether a folder is this folder, under a name that it may have got since.
    pub fn is(&self, other: &Self) -> bool {
        // Without `openat` the identity is a path, which a rename changes.
        cfg!(not(unix)) || self.identity == other.identity
    }

    fn failed(&self, name: &OsStr, what: &str, error: io::Error) -> Error {
        Error::io(&self.path.join(name), what, error)
    }
}

/// What becomes of something that stands where a folder is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It is an error.
    Refused,
    /// It is removed: the new skill has a folder there.
    Removed,
}

/// Whether bytes must be on the disk before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// They must.
    Yes,
    /// They are checked when they are used.
    No,
}

/// Writes a file that was just made.
pub fn write_all(mut file: File, bytes: &[u8], durable: Durable) -> io::Result<File> {
    file.write_all(bytes)?;
    if durable == Durable::Yes {
        file.sync_all()?;
    }
    Ok(file)
}
