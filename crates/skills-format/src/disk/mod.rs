//! Open folders and files. A path that is opened relative to an open folder cannot lead out of the
//! folder.
//!
//! A [`Folder`] stays the same folder when its path leads elsewhere. Files are written whole: a new
//! file is written and renamed ([`Folder::replace`], [`Folder::make`]).

mod bytes;
mod new;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod posix;

pub use bytes::{read_into, read_regular, read_text};

#[cfg(not(unix))]
pub use portable::*;
#[cfg(unix)]
pub use posix::*;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

impl Folder {
    /// Opens a folder below this one. A link is refused, wherever it leads.
    pub fn folder_below(&self, path: &Path) -> Result<Self, Refused> {
        let mut folder = self.again().map_err(Refused::Io)?;
        for component in path.components() {
            match component {
                Component::Normal(name) => folder = folder.child(name)?,
                Component::CurDir => {}
                _ => return Err(Refused::Escape),
            }
        }
        Ok(folder)
    }

    /// Opens a folder of this folder, and lists the folder as [`Folder::items`] does. A link is refused.
    pub fn listed_child(&self, name: &OsStr, limit: usize) -> Result<(Self, Vec<Item>), Refused> {
        let folder = self.child(name)?;
        let items = folder.items(limit).map_err(Refused::Io)?;
        Ok((folder, items))
    }

    /// Creates a folder in this folder, or opens the existing folder. A link is refused.
    pub fn make_child(&self, name: &OsStr) -> Result<Self, Refused> {
        // `child` opens what now has the name: if a link took the name meanwhile, it is refused.
        match self.create_folder(name) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Refused::Io(error)),
            _ => self.child(name),
        }
    }

    /// Opens a file below this folder. A link is refused, wherever it leads.
    pub fn file_below(&self, path: &Path) -> Result<File, Refused> {
        let name = path.file_name().ok_or(Refused::Escape)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        self.folder_below(folder)?.child_file(name)
    }
}

/// Resolves every link of a path. Returns a path that cannot be resolved unchanged.
pub fn resolved(path: &Path) -> PathBuf {
    resolve(path).unwrap_or_else(|_| path.to_owned())
}

/// Resolves every link of a path that may not exist yet: those of its nearest existing folder.
pub fn resolved_ahead(path: &Path) -> PathBuf {
    let mut above = path.ancestors();
    let found =
        above.find_map(|above| Some((resolve(above).ok()?, path.strip_prefix(above).ok()?)));
    match found {
        // Joining an empty path would add a separator.
        Some((real, below)) if below.as_os_str().is_empty() => real,
        Some((real, below)) => real.join(below),
        None => path.to_owned(),
    }
}

/// One item of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item {
    /// The name in the folder.
    pub name: OsString,
    /// The kind of the item.
    pub kind: Kind,
}

/// The kind of an item in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A regular file.
    File,
    /// A pipe, a socket, a device, or an item whose kind is unknown.
    Other,
}

/// The reason why a path was not opened.
#[derive(Debug)]
pub enum Refused {
    /// The path leads out of the folder.
    Escape,
    /// The system's error.
    Io(io::Error),
}

/// The cause of an [`io::Error`] about a path that was not followed, mostly because of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFollowed {
    /// A link is in the place of a file or a folder.
    Link,
    /// The path leads out of the folder.
    Escape,
}

impl NotFollowed {
    /// Returns whether an error has such a cause.
    pub fn is_cause_of(error: &io::Error) -> bool {
        let cause = error.get_ref();
        cause.is_some_and(<dyn std::error::Error + Send + Sync>::is::<Self>)
    }
}

impl fmt::Display for NotFollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Link => "it is a link",
            Self::Escape => "the path leads out of the folder",
        })
    }
}

impl std::error::Error for NotFollowed {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Escape => Self::other(NotFollowed::Escape),
            Refused::Io(error) => error,
        }
    }
}

/// The kind, length and time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileStat {
    /// True if the file is a regular file.
    pub is_file: bool,
    /// The length in bytes.
    pub len: u64,
    /// The time of the last write, in nanoseconds since 1970.
    pub modified: i64,
}

impl FileStat {
    /// Reads kind, length and time from the metadata of an open file.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            is_file: metadata.is_file(),
            len: metadata.len(),
            modified: modified(metadata),
        }
    }
}

/// Returns the time of the last write, in nanoseconds since 1970; 0 if the time is unknown.
pub fn modified(metadata: &Metadata) -> i64 {
    let nanoseconds = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    match metadata
        .modified()
        .map(|time| time.duration_since(UNIX_EPOCH))
    {
        Ok(Ok(after)) => nanoseconds(after),
        Ok(Err(before)) => -nanoseconds(before.duration()),
        Err(_) => 0,
    }
}

/// Returns whether the error says that nothing exists at a path: it is missing, or a part of the path is a file.
pub fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// Returns whether a path is a link whose target is missing.
pub fn leads_nowhere(path: &Path) -> bool {
    path.is_symlink() && metadata(path).is_err_and(|error| is_absent(&error))
}

/// Returns whether the error says that a part of the path is not a folder.
pub fn is_not_a_folder(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make folders")]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> io::Result<(tempfile::TempDir, Folder)> {
        let dir = tempfile::tempdir()?;
        let folder = Folder::open(dir.path())?;
        Ok((dir, folder))
    }

    #[test]
    fn a_folder_is_listed_where_it_is_opened_and_again() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let inner = folder.make_child("inner".as_ref())?;
        // More names than one call of the system lists.
        for n in 0..2_000 {
            inner.create_new(format!("{n:0100}").as_ref())?;
        }
        let (child, items) = folder.listed_child("inner".as_ref(), 3_000)?;
        assert_eq!(items.len(), 2_000);
        assert_eq!(items, child.items(3_000)?);
        assert_eq!(folder.listed_child("inner".as_ref(), 7)?.1.len(), 7);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("inner", dir.path().join("link"))?;
            assert!(folder.listed_child("link".as_ref(), 1).is_err());
        }
        let _ = dir;
        Ok(())
    }

    #[test]
    fn a_file_is_read_to_its_end() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let name: &OsStr = "file".as_ref();
        for text in ["", "a", "some text"] {
            fs::write(dir.path().join(name), text)?;
            let length = text.len() as u64;
            assert_eq!(
                read_regular(&folder.child_file(name)?, length)?,
                text.as_bytes()
            );
            if length > 0 {
                assert!(read_regular(&folder.child_file(name)?, length - 1).is_err());
            }
        }
        Ok(())
    }

    #[test]
    #[cfg(unix)]
    fn no_folder_and_no_lock_is_made_through_a_link() -> io::Result<()> {
        let (dir, folder) = folder()?;
        let (link, file) = ("link".as_ref(), "file".as_ref());
        std::os::unix::fs::symlink(dir.path().join("kept"), dir.path().join("link"))?;
        assert!(folder.make_child(link).is_err());
        assert_eq!(
            folder
                .lock_file(link)
                .map_err(|error| error.to_string())
                .err(),
            Some("it is a link".to_owned())
        );
        let held = folder.lock_file(file)?;
        assert!(folder.holds(file, &held)?);
        folder.remove(file)?;
        assert!(!folder.holds(file, &held)?);
        folder.lock_file(file)?;
        assert!(!folder.holds(file, &held)?, "another file");
        Ok(())
    }
}
