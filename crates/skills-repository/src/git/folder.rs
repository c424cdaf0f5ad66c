//! Locates git's own folder and reads files in it.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the folder of git's own files"
)]

use skills_format::disk::{Folder, Refused, read_regular, read_text};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the folder of a working tree's own git files: `.git`, or the folder that a `.git` file names
/// (linked worktrees, submodules).
pub(crate) fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = read_text(&git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

/// Returns the git folder that all worktrees of a repository share.
pub(crate) fn shared_folder(root: &Path) -> Option<PathBuf> {
    let git = git_folder(root)?;
    match read_text(&git.join("commondir")) {
        Ok(common) => Some(git.join(common.trim())),
        Err(_) => Some(git),
    }
}

/// Reads a file below a folder, at most `max` bytes. Follows no link, like git, and does not wait for a pipe.
pub(crate) fn bytes(folder: &Path, path: &str, max: u64) -> io::Result<Vec<u8>> {
    bytes_below(&Folder::open(folder)?, path, max)
}

/// Reads a file below an open folder, as [`bytes`] does.
pub(crate) fn bytes_below(folder: &Folder, path: &str, max: u64) -> io::Result<Vec<u8>> {
    match folder.file_below(Path::new(path)) {
        Ok(file) => read_regular(&file, max),
        Err(Refused::Io(error)) => Err(error),
        Err(refused) => Err(refused.into()),
    }
}
