//! The files of a source that is a folder.

use crate::error::{Error, ErrorKind};
use crate::files::snapshot::{self, FileBytes, MAX_BYTES};
use crate::files::store::list;
use crate::install::item::{Item, ItemKind, MAX_ITEMS, SKILL_FILE, joined};
use skills_format::disk::Folder;
use std::fs;
use std::path::Path;

/// Lists a folder from `start` down. Links are listed, not followed; `.git` is left out, as are the
/// folders above the skills that tools fill.
pub(crate) fn walk(root: &Path, start: &str) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    let first = root.join(start);
    if first
        .canonicalize()
        .is_ok_and(|first| !first.starts_with(root))
    {
        let message = format!("{} is a link that leaves the source", first.display());
        return Err(Error::new(ErrorKind::Refused, message).help("name the folder itself"));
    }
    let mut folders = vec![(start.to_owned(), false)];
    while let Some((folder, in_skill)) = folders.pop() {
        let entries = list(&root.join(&folder))?;
        let in_skill = in_skill || entries.iter().any(|(name, _)| name == SKILL_FILE);
        for (name, path) in entries {
            let below = String::from_utf8_lossy(&joined(&folder, &name)).into_owned();
            let kind = fs::symlink_metadata(&path)
                .map_err(|error| Error::io(&path, "cannot be read", error))?;
            if kind.is_dir() {
                let is_filled = !in_skill && (name == "node_modules" || name == "target");
                if name != ".git" && !is_filled {
                    folders.push((below, in_skill));
                }
                continue;
            }
            if !in_skill {
                continue;
            }
            items.push(Item {
                path: path_bytes(root, &path),
                kind: if kind.is_symlink() {
                    ItemKind::Link
                } else if kind.is_file() {
                    ItemKind::File {
                        executable: snapshot::is_executable(&kind),
                    }
                } else {
                    ItemKind::Other
                },
            });
            if items.len() > MAX_ITEMS {
                return Ok(items);
            }
        }
    }
    items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(items)
}

fn path_bytes(root: &Path, path: &Path) -> Vec<u8> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<&[u8]> = relative
        .components()
        .map(|part| part.as_os_str().as_encoded_bytes())
        .collect();
    parts.join(&b'/')
}

/// Reads files of a folder. A link that leads out of the folder is refused, also when it has taken the
/// place of what was listed.
pub(crate) fn read_files(root: &Path, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
    let folder = Folder::open(root).map_err(|error| Error::io(root, "cannot be read", error))?;
    let mut left = MAX_BYTES;
    let mut files = Vec::new();
    for path in paths {
        let path = String::from_utf8_lossy(path);
        let file = folder.file_within(Path::new(path.as_ref()));
        let path = root.join(path.as_ref());
        let file = file.map_err(|refused| Error::io(&path, "cannot be read", refused.into()))?;
        let file = snapshot::read_file(file, &path, left)?;
        left -= file.bytes.len() as u64;
        files.push(file);
    }
    Ok(files)
}
