//! The files of a skill that the host handed over as bytes.

use crate::error::{Error, ErrorKind};
use skills_format::tree::in_folder;
use skills_format::{Tree, left_out};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of one skill, which never change. The tree holds those of the whole source.
#[derive(Clone, Debug)]
pub(crate) struct MemoryFiles {
    pub(crate) tree: Arc<Tree>,
    /// The skill's folder, relative to the tree's root.
    pub(crate) dir: Box<str>,
    /// The name of the `SKILL.md`, which can differ in case.
    pub(crate) file_name: Box<str>,
    /// The folders of the skills below this one, relative to its folder. Their files are not its own.
    pub(crate) inner: Vec<PathBuf>,
    /// Whether the root is an address, and not a folder where a model finds the files.
    pub(crate) is_address: bool,
}

impl MemoryFiles {
    /// Returns the bytes of a file by its path relative to the skill's folder.
    pub(crate) fn bytes(&self, path: &str) -> Option<&[u8]> {
        if !self.owns(path) {
            return None;
        }
        let path = skills_format::join(&self.dir, path);
        self.tree.get(&path)?.bytes.as_deref()
    }

    /// Reads a file. `SKILL.md` is the file with the instructions, in any case, unless there is a file of exactly this
    /// path.
    pub(crate) fn read(&self, path: &str) -> Result<&[u8], Error> {
        let own = || {
            let is_own = path.eq_ignore_ascii_case(&self.file_name);
            is_own.then(|| self.bytes(&self.file_name)).flatten()
        };
        self.bytes(path).or_else(own).ok_or_else(|| {
            let message = format_args!("the skill has no file '{path}'");
            Error::new(ErrorKind::NotFound, message)
        })
    }

    /// Iterates over the files, each with its path relative to the skill's folder.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.tree.files.iter().filter_map(|file| {
            let path = in_folder(&self.dir, &file.path)?;
            Some((path, file.bytes.as_deref()?))
        });
        files.filter(|(path, _)| self.owns(path))
    }

    /// Iterates over the paths, relative to the skill's folder, and the lengths of the files.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&str, u64)> {
        let has = |path: &str| self.bytes(path).is_some();
        self.iter()
            .filter(move |(path, _)| *path == &*self.file_name || left_out(path, &has).is_none())
            .map(|(path, bytes)| (path, bytes.len() as u64))
    }

    fn owns(&self, path: &str) -> bool {
        let path = Path::new(path);
        !self.inner.iter().any(|inner| path.starts_with(inner))
    }
}
