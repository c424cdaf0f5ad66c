//! Handles of open folders, by POSIX calls.
//!
//! A path that must stay below a folder is walked one name at a time, each relative to the folder that
//! was opened before. The system follows no link: the text of a link is read, and walked in the same way.
//! So the file that was checked is the file that is open, even if the disk changes meanwhile.
#![expect(
    clippy::disallowed_methods,
    reason = "the one place that opens folders and files"
)]

use crate::disk::new::Locked;
use crate::disk::{FileStat, Item, Kind, NotFollowed, Refused};
use rustix::fs::{
    AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, flock, fstat, mkdirat, openat,
    readlinkat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
use rustix::fs::{RenameFlags, renameat_with};

/// The maximum number of links in one path, as in Linux. Without a limit, two links that lead to each
/// other would be walked for ever.
const MAX_LINKS: usize = 40;

/// An open folder. The handle stays on the same folder when the path leads elsewhere.
#[derive(Debug)]
pub struct Folder(OwnedFd);

/// Device and inode: equal for all paths to one folder.
pub type Identity = (u64, u64);

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Errno> for Refused {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

impl Folder {
    /// Opens a folder by a trusted path. Links are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(rustix::fs::CWD, path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder relative to this one. Links are followed anywhere.
    pub fn folder(&self, path: &Path) -> io::Result<Self> {
        Ok(Self(openat(&self.0, path, FOLDER, Mode::empty())?))
    }

    /// Opens a file relative to this folder. Links are followed anywhere. The call does not wait for a
    /// pipe or a device.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        Ok(openat(&self.0, path, FILE, Mode::empty())?.into())
    }

    /// Opens a folder below this one. A link that leads out of this folder is refused.
    pub fn folder_within(&self, path: &Path) -> Result<Self, Refused> {
        self.within(path, FOLDER).map(Self)
    }

    /// Opens a file below this folder. A link that leads out of this folder is refused.
    pub fn file_within(&self, path: &Path) -> Result<File, Refused> {
        self.within(path, FILE).map(File::from)
    }

    /// Opens a folder of this folder. A link is refused.
    pub fn child(&self, name: &OsStr) -> Result<Self, Refused> {
        step(self.0.as_fd(), name, FOLDER).map(Self)
    }

    /// Opens a file of this folder. A link is refused. The call does not wait for a pipe or a device.
    pub fn child_file(&self, name: &OsStr) -> Result<File, Refused> {
        step(self.0.as_fd(), name, FILE).map(File::from)
    }

    /// Returns the identity of this folder.
    pub fn identity(&self) -> io::Result<Identity> {
        let metadata = File::from(self.0.try_clone()?).metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Returns another handle of this folder.
    pub fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.try_clone()?))
    }

    /// Creates a file. The name must be free; a link at the name is not followed.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        let mode = Mode::from_raw_mode(0o666);
        Ok(openat(&self.0, name, NEW, mode)?.into())
    }

    /// Creates a folder. The name must be free.
    pub fn create_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
    }

    /// Moves an item of this folder to a name in a folder. An existing file is replaced.
    pub fn rename(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, from, &folder.0, to)?)
    }

    /// Renames an item of this folder to a name that must be free.
    pub(super) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
            // The file system does not support the flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
        self.rename_if_free(from, to)
    }

    /// Opens the lock file of this name, and creates the file if it is missing.
    ///
    /// # Errors
    ///
    /// `InvalidInput`: the name is a link, a pipe or a device.
    pub fn lock_file(&self, name: &OsStr) -> io::Result<File> {
        let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
        let file = match openat(&self.0, name, LOCK, Mode::from_raw_mode(0o666)) {
            Err(Errno::LOOP | Errno::MLINK) => return Err(invalid("it is a link")),
            opened => File::from(opened?),
        };
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(invalid("it is not a file"))
        }
    }

    /// Returns whether a name of this folder still leads to an open file. After a lock is taken, another
    /// program can have removed or replaced the file.
    pub fn holds(&self, name: &OsStr, file: &File) -> io::Result<bool> {
        let held = fstat(file)?;
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) => Ok((named.st_dev, named.st_ino) == (held.st_dev, held.st_ino)),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the kind of an item; `None` if the item is missing. A link is not followed.
    pub fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(kind(FileType::from_raw_mode(stat.st_mode)))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a file or a link of this folder.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Removes an empty folder of this folder.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    fn within(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Refused> {
        // The names still to open, the next name last, so that the names of a link go before the rest.
        let mut pending = Vec::new();
        push(&mut pending, path)?;
        let mut opened: Vec<OwnedFd> = Vec::new();
        let mut links = 0;
        while let Some(step) = pending.pop() {
            // `..` returns to the folder that was opened before. Opened by name, a folder that was moved
            // meanwhile would lead to its new parent, outside.
            let Step::Down(name) = step else {
                opened.pop().ok_or(Refused::Escape)?;
                continue;
            };
            let here = opened.last().map_or(self.0.as_fd(), |fd| fd.as_fd());
            let last = pending.is_empty();
            let flags = if last { flags } else { FOLDER };
            match openat(here, &name, flags | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(fd) => opened.push(fd),
                // With `O_NOFOLLOW`, the error for a link depends on the system: `ELOOP` on most systems,
                // `EMLINK` on FreeBSD, and `ENOTDIR` together with `O_DIRECTORY`.
                Err(error @ (Errno::LOOP | Errno::NOTDIR | Errno::MLINK)) => {
                    let Some(target) = link(here, &name)? else {
                        return Err(error.into());
                    };
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Errno::LOOP.into());
                    }
                    push(&mut pending, Path::new(&target))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        match opened.pop() {
            Some(fd) => Ok(fd),
            None => Ok(openat(&self.0, ".", flags, Mode::empty())?),
        }
    }

    /// Lists the folder in the order of the names' bytes: at most `limit` names.
    pub fn items(&self, limit: usize) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            if items.len() >= limit {
                break;
            }
            let mut found = entry.file_type();
            // Some file systems report no kind in the listing.
            if found == FileType::Unknown
                && let Ok(stat) = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)
            {
                found = FileType::from_raw_mode(stat.st_mode);
            }
            items.push(Item {
                name: OsString::from_vec(name.to_bytes().to_vec()),
                kind: kind(found),
            });
        }
        items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(items)
    }

    /// Reads the text of a link.
    pub fn link(&self, name: &Path) -> io::Result<PathBuf> {
        let target = readlinkat(&self.0, name, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()).into())
    }

    /// Returns the kind, length and time of an item. A link is not followed.
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_fallible_conversions,
        reason = "the widths differ by platform"
    )]
    pub fn stat(&self, name: &Path) -> io::Result<FileStat> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let seconds = i64::try_from(stat.st_mtime).unwrap_or(0);
        let nanoseconds = i64::try_from(stat.st_mtime_nsec).unwrap_or(0);
        Ok(FileStat {
            is_file: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
            len: u64::try_from(stat.st_size).unwrap_or(0),
            modified: seconds
                .saturating_mul(1_000_000_000)
                .saturating_add(nanoseconds),
        })
    }
}

/// Asks for the identity of the folder that a path leads to.
pub fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
/// The flags that open a file without waiting for the writer of a pipe, or taking control of a terminal.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);
/// The flags that create a file. The name must be free, also of a link.
const NEW: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// The flags that open a lock file. A missing file is created; an existing file is never emptied.
const LOCK: OFlags = OFlags::RDWR
    .union(OFlags::CREATE)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

fn kind(found: FileType) -> Kind {
    match found {
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        FileType::RegularFile => Kind::File,
        _ => Kind::Other,
    }
}

impl Locked for File {
    fn hold(&self) -> bool {
        flock(self, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
}

impl Locked for Folder {
    fn hold(&self) -> bool {
        flock(&self.0, FlockOperation::NonBlockingLockExclusive).is_ok()
    }
}

/// Does `work` once. Only Windows refuses it while another program has the file or folder open.
pub fn patient<T>(work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    work()
}

/// Opens one name of a folder. A link is refused.
fn step(folder: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> Result<OwnedFd, Refused> {
    let bytes = name.as_bytes();
    if matches!(bytes, b"" | b"." | b"..") || bytes.contains(&b'/') {
        return Err(Refused::Escape);
    }
    match openat(folder, name, flags | OFlags::NOFOLLOW, Mode::empty()) {
        Err(error @ (Errno::LOOP | Errno::NOTDIR | Errno::MLINK)) => match link(folder, name)? {
            Some(_) => Err(Refused::Io(io::Error::other(NotFollowed::Link))),
            None => Err(error.into()),
        },
        opened => Ok(opened?),
    }
}

enum Step {
    Down(OsString),
    Up,
}

/// Adds the names of a path before the pending names. A path from the root is refused.
fn push(pending: &mut Vec<Step>, path: &Path) -> Result<(), Refused> {
    let mut steps = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => steps.push(Step::Down(name.to_owned())),
            Component::CurDir => {}
            Component::ParentDir => steps.push(Step::Up),
            Component::RootDir | Component::Prefix(_) => return Err(Refused::Escape),
        }
    }
    pending.extend(steps.into_iter().rev());
    Ok(())
}

/// Reads the text of a link. Returns `None` if the name is not a link.
fn link(folder: BorrowedFd<'_>, name: &OsStr) -> Result<Option<OsString>, Refused> {
    match readlinkat(folder, name, Vec::new()) {
        Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()))),
        Err(Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether an item has the path. A link is not followed.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Returns the metadata of the target of a path.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// Returns true. Most of these systems are case-sensitive; a case-insensitive disk of macOS is not checked.
pub fn is_named_so(_: &Path) -> bool {
    true
}

/// Resolves every link of a path.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    identity: Identity,
    len: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Reads the version of a file from its metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            identity: (metadata.dev(), metadata.ino()),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns the time of the last change, in seconds and nanoseconds since 1970. Unlike the time of the
    /// last write, a program cannot set it back.
    pub fn time(&self) -> (i64, i64) {
        self.changed
    }
}

/// Returns whether the error says that a folder, a pipe or a device was read.
pub fn is_not_a_file(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error().map(Errno::from_raw_os_error),
        Some(Errno::ISDIR | Errno::SPIPE | Errno::NXIO | Errno::NODEV)
    )
}
