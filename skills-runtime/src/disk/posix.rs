//! Open folders, and what is opened relative to them, by POSIX calls.
//!
//! A path that must stay below a folder is walked one name at a time, each relative to the folder
//! opened before it, and no name is followed that is a link: links are read and walked the same way.
//! So what was checked is what is open, however the disk changes meanwhile.

#![expect(clippy::disallowed_methods, reason = "discovery reads folders")]

use crate::disk::{Item, Kind, Look, Refused};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, readlinkat, statat};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Component, Path, PathBuf};

/// As many links as the kernel follows in one path.
const MAX_LINKS: usize = 40;

/// An open folder: stays the same one when its path changes its meaning.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

/// Device and inode: what a folder is, by whatever path.
pub(crate) type Identity = (u64, u64);

impl From<Errno> for Refused {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

impl Folder {
    /// Opens a folder by a path that is trusted to lead where it should.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(rustix::fs::CWD, path, FOLDER, Mode::empty())?))
    }

    /// Opens a folder relative to this one, following links wherever they lead.
    pub(crate) fn folder(&self, path: &Path) -> io::Result<Self> {
        Ok(Self(openat(&self.0, path, FOLDER, Mode::empty())?))
    }

    /// Opens a file relative to this folder, following links wherever they lead. A pipe or a device
    /// does not make it wait.
    pub(crate) fn file(&self, path: &Path) -> io::Result<File> {
        Ok(openat(&self.0, path, FILE, Mode::empty())?.into())
    }

    /// Opens a folder below this one, following links as far as they stay below it.
    pub(crate) fn folder_within(&self, path: &Path) -> Result<Self, Refused> {
        self.within(path, FOLDER).map(Self)
    }

    /// Opens a file below this folder, following links as far as they stay below it.
    pub(crate) fn file_within(&self, path: &Path) -> Result<File, Refused> {
        self.within(path, FILE).map(File::from)
    }

    fn within(&self, path: &Path, flags: OFlags) -> Result<OwnedFd, Refused> {
        let mut pending = Vec::new();
        push(&mut pending, path)?;
        let mut opened: Vec<OwnedFd> = Vec::new();
        let mut links = 0;
        while let Some(step) = pending.pop() {
            let Step::Down(name) = step else {
                opened.pop().ok_or(Refused::Escape)?;
                continue;
            };
            let here = opened.last().map_or(self.0.as_fd(), |fd| fd.as_fd());
            let last = pending.is_empty();
            let flags = if last { flags } else { FOLDER };
            match openat(here, &name, flags | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(fd) => opened.push(fd),
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

    /// What is in the folder, in the order of the names' bytes: at most `limit` names.
    pub(crate) fn items(&self, limit: usize) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => statat(&self.0, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(FileType::Unknown, |stat| {
                        FileType::from_raw_mode(stat.st_mode)
                    }),
                known => known,
            };
            items.push(Item {
                name: OsString::from_vec(name.to_vec()),
                kind: match kind {
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    _ => Kind::Other,
                },
            });
            if items.len() >= limit {
                break;
            }
        }
        items.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(items)
    }

    /// What a name stands for, links not followed.
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_fallible_conversions,
        reason = "the widths differ by platform"
    )]
    pub(crate) fn look(&self, name: &Path) -> io::Result<Look> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let seconds = i64::try_from(stat.st_mtime).unwrap_or(0);
        let nanoseconds = i64::try_from(stat.st_mtime_nsec).unwrap_or(0);
        Ok(Look {
            is_file: FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile,
            len: u64::try_from(stat.st_size).unwrap_or(0),
            modified: seconds
                .saturating_mul(1_000_000_000)
                .saturating_add(nanoseconds),
        })
    }
}

/// What folder a path leads to.
pub(crate) fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
/// No waiting for a pipe's writer, no terminal taken over.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

enum Step {
    Down(OsString),
    Up,
}

/// Puts the names of a path before the pending ones.
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

/// Where a link leads. `None` when it is no link.
fn link(folder: BorrowedFd<'_>, name: &OsString) -> Result<Option<OsString>, Refused> {
    match readlinkat(folder, name, Vec::new()) {
        Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()))),
        Err(Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What a path leads to.
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// A path with every link resolved, where it leads to something.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads bytes at a place of a file. A pipe has no places, and is an error at once.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match file.read_at(buffer, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// What tells one version of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    identity: Identity,
    len: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            identity: (metadata.dev(), metadata.ino()),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Seconds and nanoseconds since 1970 at which the file last became another.
    pub(crate) fn time(&self) -> (i64, i64) {
        self.changed
    }
}

/// Whether the error says that what was read is no file with bytes.
pub(crate) fn is_not_a_file(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error().map(Errno::from_raw_os_error),
        Some(Errno::ISDIR | Errno::SPIPE | Errno::NXIO | Errno::NODEV)
    )
}
