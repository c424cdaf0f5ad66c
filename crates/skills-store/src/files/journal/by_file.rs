//! Moves and removes single files of a skill whose folder cannot be renamed.

use crate::error::{Error, ErrorKind};
use crate::files::folder::{Obstacle, OpenFolder};
use skills_format::disk::Kind;
use std::path::Path;

/// The way in which a file was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The file was renamed, now or before.
    Whole,
    /// The file was copied, since the skill's folder is a mount of its own. The original still exists.
    Copied,
}

/// Moves one file to its place in a folder, over an existing item. A missing file was moved before.
pub(crate) fn move_file(from: &OpenFolder, to: &OpenFolder, path: &str) -> Result<Moved, Error> {
    let path = Path::new(path);
    let (above, name) = (path.parent(), path.file_name().unwrap_or_default());
    let above = above.unwrap_or(Path::new(""));
    let from = match from.below(above) {
        Err(error) if error.is_not_found() => return Ok(Moved::Whole),
        from => from?,
    };
    if !from.is_there(name)? {
        return Ok(Moved::Whole);
    }
    let to = to.make_below(above, Obstacle::Removed)?;
    // A rename replaces a file, but not a folder.
    if to.kind(name)? == Some(Kind::Folder) {
        to.remove(name)?;
    }
    match from.rename(name, &to, name) {
        Err(error) if matches!(error.kind(), ErrorKind::CrossesDevices) => {
            from.copy(name, &to, name).map(|()| Moved::Copied)
        }
        renamed => renamed.map(|()| Moved::Whole),
    }
}

/// Removes a file of a folder, and its parent folders if they become empty.
pub(crate) fn remove_file(root: &OpenFolder, path: &Path) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default();
    let above = path.parent().unwrap_or(Path::new(""));
    root.below(above)?.remove(name)?;
    for path in above.ancestors() {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            break;
        };
        // The folder is not empty, or cannot be removed, which is harmless.
        if root.below(above)?.folder().remove_folder(name).is_err() {
            break;
        }
    }
    Ok(())
}
