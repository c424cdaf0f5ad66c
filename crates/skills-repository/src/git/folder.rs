//! Git's own folder: the files in it, and the commit of `HEAD`.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the folder of git's own files"
)]

use skills_format::disk::{Folder, Refused, read_regular, read_text};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the root of the repository that holds a folder.
pub(crate) fn root_of(folder: &Path) -> Option<&Path> {
    let mut above = folder.ancestors();
    above.find(|folder| folder.join(".git").exists())
}

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

/// The maximum length of `HEAD` and of a file of one reference, in bytes.
const MAX_REF: u64 = 4096;
/// The maximum length of `packed-refs`, in bytes.
const MAX_PACKED: u64 = 16 * 1024 * 1024;

/// Returns the id of the commit that is checked out. Returns `None` before the first commit, and for a repository
/// whose references are not files.
pub(crate) fn commit(root: &Path) -> Option<String> {
    let text = |folder: &Path, path: &str, max: u64| {
        String::from_utf8(bytes(folder, path, max).ok()?).ok()
    };
    let head = text(&git_folder(root)?, "HEAD", MAX_REF)?;
    let head = head.trim();
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else {
        return is_id(head).then(|| head.to_owned());
    };
    let shared = shared_folder(root)?;
    let loose = text(&shared, name, MAX_REF);
    if let Some(id) = loose.as_deref().map(str::trim) {
        return is_id(id).then(|| id.to_owned());
    }
    let packed = text(&shared, "packed-refs", MAX_PACKED)?;
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    let (id, _) = lines.find(|(_, packed)| *packed == name)?;
    is_id(id).then(|| id.to_owned())
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
