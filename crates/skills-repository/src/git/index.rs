//! Git's index: the files that a repository tracks, and their modes.

use crate::git::folder::{bytes, git_folder};
use skills_format::tree::is_skill_file_of_any_case;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the index, in the git folder of a working tree.
const FILE: &str = "index";
/// Maximum size of an index: about two million files.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// The size of an entry before its path, in bytes: times, identity, mode, owner, length, digest, flags.
const FIXED: usize = 62;
/// The bytes of the mode in an entry.
const MODE: std::ops::Range<usize> = 24..28;
/// The flag of an entry that has two more bytes of flags.
const EXTENDED: u16 = 0x4000;

/// The tracked files of a repository.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The paths, sorted, each with `true` if the file is executable.
    files: Vec<(String, bool)>,
}

impl Index {
    /// Reads the index of a repository.
    ///
    /// # Errors
    ///
    /// The path of the index, and the reason: missing, too large, not a file, or an unknown format.
    pub(crate) fn read(root: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let folder = git_folder(root).unwrap_or_else(|| root.join(".git"));
        let unknown = || io::Error::new(io::ErrorKind::InvalidData, "its form is unknown");
        let mut files = bytes(&folder, FILE, MAX_FILE)
            .and_then(|bytes| read(&bytes).ok_or_else(unknown))
            .map_err(|error| (folder.join(FILE), error))?;
        files.sort_unstable();
        Ok(Self { files })
    }

    /// Returns whether a file is executable, or `None` if git does not track the file.
    pub(crate) fn is_runnable(&self, path: &str) -> Option<bool> {
        let at = self.first_from(path);
        let (known, is_runnable) = self.files.get(at)?;
        (known == path).then_some(*is_runnable)
    }

    /// Returns whether git tracks a file, or a file below a folder.
    pub(crate) fn tracks(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let holds = |at: usize| {
            let file = self.files.get(at);
            file.is_some_and(|(known, _)| known == path || known.starts_with(&below))
        };
        // Two look-ups: `a.md` sorts between `a` and `a/b`, so the files of a folder need not follow its path.
        holds(self.first_from(path)) || holds(self.first_from(&below))
    }

    /// Returns whether git tracks a `SKILL.md` in a folder or below it.
    pub(crate) fn tracks_skill(&self, folder: &str) -> bool {
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let files = self.files.get(self.first_from(&below)..);
        files
            .into_iter()
            .flatten()
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(&below))
            .any(|path| is_skill_file_of_any_case(path))
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
            // Version 4 compresses a path: the previous path without its last `cut` bytes, then the new bytes.
            let (cut, length) = varint(entry)?;
            let new = entry.get(length..)?;
            let end = memchr(new)?;
            last.truncate(last.len().checked_sub(cut)?);
            last.extend(new.get(..end)?);
            fixed + length + end + 1
        } else {
            let end = memchr(entry)?;
            last = entry.get(..end)?.to_vec();
            // An entry is padded to a multiple of eight bytes, with at least one zero byte.
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

/// Decodes an integer in git's variable width, and returns the integer and its length in bytes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = (value << 7) | usize::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        // Git adds one for each continuation byte, so that no value has two encodings.
        value += 1;
    }
    None
}
