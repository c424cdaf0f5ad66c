//! Lists and reads the files of a source that is a folder.

use crate::files::copy::{is_absent, list};
use crate::files::executable::is_executable;
use crate::files::snapshot::reading::read_file;
use crate::files::snapshot::{FileBytes, MAX_BYTES, is_skill_file};
use crate::review::item::{Item, ItemKind, MAX_ITEMS, path_of};
use skills_format::disk::{Folder, resolve};
use skills_format::prose;
use skills_format::text::path::PathText as _;
use skills_format::tree::filled::{is_filled_name, names_filled};
use skills_repository::TrackedSkills;
use skills_store::{Error, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the files of the skills in a folder, from `start` down. Links are listed and not followed. Skips `.git`, and
/// outside of skills also folders that programs fill, unless git tracks a skill in them or they are skills themselves.
/// Files whose path `also` accepts are listed outside of skills too, and, if it is given, all links.
pub(crate) fn walk(
    root: &Path,
    start: &str,
    also: Option<&dyn Fn(&str) -> bool>,
) -> Result<Vec<Item>, Error> {
    let first = root.join(start);
    let leaves = match resolve(&first) {
        Ok(real) => !real.starts_with(root),
        // Nothing is listed then.
        Err(error) if is_absent(&error) => false,
        Err(error) => return Err(Error::io(&first, "cannot be read", error)),
    };
    if leaves {
        let message = prose!("{} is a link that leaves the source", &first);
        return Err(Error::new(ErrorKind::Refused, message).help("name the folder itself"));
    }
    let mut walk = Walk {
        root,
        start,
        also,
        tracked: TrackedSkills::of(root),
        items: Vec::new(),
        folders: vec![(PathBuf::from(start), false)],
    };
    while let Some((folder, is_in_skill)) = walk.folders.pop() {
        walk.list(&folder, is_in_skill)?;
        if walk.items.len() > MAX_ITEMS {
            return Ok(walk.items);
        }
    }
    if let Some((index, reason)) = walk.tracked.fault() {
        // A skill that git tracks in such a folder would be missing in silence.
        let message = prose!(
            "git's index {} cannot be read, so the skills that git tracks in `target` and `node_modules` are unknown: {reason}",
            index
        );
        let help = "`git ls-files` shows whether git can read it; if not, `git read-tree HEAD` writes it anew, without what was staged";
        return Err(Error::new(ErrorKind::Refused, message).help(help));
    }
    walk.items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.items)
}

/// A walk through a folder.
struct Walk<'w> {
    root: &'w Path,
    /// The folder that the caller names, in the root.
    start: &'w str,
    /// Returns whether a file outside of skills is listed too, by its path.
    also: Option<&'w dyn Fn(&str) -> bool>,
    tracked: TrackedSkills,
    items: Vec<Item>,
    /// The folders that are not yet listed, and whether they are in a skill. Their names need not be UTF-8: a folder is opened
    /// again by its path.
    folders: Vec<(PathBuf, bool)>,
}

impl Walk<'_> {
    fn list(&mut self, folder: &Path, is_in_skill: bool) -> Result<(), Error> {
        let entries = list(&self.root.join(folder))?;
        let is_in_skill = is_in_skill || entries.iter().any(|(name, _)| is_skill_file(name));
        for (name, path) in entries {
            let kind = fs::symlink_metadata(&path)
                .map_err(|error| Error::io(&path, "cannot be read", error))?;
            if kind.is_dir() {
                let below = folder.join(path.file_name().unwrap_or_default());
                if name != ".git" && (is_in_skill || self.enters(&below, &path)) {
                    self.folders.push((below, is_in_skill));
                }
            } else if is_in_skill
                || self
                    .also
                    .is_some_and(|also| also(&path_text(self.root, &path)))
                || (self.also.is_some() && kind.is_symlink())
            {
                let path = path_bytes(self.root, &path);
                let kind = kind_of(&kind);
                self.items.push(Item { path, kind });
            }
            if self.items.len() > MAX_ITEMS {
                break;
            }
        }
        Ok(())
    }

    /// Returns whether a folder outside of skills is entered: a folder that programs fill only if it is a skill itself, or on
    /// the way to a skill that git tracks.
    fn enters(&self, below: &Path, path: &Path) -> bool {
        let below_start = below.strip_prefix(self.start).unwrap_or(below).shown();
        if !names_filled(&below_start) {
            return true;
        }
        let is_skill = || {
            let items = list(path);
            items.is_ok_and(|items| items.iter().any(|(name, _)| is_skill_file(name)))
        };
        let name = below.file_name().unwrap_or_default();
        is_filled_name(name) && is_skill() || self.tracked.holds(&below.shown())
    }
}

fn kind_of(file: &fs::Metadata) -> ItemKind {
    if file.is_symlink() {
        ItemKind::Link
    } else if file.is_file() {
        let executable = is_executable(file);
        ItemKind::File { executable }
    } else {
        ItemKind::Other
    }
}

fn path_text(root: &Path, path: &Path) -> String {
    String::from_utf8_lossy(&path_bytes(root, path)).into_owned()
}

fn path_bytes(root: &Path, path: &Path) -> Vec<u8> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<&[u8]> = relative
        .components()
        .map(|part| part.as_os_str().as_encoded_bytes())
        .collect();
    parts.join(&b'/')
}

/// Reads files of a folder. A link that leads out of the folder is refused, also one that has replaced a listed file.
pub(crate) fn read_files(root: &Path, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
    let folder = Folder::open(root).map_err(|error| Error::io(root, "cannot be read", error))?;
    let mut left = MAX_BYTES;
    let mut files = Vec::new();
    for path in paths {
        let path = path_of(path);
        let file = folder.file_within(&path);
        let path = root.join(&path);
        let file = file.map_err(|refused| Error::io(&path, "cannot be read", refused.into()))?;
        let file = read_file(file, &path, left)?;
        left -= file.bytes.len() as u64;
        files.push(file);
    }
    Ok(files)
}
