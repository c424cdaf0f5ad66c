//! Git's index: the files that a repository tracks, and their modes.

use crate::git::folder::{bytes, git_folder, root_of};
use skills_format::disk::is_absent;
use skills_format::join;
use skills_format::text::path::PathText as _;
use skills_format::tree::is_skill_file_of_any_case;
use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the index, in the git folder of a working tree.
const FILE: &str = "index";
/// Maximum size of an index: about two million files.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// The tracked files of a repository.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The paths, sorted, each with `true` if the file is executable.
    files: Vec<(String, bool)>,
}

impl Index {
    /// Reads the index of a repository. Split indexes and repositories with SHA-256 have an unknown form.
    ///
    /// # Errors
    ///
    /// The path of the index, and the reason: missing, too large, not a file, or an unknown form.
    pub(crate) fn read(root: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let folder = git_folder(root).unwrap_or_else(|| root.join(".git"));
        let unknown = || io::Error::new(io::ErrorKind::InvalidData, "its form is unknown");
        let mut files = bytes(&folder, FILE, MAX_FILE)
            .and_then(|bytes| entries(&bytes).ok_or_else(unknown))
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
    fn tracks_skill(&self, folder: &str) -> bool {
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        self.files[self.first_from(&below)..]
            .iter()
            .take_while(|(path, _)| path.starts_with(&below))
            .any(|(path, _)| is_skill_file_of_any_case(path))
    }

    /// At most the number of files.
    fn first_from(&self, path: &str) -> usize {
        self.files
            .partition_point(|(known, _)| known.as_str() < path)
    }
}

/// The size of an entry before its path: times, identity, mode, owner, length, the id of its object, and flags.
const FIXED: usize = 62;
/// The bytes of the mode and of the flags in an entry.
const MODE: std::ops::Range<usize> = 24..28;
const FLAGS: std::ops::Range<usize> = 60..62;
/// The flag of an entry that has two more bytes of flags.
const EXTENDED: u16 = 0x4000;
/// The length of the checksum at the end.
const CHECKSUM: usize = 20;

/// Reads the entries of an index. Returns `None` if its form is unknown.
fn entries(bytes: &[u8]) -> Option<Vec<(String, bool)>> {
    let version = number(bytes.strip_prefix(b"DIRC")?)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = number(bytes.get(8..)?)?;
    let mut rest = bytes.get(12..bytes.len().checked_sub(CHECKSUM)?)?;
    let mut entries = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let flags = u16::from_be_bytes(rest.get(FLAGS)?.try_into().ok()?);
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
            let end = new.iter().position(|byte| *byte == 0)?;
            last.truncate(last.len().checked_sub(cut)?);
            last.extend(new.get(..end)?);
            fixed + length + end + 1
        } else {
            let end = entry.iter().position(|byte| *byte == 0)?;
            last = entry.get(..end)?.to_vec();
            // An entry is padded to a multiple of eight bytes, with at least one zero byte.
            (fixed + end + 8) / 8 * 8
        };
        let path = String::from_utf8_lossy(&last).into_owned();
        entries.push((path, number(rest.get(MODE)?)? & 0o111 != 0));
        rest = rest.get(used..)?;
    }
    while !rest.is_empty() {
        let name = rest.get(..4)?;
        let length = usize::try_from(number(rest.get(4..)?)?).ok()?;
        // As in git: what begins with a lower-case letter must be understood. `sdir` says that entries can be folders,
        // and `link` that the index is split.
        if name != b"sdir" && !name.first()?.is_ascii_uppercase() {
            return None;
        }
        rest = rest.get(8..)?.get(length..)?;
    }
    Some(entries)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
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

/// The skills that the repository of a folder tracks.
#[derive(Debug)]
pub struct TrackedSkills {
    /// The root of the repository, and the path of the folder in it. `None` outside of repositories.
    place: Option<(PathBuf, String)>,
    /// The tracked files, read at the first question: most folders hold no folder to ask about. Or the path of an index
    /// that cannot be read, and the reason.
    index: OnceCell<Result<Index, (PathBuf, String)>>,
}

impl TrackedSkills {
    /// Finds the repository that holds a folder.
    pub fn of(folder: &Path) -> Self {
        let root = root_of(folder);
        let place = root.and_then(|root| {
            let below = folder.strip_prefix(root).ok()?;
            Some((root.to_owned(), below.shown().into_owned()))
        });
        Self {
            place,
            index: OnceCell::new(),
        }
    }

    /// Returns whether git tracks a `SKILL.md` in or below a path, which is relative to the folder. Without a readable
    /// index nothing is tracked: see [`TrackedSkills::fault`].
    pub fn holds(&self, path: &str) -> bool {
        let Some((root, above)) = &self.place else {
            return false;
        };
        let index = self.index.get_or_init(|| match Index::read(root) {
            // Nothing was added so far.
            Err((_, error)) if is_absent(&error) => Ok(Index::default()),
            Err((path, error)) => Err((path, error.to_string())),
            Ok(index) => Ok(index),
        });
        let index = index.as_ref().ok();
        index.is_some_and(|index| index.tracks_skill(&join(above, path)))
    }

    /// Returns the path of git's index and the reason why it cannot be read, if something was asked of it.
    pub fn fault(&self) -> Option<(&Path, &str)> {
        let (path, reason) = self.index.get()?.as_ref().err()?;
        Some((path, reason))
    }
}
