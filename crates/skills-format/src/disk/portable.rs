//! Open folders by path, on systems without `openat`.
//!
//! A path that must stay below a folder is resolved before it is opened and again afterwards. A link can
//! be swapped in between the two checks. On POSIX systems (`posix.rs`) such a swap has no effect.

#![expect(
    clippy::disallowed_methods,
    reason = "the one place that opens folders and files"
)]

use crate::disk::new::Locked;
use crate::disk::{FileStat, Item, Kind, NotFollowed, Refused};
use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The age from which a temporary file counts as left by a killed program.
const LEFT: Duration = Duration::from_secs(60 * 60);
/// The maximum number of tries, and the time between two tries: two seconds together.
const TRIES: u32 = 200;
const WAIT: Duration = Duration::from_millis(10);

/// A folder, by its path.
#[derive(Debug)]
pub struct Folder(PathBuf);

/// The path with every link resolved: equal for all paths to one folder.
pub type Identity = PathBuf;

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Folder {
    /// Opens a folder by a trusted path. Links are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self(path.to_owned()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Returns the path by which the folder was opened.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Opens a folder relative to this one. Links are followed anywhere.
    pub fn folder(&self, path: &Path) -> io::Result<Self> {
        Self::open(&self.0.join(path))
    }

    /// Opens a file relative to this folder. Links are followed anywhere.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        File::open(self.0.join(path))
    }

    /// Opens a folder below this one. A link that leads out of this folder is refused.
    pub fn folder_within(&self, path: &Path) -> Result<Self, Refused> {
        self.check(path)?;
        Ok(self.folder(path)?)
    }

    /// Opens a file below this folder. A link that leads out of this folder is refused.
    pub fn file_within(&self, path: &Path) -> Result<File, Refused> {
        self.check(path)?;
        let file = self.file(path)?;
        self.check(path)?;
        Ok(file)
    }

    /// Opens a folder of this folder. A link is refused.
    pub fn child(&self, name: &OsStr) -> Result<Self, Refused> {
        Ok(self.folder(self.unlinked(name)?)?)
    }

    /// Opens a file of this folder. A link is refused.
    pub fn child_file(&self, name: &OsStr) -> Result<File, Refused> {
        Ok(self.file(self.unlinked(name)?)?)
    }

    fn unlinked<'n>(&self, name: &'n OsStr) -> Result<&'n Path, Refused> {
        let path = Path::new(name);
        if !path.components().eq([Component::Normal(name)]) {
            return Err(Refused::Escape);
        }
        if fs::symlink_metadata(self.0.join(path))?.is_symlink() {
            return Err(Refused::Io(io::Error::other(NotFollowed::Link)));
        }
        Ok(path)
    }

    /// Returns the identity of this folder.
    pub fn identity(&self) -> io::Result<Identity> {
        fs::canonicalize(&self.0)
    }

    /// Opens this folder again.
    pub fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    /// Creates a file. The name must be free; a link at the name is not followed.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// Creates a folder. The name must be free.
    pub fn create_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    /// Moves an item of this folder to a name in a folder. An existing file is replaced.
    pub fn rename(&self, from: &OsStr, folder: &Self, to: &OsStr) -> io::Result<()> {
        patient(|| fs::rename(self.0.join(from), folder.0.join(to)))
    }

    /// Renames an item of this folder to a name that must be free.
    pub(super) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.rename_if_free(from, to)
    }

    /// Opens the lock file of this name, and creates the file if it is missing.
    ///
    /// # Errors
    ///
    /// `InvalidInput`: the name is a link, a pipe or a device.
    pub fn lock_file(&self, name: &OsStr) -> io::Result<File> {
        let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
        let path = self.0.join(name);
        if path.is_symlink() {
            return Err(invalid("it is a link"));
        }
        let mut options = File::options();
        options.create(true).truncate(false).read(true).write(true);
        set_flags(&mut options);
        let file = options.open(path)?;
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(invalid("it is not a file"))
        }
    }

    /// Returns whether the name exists. An open lock file cannot be removed here, so an existing name is
    /// the open file ([`Folder::lock_file`]).
    pub fn holds(&self, name: &OsStr, _: &File) -> io::Result<bool> {
        Ok(self.kind(name)?.is_some())
    }

    /// Returns the kind of an item; `None` if the item is missing. A link is not followed.
    pub fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(metadata) => Ok(Some(kind(metadata.file_type()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a file or a link of this folder.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// Removes an empty folder of this folder.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    fn check(&self, path: &Path) -> Result<(), Refused> {
        let leads_out = |component| !matches!(component, Component::Normal(_) | Component::CurDir);
        if path.components().any(leads_out) {
            return Err(Refused::Escape);
        }
        let base = fs::canonicalize(&self.0)?;
        if fs::canonicalize(self.0.join(path))?.starts_with(&base) {
            Ok(())
        } else {
            Err(Refused::Escape)
        }
    }

    /// Lists the folder in the order of the names' bytes: at most `limit` names.
    pub fn items(&self, limit: usize) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for entry in fs::read_dir(&self.0)?.take(limit) {
            let entry = entry?;
            items.push(Item {
                name: entry.file_name(),
                kind: entry.file_type().map_or(Kind::Other, kind),
            });
        }
        items.sort_unstable_by(|a, b| a.name.as_encoded_bytes().cmp(b.name.as_encoded_bytes()));
        Ok(items)
    }

    /// Reads the text of a link.
    pub fn link(&self, name: &Path) -> io::Result<PathBuf> {
        fs::read_link(self.0.join(name))
    }

    /// Returns the kind, length and time of an item. A link is not followed.
    pub fn stat(&self, name: &Path) -> io::Result<FileStat> {
        Ok(FileStat::of(&fs::symlink_metadata(self.0.join(name))?))
    }
}

fn kind(found: FileType) -> Kind {
    match found {
        found if found.is_symlink() => Kind::Link,
        found if found.is_dir() => Kind::Folder,
        found if found.is_file() => Kind::File,
        _ => Kind::Other,
    }
}

#[cfg(windows)]
fn set_flags(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// Opens the link instead of its target. A link is not a regular file, and the caller refuses it.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    /// Lets other programs read and write, but not delete: an open lock file cannot be removed.
    const SHARE_READ_WRITE: u32 = 0x0000_0003;
    options.custom_flags(OPEN_REPARSE_POINT);
    options.share_mode(SHARE_READ_WRITE);
}

#[cfg(not(windows))]
fn set_flags(_: &mut OpenOptions) {}

/// Without locks, age decides: an old temporary item was left by a killed program.
impl Locked for File {
    fn hold(&self) -> bool {
        true
    }

    fn is_left(&self) -> bool {
        self.metadata().is_ok_and(|metadata| is_old(&metadata))
    }
}

impl Locked for Folder {
    fn hold(&self) -> bool {
        true
    }

    fn is_left(&self) -> bool {
        fs::metadata(&self.0).is_ok_and(|metadata| is_old(&metadata))
    }
}

fn is_old(metadata: &fs::Metadata) -> bool {
    let age = metadata.modified().map(|time| time.elapsed());
    matches!(age, Ok(Ok(age)) if age > LEFT)
}

/// Repeats `work` for up to two seconds while Windows reports that the file or folder is in use. Virus
/// scanners and readers keep new files open for a moment.
pub fn patient<T>(work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..TRIES {
        match work() {
            Err(error) if is_in_use(&error) => std::thread::sleep(WAIT),
            done => return done,
        }
    }
    work()
}

fn is_in_use(error: &io::Error) -> bool {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    // A removed file stays in its folder until the last program closes the file.
    const FOLDER_NOT_EMPTY: i32 = 145;
    let codes = [ACCESS_DENIED, SHARING_VIOLATION, FOLDER_NOT_EMPTY].map(Some);
    cfg!(windows) && codes.contains(&error.raw_os_error())
}

/// Returns the identity of the folder that a path leads to.
pub fn identity(path: &Path) -> io::Result<Identity> {
    fs::canonicalize(path)
}

/// Returns whether an item has the path. A link is not followed.
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Returns the metadata of the target of a path.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// Returns whether the item on the disk has exactly the name at the end of the path. On case-insensitive
/// file systems, `SKILL.md` also opens `skill.md`.
pub fn is_named_so(path: &Path) -> bool {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    is_link || fs::canonicalize(path).map_or(true, |real| real.file_name() == path.file_name())
}

/// Resolves every link of a path.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let resolved = fs::canonicalize(path)?;
    // Without the prefix of long paths on Windows (`\\?\`), which most programs cannot read.
    let plain = resolved
        .to_str()
        .and_then(|text| text.strip_prefix(r"\\?\"));
    Ok(match plain {
        Some(plain) if plain.as_bytes().get(1) == Some(&b':') => plain.into(),
        _ => resolved,
    })
}

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: i64,
}

impl Stamp {
    /// Reads the version of a file from its metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: crate::disk::modified(metadata),
        }
    }

    /// Returns the time of the last change, in seconds and nanoseconds since 1970.
    pub fn time(&self) -> (i64, i64) {
        const SECOND: i64 = 1_000_000_000;
        (
            self.modified.div_euclid(SECOND),
            self.modified.rem_euclid(SECOND),
        )
    }
}

/// Returns whether the error says that the path is not a regular file.
pub fn is_not_a_file(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::IsADirectory
}
