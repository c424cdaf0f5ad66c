//! The commit of a repository's `HEAD`.

use crate::git::folder::{bytes, git_folder, shared_folder};
use std::path::Path;

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
