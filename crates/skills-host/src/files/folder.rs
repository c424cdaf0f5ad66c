//! An open folder for a change. Operations on it reach no other folder, whatever replaces its path meanwhile.

use crate::files::system::{create_link, remove_all, sync_system};
use skills_format::disk::{self, Folder, Identity, Kind, NotFollowed, patient};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

/// Maximum depth of a copied folder. Each level holds two folders open, and a place on the stack.
const MAX_DEPTH: usize = 200;

/// An open folder, with its path.
#[derive(Debug)]
pub struct OpenFolder {
    folder: Folder,
    /// The path, for messages and comparisons. It is never opened again.
    path: PathBuf,
    identity: Identity,
}

impl OpenFolder {
    /// Opens a folder by a trusted path. Follows links.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::of(Folder::open(path), path.to_owned())
    }

    /// Wraps an opened folder and its path.
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

    /// Opens the folder that holds a path, and returns the last component too.
    pub fn above(path: &Path) -> Result<(Self, &OsStr), Error> {
        let name = path.file_name().ok_or_else(|| {
            let error = io::Error::from(io::ErrorKind::InvalidInput);
            Error::io(path, "cannot be used", error)
        })?;
        let above = path.parent().filter(|above| *above != Path::new(""));
        Ok((Self::open(above.unwrap_or(Path::new(".")))?, name))
    }

    /// Returns the path by which the folder was opened. The path can lead elsewhere now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Opens this folder again.
    pub fn again(&self) -> Result<Self, Error> {
        Self::of(self.folder.again(), self.path.clone())
    }

    /// Opens a subfolder. A link is an error.
    pub fn child(&self, name: impl AsRef<OsStr>) -> Result<Self, Error> {
        let child = self.folder.child(name.as_ref()).map_err(Into::into);
        Self::of(child, self.path.join(name.as_ref()))
    }

    /// Creates a subfolder if it is missing, and opens it. A link is an error.
    pub fn make_child(&self, name: impl AsRef<OsStr>) -> Result<Self, Error> {
        let path = self.path.join(name.as_ref());
        let child = self.folder.make_child(name.as_ref());
        let child =
            child.map_err(|refused| Error::io(&path, "cannot be created", refused.into()))?;
        Self::of(Ok(child), path)
    }

    /// Creates and opens the folder at a relative path. A file or a link in the way is removed or an error, as
    /// `obstacle` says.
    pub fn make_below(&self, path: &Path, obstacle: Obstacle) -> Result<Self, Error> {
        let mut folder = self.again()?;
        for component in path.components() {
            let Component::Normal(name) = component else {
                let error = io::Error::other(NotFollowed::Escape);
                return Err(Error::io(&self.path.join(path), "cannot be written", error));
            };
            if obstacle == Obstacle::Removed && folder.kind(name)? != Some(Kind::Folder) {
                folder.remove(name)?;
            }
            folder = folder.make_child(name)?;
        }
        Ok(folder)
    }

    /// Opens the folder at a relative path. A link is an error.
    pub fn below(&self, path: &Path) -> Result<Self, Error> {
        let below = self.folder.folder_below(path).map_err(Into::into);
        Self::of(below, self.path.join(path))
    }

    /// Returns the kind of an item; `None` if it is missing. Does not follow a link.
    pub fn kind(&self, name: impl AsRef<OsStr>) -> Result<Option<Kind>, Error> {
        let kind = self.folder.kind(name.as_ref());
        kind.map_err(|error| self.failed(name.as_ref(), "cannot be read", error))
    }

    /// Returns whether an item exists, also as a dangling link.
    pub fn is_there(&self, name: impl AsRef<OsStr>) -> Result<bool, Error> {
        Ok(self.kind(name)?.is_some())
    }

    /// Removes an item of any kind, with everything in it. A missing item is not an error.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let removed = remove_all(&self.folder, name.as_ref());
        removed.map_err(|error| self.failed(name.as_ref(), "cannot be removed", error))
    }

    /// Renames an item to a name in another folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::CrossesDevices`]: the item cannot be renamed to there. Then nothing was changed.
    pub fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new: impl AsRef<OsStr>,
    ) -> Result<(), Error> {
        let renamed = patient(|| self.folder.rename(name.as_ref(), &to.folder, new.as_ref()));
        renamed.map_err(|error| self.failed(name.as_ref(), "cannot be renamed", error))
    }

    /// Moves an item to an unused name in another folder. Copies the item if it cannot be renamed.
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
        // A power loss keeps no order between two file systems, so the copy must be on the disk before the removal.
        let synced = sync_system(&to.folder);
        synced.map_err(|error| to.failed(new.as_ref(), "cannot be written", error))?;
        self.remove(name)
    }

    /// Copies an item to a temporary name, then renames the copy: the new place is complete or missing. Everything in
    /// the item is copied, also what is not part of a skill.
    pub fn copy(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new: impl AsRef<OsStr>,
    ) -> Result<(), Error> {
        let part = format!(".{}.part~", new.as_ref().to_string_lossy());
        to.remove(&part)?;
        let copied = self
            .copy_item(name.as_ref(), to, part.as_ref(), 1)
            .and_then(|()| to.rename(&part, to, new));
        if copied.is_err() {
            // On a full disk this frees the space of the part. The first error is reported.
            let _ = to.remove(part);
        }
        copied
    }

    fn copy_item(&self, name: &OsStr, to: &Self, new: &OsStr, depth: usize) -> Result<(), Error> {
        let unread = |error| self.failed(name, "cannot be read", error);
        match self.kind(name)? {
            Some(Kind::Link) => {
                let target = self.folder.link(Path::new(name)).map_err(unread)?;
                to.link(&target, new)
            }
            Some(Kind::Folder) if depth > MAX_DEPTH => {
                let message = prose!(
                    "{} is nested over {MAX_DEPTH} levels deep, and cannot be copied",
                    &self.path.join(name)
                );
                Err(Error::new(ErrorKind::Refused, message).help("remove it manually"))
            }
            Some(Kind::Folder) => {
                let (from, to) = (self.child(name)?, to.make_child(new)?);
                let mut items = from.folder.items(usize::MAX).map_err(unread)?.into_iter();
                items.try_for_each(|item| from.copy_item(&item.name, &to, &item.name, depth + 1))
            }
            Some(Kind::File) => {
                let mut file = self
                    .folder
                    .child_file(name)
                    .map_err(|refused| unread(refused.into()))?;
                let copied = to.folder.create_new(new).and_then(|mut copy| {
                    io::copy(&mut file, &mut copy)?;
                    // After the content: a read-only copy could not be opened for writing again, but is still open
                    // here.
                    copy.set_permissions(file.metadata()?.permissions())?;
                    copy.sync_all()
                });
                copied.map_err(|error| to.failed(new, "cannot be written", error))
            }
            Some(Kind::Other) => {
                let path = self.path.join(name);
                let message = prose!("{} is a pipe, a socket or a device", &path);
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

    /// Replaces a file: writes a new file beside it, and renames the new file.
    pub fn replace_file(&self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), Error> {
        let replaced = self.folder.replace(name.as_ref(), bytes, None);
        replaced.map_err(|error| self.failed(name.as_ref(), "cannot be written", error))
    }

    /// Creates a symbolic link.
    pub fn link(&self, target: &Path, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let made = create_link(&self.folder, target, name.as_ref());
        made.map_err(|error| self.failed(name.as_ref(), "cannot be written", error))
    }

    /// Returns the names of the items, in order.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let items = self
            .folder
            .items(usize::MAX)
            .map_err(|error| Error::io(&self.path, "cannot be read", error))?;
        let name = |item: disk::Item| item.name.to_string_lossy().into_owned();
        Ok(items.into_iter().map(name).collect())
    }

    /// Fails if the path no longer leads to this folder: the user would look for the change at the path.
    pub fn check_path(&self) -> Result<(), Error> {
        self.check_same(disk::identity(&self.path))
    }

    /// Fails if a name in another folder no longer leads to this folder.
    pub fn check_in(&self, above: &Self, name: impl AsRef<OsStr>) -> Result<(), Error> {
        let now = above
            .folder
            .child(name.as_ref())
            .map_err(Into::into)
            .and_then(|now| now.identity());
        self.check_same(now)
    }

    fn check_same(&self, now: io::Result<Identity>) -> Result<(), Error> {
        if now.is_ok_and(|now| now == self.identity) {
            return Ok(());
        }
        let message = prose!("{} was replaced by something else meanwhile", &self.path);
        Err(Error::new(ErrorKind::Refused, message)
            .help("look at the folder, then run the same command again"))
    }

    /// Returns whether another open folder is this folder, also after a rename.
    pub fn is(&self, other: &Self) -> bool {
        // Without `openat` the identity is a path, which changes at a rename.
        cfg!(not(unix)) || self.identity == other.identity
    }

    fn failed(&self, name: &OsStr, what: &str, error: io::Error) -> Error {
        Error::io(&self.path.join(name), what, error)
    }
}

/// The treatment of an item in the place of a new folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The item is an error.
    Refused,
    /// The item is removed: the new skill has a folder in its place.
    Removed,
}

/// The durability of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durable {
    /// The bytes are on the disk before the next step.
    Yes,
    /// The bytes may be lost: they are verified when they are used.
    No,
}

impl Durable {
    /// Returns how the files of many skills are written: where one call waits for the whole file system, no file waits alone.
    pub fn of_many() -> Self {
        if cfg!(any(target_os = "linux", target_os = "android")) {
            Self::No
        } else {
            Self::Yes
        }
    }
}

/// Writes a newly created file.
pub fn write_all(mut file: File, bytes: &[u8], durable: Durable) -> io::Result<File> {
    file.write_all(bytes)?;
    if durable == Durable::Yes {
        file.sync_all()?;
    }
    Ok(file)
}
