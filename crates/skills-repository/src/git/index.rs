//! Git's index: the files that a repository tracks, and their modes.

use crate::git::folder::{bytes, git_folder};
use std::io;
use std::path::{Path, PathBuf};

/// The file, in the folder of a working tree's own files.
const FILE: &str = "index";
/// Largest index that is read: about two million files.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// Bytes of an entry before its path: times, identity, mode, owner, length, digest, flags.
const FIXED: usize = 62;
/// Where the mode of an entry is.
const MODE: std::ops::Range<usize> = 24..28;
/// The bit of the flags that says that two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;

/// The tracked files of a repository.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The paths, sorted, and whether each file has its run bit.
    files: Vec<(String, bool)>,
}

impl Index {
    /// Reads the index of a repository.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be read: it is missing, too large, not a file, or of an unknown form.
    pub(crate) fn read(root: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let folder = git_folder(root).unwrap_or_else(|| root.join(".git"));
        let unknown = || io::Error::new(io::ErrorKind::InvalidData, "its form is unknown");
        let mut files = bytes(&folder, FILE, MAX_FILE)
            .and_then(|bytes| read(&bytes).ok_or_else(unknown))
            .map_err(|error| (folder.join(FILE), error))?;
        files.sort_unstable();
        Ok(Self { files })
    }

    /// Whether a file has its run bit; `None` when it is not tracked.
    pub(crate) fn is_runnable(&self, path: &str) -> Option<bool> {
        let at = self.first_from(path);
        let (known, is_runnable) = self.files.get(at)?;
        (known == path).then_some(*is_runnable)
    }

    /// Whether a file, or a file below a folder, is tracked.
    pub(crate) fn tracks(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let holds = |at: usize| {
            let file = self.files.get(at);
            file.is_some_and(|(known, _)| known == path || known.starts_with(&below))
        };
        holds(self.first_from(path)) || holds(self.first_from(&below))
    }

    fn first_from(&self, path: &str) -> usize {
        self.files
            .partition_point(|(known, _)| known.as_str() < path)
    }
}

fn read(bytes: &[u8]) -> Option<Vec<(String, bool)>> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    let count = number(bytes.get(8..)?)?;
    let mut rest = bytes.get(12..)?;
    let mut files: Vec<(String, bool)> = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags = rest.get(FIXED - 2..FIXED)?;
        let flags = u16::from_be_bytes(flags.try_into().ok()?);
        let fixed = FIXED
            + if version > 2 && flags & EXTENDED != 0 {
                2
            } else {
                0
            };
        let entry = rest.get(fixed..)?;
        let used = if version == 4 {
            // A path is the previous one without its last bytes, and then new bytes.
            let (cut, length) = varint(entry)?;
            let new = entry.get(length..)?;
            let end = memchr(new)?;
            last.truncate(last.len().checked_sub(cut)?);
            last.extend(new.get(..end)?);
            fixed + length + end + 1
        } else {
            let end = memchr(entry)?;
            last = entry.get(..end)?.to_vec();
            // Entries are padded to a multiple of eight bytes, with one zero at least.
            (fixed + end + 8) / 8 * 8
        };
        let is_runnable = number(rest.get(MODE)?)? & 0o111 != 0;
        files.push((String::from_utf8_lossy(&last).into_owned(), is_runnable));
        rest = rest.get(used..)?;
    }
    Some(files)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

/// A number in git's variable width, and how many bytes it takes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
