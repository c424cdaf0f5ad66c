//! Writes fixed files back. Each file is replaced as a whole, and a file that changed meanwhile is not
//! replaced.

use crate::outcome::Failure;
use skills_format::disk::{Folder, read_regular};
use skills_format::{Tree, join};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes the `changed` files of a tree. Returns a failure for each file that could not be written, with the path.
/// `before` is the tree as read from the folder, and `shown` is the printed path of the folder.
pub(crate) fn write(
    folder: &Folder,
    shown: &str,
    before: &Tree,
    after: &Tree,
    changed: &[String],
) -> Vec<(String, Failure)> {
    let mut failures = Vec::new();
    for path in changed {
        let Some(new) = bytes(after, path) else {
            continue;
        };
        let written = match bytes(before, path) {
            Some(old) => replace(folder, Path::new(path), old, new),
            None => create(folder, Path::new(path), new),
        };
        if let Err(error) = written {
            let failure = Failure::failed(
                format_args!("cannot fix {}: {error}", join(shown, path)),
                "fix the cause and run the command again",
            );
            failures.push((path.clone(), failure));
        }
    }
    failures
}

fn bytes<'t>(tree: &'t Tree, path: &str) -> Option<&'t [u8]> {
    tree.get(path)?.bytes.as_deref()
}

/// Compares and writes in one open folder, so that no link leads elsewhere.
fn replace(root: &Folder, path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = root.folder_below(path.parent().unwrap_or(Path::new("")))?;
    let file = folder.child_file(name)?;
    let length = u64::try_from(old.len()).unwrap_or(u64::MAX);
    // An editor may have saved the file since the check read it.
    if !read_regular(&file, length).is_ok_and(|now| now == old) {
        return Err(io::Error::other("it was changed meanwhile"));
    }
    let metadata = file.metadata()?;
    let permissions = metadata.permissions();
    // A rename would replace the file all the same: it asks for the rights of the folder alone.
    if permissions.readonly() {
        return Err(io::Error::other("the file is read-only"));
    }
    if names(&metadata) > 1 {
        return Err(io::Error::other(
            "the file has another name (a hard link), which would keep the old text",
        ));
    }
    // Windows does not replace an open file.
    drop(file);
    folder.replace(name, new, Some(permissions))
}

/// Returns the number of hard links of a file.
#[cfg(unix)]
fn names(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &std::fs::Metadata) -> u64 {
    1
}

/// Creates a file, and the folder of the file if it is missing. An existing file is not replaced: the check did not
/// read it.
fn create(root: &Folder, path: &Path, new: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = path.parent().unwrap_or(Path::new(""));
    match root.folder_below(parent) {
        Ok(folder) => folder.create_new(name)?.write_all(new),
        Err(error) => {
            let error = io::Error::from(error);
            let (above, folder) = (parent.parent(), parent.file_name());
            let (Some(above), Some(folder)) = (above, folder) else {
                return Err(error);
            };
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            root.folder_below(above)?.make(folder, name, new)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_other_name_of_a_file_keeps_no_old_text() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        fs::write(at("SKILL.md"), "old").expect("a file");
        fs::hard_link(at("SKILL.md"), at("other")).expect("a link");
        let folder = Folder::open(dir.path()).expect("a folder");
        let write = || replace(&folder, Path::new("SKILL.md"), b"old", b"new");
        let error = write().expect_err("two names");
        assert!(error.to_string().contains("hard link"), "{error}");
        fs::remove_file(at("other")).expect("a file");
        write().expect("one name");
        assert_eq!(fs::read(at("SKILL.md")).expect("a file"), b"new");
    }
}
