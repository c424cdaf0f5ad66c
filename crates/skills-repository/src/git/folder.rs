//! The folders of git's own files.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the folder of git's own files"
)]

use skills_format::disk::{Folder, Refused, read_regular, read_text};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a working tree's own files: `.git`, or what a file `.git` names (a linked worktree, a
/// submodule).
pub(crate) fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = read_text(&git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

/// The folder of the files that the worktrees of a repository share.
pub(crate) fn shared_folder(root: &Path) -> Option<PathBuf> {
    let git = git_folder(root)?;
    match read_text(&git.join("commondir")) {
        Ok(common) => Some(git.join(common.trim())),
        Err(_) => Some(git),
    }
}

/// Reads a file below a folder. As in git, no link is followed; a pipe is not waited for.
pub(crate) fn bytes(folder: &Path, path: &str, max: u64) -> io::Result<Vec<u8>> {
    bytes_below(&Folder::open(folder)?, path, max)
}

/// The same below an open folder.
pub(crate) fn bytes_below(folder: &Folder, path: &str, max: u64) -> io::Result<Vec<u8>> {
    match folder.file_below(Path::new(path)) {
        Ok(file) => read_regular(&file, max),
        Err(Refused::Io(error)) => Err(error),
        Err(refused) => Err(refused.into()),
    }
}
