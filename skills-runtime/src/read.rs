//! Bodies and files of a skill, read when they are asked for.

use crate::entry::{Entry, EntryContent};
use crate::error::{Error, ErrorKind};
use std::borrow::Cow;

/// A file of a skill beside its `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Relative to the skill's folder, with `/`.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
}

impl<'c> Entry<'c> {
    /// The instructions. A bundled skill's are in the program; a folder's are read from disk, and
    /// its front matter checked again: a skill that has another name now is an error.
    pub fn body(&self) -> Result<Cow<'c, str>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => Ok(skill.body().into()),
            #[cfg(feature = "discover")]
            EntryContent::Folder(skill) => crate::discover::body(skill).map(Into::into),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }

    /// The files beside the `SKILL.md`, sorted by path.
    pub fn resources(&self) -> Result<Vec<ResourceInfo>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => Ok(skill
                .files()
                .skip(1)
                .map(|file| ResourceInfo {
                    path: file.path.to_owned(),
                    size: file.bytes.len() as u64,
                })
                .collect()),
            #[cfg(feature = "discover")]
            EntryContent::Folder(skill) => crate::discover::resources(skill),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }

    /// One file of the skill, by its path relative to the skill's folder. Never leaves that folder.
    pub fn read(&self, path: &str) -> Result<Cow<'c, [u8]>, Error> {
        match self.content {
            EntryContent::Bundled(skill) => skill
                .files()
                .find(|file| file.path == path)
                .map(|file| file.bytes.into())
                .ok_or_else(|| {
                    Error::new(
                        ErrorKind::NotFound,
                        format_args!("skill '{}' has no file '{path}'", self.name()),
                    )
                }),
            #[cfg(feature = "discover")]
            EntryContent::Folder(skill) => crate::discover::file(skill, path).map(Into::into),
            #[cfg(not(feature = "discover"))]
            EntryContent::Folder(_) => Err(unreachable()),
        }
    }
}

#[cfg(not(feature = "discover"))]
fn unreachable() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "skills of folders are not read by this program",
    )
}
