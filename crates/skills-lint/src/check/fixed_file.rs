//! The files that a fix creates or rewrites, beside the file of its finding.

use skills_format::diagnostic::FixedFile;
use skills_format::tree::{FileKind, TreeFile, join};

/// Puts the file of a fix among the files of a tree. Returns the path of the file.
pub(crate) fn put(files: &mut Vec<TreeFile>, beside: &str, other: &FixedFile) -> String {
    let folder = beside.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = join(folder, &other.path);
    let new = TreeFile {
        path: path.clone(),
        utf8: true,
        kind: FileKind::Regular,
        size: u64::try_from(other.text.len()).unwrap_or(u64::MAX),
        bytes: Some(other.text.clone().into_bytes()),
    };
    match files.binary_search_by(|file| file.path.as_bytes().cmp(path.as_bytes())) {
        Ok(at) => files.splice(at..=at, [new]).for_each(drop),
        Err(at) => files.insert(at, new),
    }
    path
}
